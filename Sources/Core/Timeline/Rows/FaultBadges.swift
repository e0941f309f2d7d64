/// The faults of a signal's line, each with a bar for as long as it lasted and a badge at its beginning.
struct FaultBadges {
    static let height = 22.0

    private let scale: TimeScale
    private let faults: [(extent: ClosedRange<Double>, fault: Timeline.Span<String>)]

    init(_ faults: [Timeline.Span<String>], scale: TimeScale) {
        self.scale = scale
        self.faults = faults.compactMap { fault in
            scale.extent(fault.from, fault.to).map { (extent: $0, fault: fault) }
        }.stablySorted { $0.extent.lowerBound < $1.extent.lowerBound }
    }

    func draw(on canvas: inout SVGCanvas, top: Double) {
        for (extent, _) in faults {
            canvas.rectangle(x: extent, y: (top + 17)...(top + 19), .init(fill: Palette.vermillion))
        }
        let boxes = faults.indices.map { index in
            let start = faults[index].extent.lowerBound
            return start...(start + width(index..<(index + 1)))
        }
        for chip in ChipLayout.chips(for: boxes, within: scale.left...scale.right, gap: 3, width: width) {
            let left = chip.box.lowerBound
            canvas.rectangle(
                x: chip.box, y: top...(top + 16.5), radius: 3,
                .init(fill: Palette.vermillionTint, stroke: Palette.vermillion), tooltip: tooltip(chip.members))
            let sign = [(5.0, 13.0), (10.5, 3.5), (16, 13)].map { Point(x: left + $0.0, y: top + $0.1) }
            canvas.path(sign, closed: true, .init(fill: Palette.ink))
            canvas.text(text(chip.members), x: left + 20, y: top + 12.5)
        }
    }

    private func width(_ members: Range<Int>) -> Double {
        TextMetrics.width(text(members)) + 26
    }

    /// Returns a text such as `stuck`, or `chatter ×3` if all faults are the same. Otherwise, it is the first fault and
    /// the number of others, such as `chatter +2`.
    private func text(_ members: Range<Int>) -> String {
        guard let first = members.first else { return "" }
        let word = faults[first].fault.value
        let short = TextMetrics.fitted(word, into: 140) ?? "fault"
        if members.count == 1 { return short }
        let same = members.allSatisfy { faults[$0].fault.value == word }
        return same ? "\(short) ×\(members.count)" : "\(short) +\(members.count - 1)"
    }

    private func tooltip(_ members: Range<Int>) -> String {
        members.map { faults[$0].fault }.map { fault in
            "\(fault.value), \(scale.span(fault.from, fault.to))"
        }.joined(separator: "; ")
    }
}
