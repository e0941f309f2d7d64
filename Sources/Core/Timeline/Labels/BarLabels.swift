/// Places the labels of bars that are too narrow for their text, so that each one is readable and none covers another
/// bar.
struct BarLabels: Equatable {
    /// A bar of a row.
    struct Bar: Equatable {
        let extent: ClosedRange<Double>
        /// The label, or nil if there is nothing to place outside.
        let text: String?
    }

    /// A place for a label outside its bar.
    enum Side: Equatable {
        /// At the same height as the bar, to its right or its left.
        case beside
        /// In a strip along the row.
        case strip
    }

    struct Placement: Equatable {
        /// The index of the bar.
        let bar: Int
        let side: Side
        /// The pixels of the text.
        let box: ClosedRange<Double>
    }

    /// The height of the strip.
    static let stripHeight = 15.0
    private static let gap = 4.0

    private(set) var placements: [Placement] = []

    /// The height that the strip takes, or 0 if no label is in it.
    var stripHeight: Double { placements.contains { $0.side == .strip } ? Self.stripHeight : 0 }

    /// Places the labels from left to right, each at the first side that is free. If most labels do not fit, none is
    /// placed, because a few among many say nothing.
    /// - Parameters:
    ///   - bars: the bars in order of their beginning.
    ///   - sides: the sides that can be used, in order of preference.
    ///   - gaps: the extents in which nothing ran. Labels avoid them if they can.
    init(_ bars: [Bar], on sides: [Side], avoiding gaps: [ClosedRange<Double>], within bounds: ClosedRange<Double>) {
        var ends: [Side: Double] = [.beside: -.infinity, .strip: -.infinity]
        for (index, bar) in bars.enumerated() {
            guard let text = bar.text else { continue }
            let before = index > 0 ? bars[index - 1].extent.upperBound : -.infinity
            let after = index + 1 < bars.count ? bars[index + 1].extent.lowerBound : .infinity
            let candidates = sides.flatMap { side in
                Self.candidates(side, at: bar.extent, width: TextMetrics.width(text), within: bounds)
            }.filter { side, box in
                guard box.lowerBound >= (ends[side] ?? 0), bounds.contains(box) else { return false }
                return side == .strip || box.lowerBound > before + 2 * Self.gap && box.upperBound < after - 2 * Self.gap
            }
            let clear = candidates.first { candidate in !gaps.contains { $0.overlaps(margin: 0, candidate.box) } }
            guard let (side, box) = clear ?? candidates.first(where: { $0.side == .strip }) else { continue }
            placements.append(Placement(bar: index, side: side, box: box))
            ends[side] = box.upperBound + 1.5 * Self.gap
        }
        let wanted = bars.count { $0.text != nil }
        if placements.count * 2 < wanted { placements = [] }
    }

    /// Returns true if the bar is wide enough for the text.
    static func fits(_ text: String, in bar: ClosedRange<Double>, bold: Bool = false) -> Bool {
        TextMetrics.width(text, bold: bold) + 3 <= bar.upperBound - bar.lowerBound
    }

    /// Returns the left edge of a text that fits in a bar.
    static func start(of text: String, in bar: ClosedRange<Double>, bold: Bool = false) -> Double {
        let spare = bar.upperBound - bar.lowerBound - TextMetrics.width(text, bold: bold)
        return bar.lowerBound + max(1.5, min(5, spare / 2))
    }

    private static func candidates(
        _ side: Side, at bar: ClosedRange<Double>, width: Double, within bounds: ClosedRange<Double>
    ) -> [(side: Side, box: ClosedRange<Double>)] {
        let starts =
            switch side {
            case .beside: [bar.upperBound + gap, bar.lowerBound - gap - width]
            case .strip:
                [(bar.lowerBound + bar.upperBound - width) / 2, bar.lowerBound, bar.upperBound - width].map {
                    max(bounds.lowerBound, min($0, bounds.upperBound - width))
                }
            }
        return starts.map { (side, $0...($0 + width)) }
    }
}

extension BarLabels.Bar {
    /// Creates a bar whose label is placed outside unless it fits in the bar.
    init(_ extent: ClosedRange<Double>, label: String, bold: Bool = false) {
        self.init(extent: extent, text: BarLabels.fits(label, in: extent, bold: bold) ? nil : label)
    }
}

extension ClosedRange<Double> {
    /// Returns true if the other range is within this one.
    fileprivate func contains(_ other: ClosedRange<Double>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
