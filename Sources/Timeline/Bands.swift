/// Stretches that concern all lanes: no power, no sound device.
struct Bands {
    private static let noDevice = "no device"

    private let bands: [(extent: ClosedRange<Double>, word: String, span: ClosedRange<Double>)]
    private let scale: TimeScale

    init(outages: [Timeline.Span<Timeline.Outage>], servicesLost: [ClosedRange<Double>], scale: TimeScale) {
        // Comparisons leave out what is no number.
        let off = outages.filter { $0.from <= $0.to }.map { ($0.from...$0.to, $0.value.rawValue) }
        let all = off + servicesLost.map { ($0, Self.noDevice) }
        bands = all.compactMap { span, word in
            scale.extent(span.lowerBound, span.upperBound, minimum: 2).map { ($0, word, span) }
        }.sorted { ($0.extent.lowerBound, $0.word) < ($1.extent.lowerBound, $1.word) }
        self.scale = scale
    }

    /// The strip for their labels.
    var height: Double { bands.isEmpty ? 0 : 22 }

    /// The hatching, from `y.lowerBound` to `y.upperBound`.
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
        case .killed: (.init(fill: Palette.vermillionTint, opacity: 0.7), .init(stroke: Palette.vermillion))
        case nil: (.init(fill: Palette.orangeTint, opacity: 0.55), .init(stroke: Palette.orange, dash: "6 3"))
        }
    }

    /// The labels, in the strip below `top`.
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
        "\(word == Timeline.Outage.killed.rawValue ? "killed or crashed" : word), "
            + scale.span(span.lowerBound, span.upperBound)
    }
}
