/// Stretches that concern all lanes: no power, no sound device.
struct Bands {
    private let bands: [(extent: ClosedRange<Double>, word: String, span: ClosedRange<Double>)]
    private let bounds: ClosedRange<Double>

    init(powerOff: [ClosedRange<Double>], servicesLost: [ClosedRange<Double>], scale: TimeScale) {
        let all = powerOff.map { ($0, "no power") } + servicesLost.map { ($0, "no device") }
        bands = all.compactMap { span, word in
            scale.extent(span.lowerBound, span.upperBound, minimum: 2).map { ($0, word, span) }
        }.sorted { ($0.extent.lowerBound, $0.word) < ($1.extent.lowerBound, $1.word) }
        bounds = scale.left...scale.right
    }

    /// The strip for their labels.
    var height: Double { bands.isEmpty ? 0 : 22 }

    /// The hatching, from `y.lowerBound` to `y.upperBound`.
    func draw(on canvas: inout SVGCanvas, y: ClosedRange<Double>) {
        for band in bands {
            let isPower = band.word == "no power"
            canvas.rectangle(
                x: band.extent, y: y,
                .init(fill: isPower ? Pattern.band : Palette.orangeTint, opacity: isPower ? 1 : 0.55),
                tooltip: tooltip(of: band.word, band.span))
            for x in [band.extent.lowerBound, band.extent.upperBound] {
                canvas.line(
                    x1: x, y1: y.lowerBound, x2: x, y2: y.upperBound,
                    .init(stroke: isPower ? Palette.grey : Palette.orange, dash: isPower ? nil : "6 3"))
            }
        }
    }

    /// The labels, in the strip below `top`.
    func drawLabels(on canvas: inout SVGCanvas, top: Double) {
        let chips = ChipLayout.chips(for: bands.map(\.extent), within: bounds, gap: 4) { members in
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
        return ["no power", "no device"].compactMap { word in
            let count = words.filter { $0 == word }.count
            return count == 0 ? nil : count == 1 ? word : "\(word) ×\(count)"
        }.joined(separator: ", ")
    }

    private func tooltip(of word: String, _ span: ClosedRange<Double>) -> String {
        "\(word), \(TimeText.precise(span.lowerBound)) – \(TimeText.precise(span.upperBound))"
    }
}
