/// One horizontal strip of the picture.
protocol Lane {
    /// The height in pixels, including the inner margins.
    var height: Double { get }
    /// Draws the label of the lane into the gutter and its content into the plot, from `top` downwards.
    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale)
}

extension Lane {
    /// Draws the name of the lane into the gutter, and a note below it.
    func label(_ name: String, note: String = "", on canvas: inout SVGCanvas, baseline: Double) {
        let limit = Picture.gutter - Picture.margin - 10
        canvas.text(name, x: Picture.margin, y: baseline, size: 13, bold: true, limit: limit)
        if !note.isEmpty {
            canvas.text(note, x: Picture.margin, y: baseline + 15, fill: Palette.quietInk, limit: limit)
        }
    }
}

extension SVGCanvas {
    /// Marks a lane as empty.
    mutating func nothing(_ words: String = "nothing recorded", scale: TimeScale, baseline: Double) {
        text(words, x: scale.left + 6, y: baseline, fill: Palette.quietInk, halo: true)
    }
}

/// The time spans that apply to all lanes, which are outages and times without an audio device.
struct Bands {
    private static let noDevice = "no device"

    private let bands: [(extent: ClosedRange<Double>, word: String, span: ClosedRange<Double>)]
    private let scale: TimeScale

    init(outages: [Timeline.Span<Timeline.Outage>], servicesLost: [ClosedRange<Double>], scale: TimeScale) {
        // The comparison also excludes NaN.
        let off = outages.filter { $0.from <= $0.to }.map { ($0.from...$0.to, $0.value.rawValue) }
        let all = off + servicesLost.map { ($0, Self.noDevice) }
        bands = all.compactMap { span, word in
            scale.extent(span.lowerBound, span.upperBound, minimum: 2).map { ($0, word, span) }
        }.sorted { ($0.extent.lowerBound, $0.word) < ($1.extent.lowerBound, $1.word) }
        self.scale = scale
    }

    /// The pixels of the time spans in which something was missing.
    var extents: [ClosedRange<Double>] { bands.map(\.extent) }

    /// The height of the strip for the labels.
    var height: Double { bands.isEmpty ? 0 : 22 }

    /// Draws the backgrounds, from `y.lowerBound` to `y.upperBound`.
    func draw(on canvas: inout SVGCanvas, y: ClosedRange<Double>) {
        for band in bands {
            let (ground, edge) = paints(of: band.word)
            canvas.rectangle(x: band.extent, y: y, ground, tooltip: tooltip(of: band.word, band.span))
            for x in [band.extent.lowerBound, band.extent.upperBound] {
                canvas.line(x1: x, y1: y.lowerBound, x2: x, y2: y.upperBound, edge)
            }
        }
    }

    private func paints(of word: String) -> (ground: SVGCanvas.Paint, edge: SVGCanvas.Paint) {
        switch Timeline.Outage(rawValue: word) {
        case .powerCut, .shutDown: (.init(fill: Pattern.band), .init(stroke: Palette.grey))
        case .stopped, .asleep: (.init(fill: Palette.greyTint), .init(stroke: Palette.grey, dash: "6 3"))
        case .unknown: (.init(fill: Palette.greyTint, opacity: 0.5), .init(stroke: Palette.grey, dash: "2 4"))
        case .killed: (.init(fill: Palette.vermillionTint, opacity: 0.7), .init(stroke: Palette.vermillion))
        case nil: (.init(fill: Palette.orangeTint, opacity: 0.55), .init(stroke: Palette.orange, dash: "6 3"))
        }
    }

    /// Draws the labels in the strip below `top`.
    func drawLabels(on canvas: inout SVGCanvas, top: Double) {
        let chips = ChipLayout.chips(for: bands.map(\.extent), within: scale.left...scale.right, gap: 4) { members in
            TextMetrics.width(text(members), bold: true) + 10
        }
        for chip in chips {
            canvas.rectangle(
                x: chip.box, y: (top + 2)...(top + 19), radius: 3,
                .init(fill: Palette.paper, stroke: Palette.grey))
            let centre = (chip.box.lowerBound + chip.box.upperBound) / 2
            let tooltip = chip.members.map { self.tooltip(of: bands[$0].word, bands[$0].span) }
            canvas.text(
                text(chip.members), x: centre, y: top + 15, bold: true, anchor: .middle,
                tooltip: tooltip.joined(separator: "; "))
        }
    }

    private func text(_ members: Range<Int>) -> String {
        let words = members.map { bands[$0].word }
        return (Timeline.Outage.allCases.map(\.rawValue) + [Self.noDevice]).compactMap { word in
            let count = words.filter { $0 == word }.count
            return count == 0 ? nil : count == 1 ? word : "\(word) ×\(count)"
        }.joined(separator: ", ")
    }

    private func tooltip(of word: String, _ span: ClosedRange<Double>) -> String {
        let words =
            switch Timeline.Outage(rawValue: word) {
            case .killed: "killed or crashed"
            case .unknown: "not known whether it ran"
            default: word
            }
        return "\(words), " + scale.span(span.lowerBound, span.upperBound)
    }
}

/// The beginnings of interruptions and ducks, which are drawn as lines through all lanes.
enum Hairlines {
    /// Returns the pixels, ascending, of the `labelled` beginnings, which continue down to their notifications. If
    /// there are none, it returns those of the beginnings in `session`. If several are closer than `gap`, only the
    /// first is kept. If there are more than `most`, it returns none, because they could not guide the eye.
    static func positions(
        labelled: [Double], session: [Timeline.Span<Timeline.SessionState>], on scale: TimeScale, gap: Double = 8,
        most: Int = 40
    ) -> [Double] {
        let spans = session.filter { span in
            switch span.value {
            case .interrupted, .ducked: true
            case .active, .inactive: false
            }
        }.map(\.from)
        var positions: [Double] = []
        for x in (labelled.isEmpty ? spans : labelled).filter(scale.contains).map(scale.x).sorted() {
            if let last = positions.last, x - last < gap { continue }
            positions.append(x)
        }
        return positions.count > most ? [] : positions
    }
}
