/// The audio session, with the user's intent as a thin strip below it.
struct SessionRow: Lane {
    let session: [Timeline.Span<Timeline.SessionState>]
    let intent: [Timeline.Span<Timeline.Intent>]

    private struct Look {
        let paint: SVGCanvas.Paint
        /// The colour of a span that is so short that only its outline would be visible.
        let sliver: String
        /// One line, or the state and its reason.
        let lines: [String]
        /// The text before the lines in the tooltip.
        var prefix = ""
        /// The layer. Higher layers are painted later, so that a long span does not hide a short interruption.
        let layer: Int
    }

    private let barHeight = 36.0

    var height: Double { intent.isEmpty ? barHeight + 16 : barHeight + 40 }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        let bar = (top + 8)...(top + 8 + barHeight)
        let middle = top + 8 + barHeight / 2
        label("session", on: &canvas, baseline: middle + 4)
        if session.isEmpty { canvas.nothing(scale: scale, baseline: middle + 4) }
        for (span, look) in session.map({ ($0, look(of: $0.value)) }).stablySorted(by: { $0.1.layer < $1.1.layer }) {
            draw(span, look, y: bar, on: &canvas, scale)
        }
        guard !intent.isEmpty else { return }
        let strip = (bar.upperBound + 7)...(bar.upperBound + 23)
        canvas.text(
            "the user wants", x: Picture.margin, y: strip.upperBound - 4, fill: Palette.quietInk,
            limit: Picture.gutter - Picture.margin - 10)
        for span in intent {
            draw(span, look(of: span.value), y: strip, on: &canvas, scale)
        }
    }

    private func draw<Value>(
        _ span: Timeline.Span<Value>, _ look: Look, y: ClosedRange<Double>, on canvas: inout SVGCanvas,
        _ scale: TimeScale
    ) {
        guard let x = scale.extent(span.from, span.to) else { return }
        let width = x.upperBound - x.lowerBound
        var paint = look.paint
        if width < 5 { paint = .init(fill: look.sliver) }
        let times = scale.span(span.from, span.to)
        canvas.rectangle(x: x, y: y, paint, tooltip: look.prefix + look.lines.joined(separator: ": ") + ", " + times)
        let middle = (y.lowerBound + y.upperBound) / 2
        for (index, line) in look.lines.enumerated() {
            let bold = index == 0 && look.lines.count > 1
            let inset = max(1.5, min(5, (width - TextMetrics.width(line, bold: bold)) / 2))
            // A few letters of a word are less useful than the tooltip and the bars of the signals above.
            guard let shown = TextMetrics.fitted(line, into: width - 2 * inset, bold: bold),
                shown == line || shown.count > 5
            else { continue }
            let baseline = middle + 4.3 + (Double(index) - Double(look.lines.count - 1) / 2) * 15
            canvas.text(
                shown, x: x.lowerBound + inset, y: baseline, bold: bold,
                tooltip: shown == line ? nil : line)
        }
    }

    private func look(of state: Timeline.SessionState) -> Look {
        switch state {
        case .inactive:
            Look(
                paint: .init(fill: Palette.paper, stroke: Palette.grey, dash: "4 2"), sliver: Palette.paper,
                lines: ["inactive"], layer: 0)
        case .active:
            Look(
                paint: .init(fill: Palette.greenTint, stroke: Palette.green), sliver: Palette.greenTint,
                lines: ["active"], layer: 0)
        case .ducked(let reason):
            Look(
                paint: .init(fill: Palette.orangeTint, stroke: Palette.orange), sliver: Palette.orange,
                lines: lines("ducked", reason), layer: 1)
        case .interrupted(let reason):
            Look(
                paint: .init(fill: Palette.vermillion, stroke: Palette.vermillion), sliver: Palette.vermillion,
                lines: lines("interrupted", reason), layer: 2)
        }
    }

    private func look(of intent: Timeline.Intent) -> Look {
        let paint =
            switch intent {
            case .playing: SVGCanvas.Paint(fill: Palette.greyTint, stroke: Palette.grey)
            case .paused: SVGCanvas.Paint(fill: Palette.paper, stroke: Palette.grey)
            case .stopped: SVGCanvas.Paint(fill: Palette.paper, stroke: Palette.grey, dash: "2 2")
            }
        return Look(paint: paint, sliver: paint.fill, lines: [intent.rawValue], prefix: "the user wants ", layer: 0)
    }

    private func lines(_ state: String, _ reason: String) -> [String] {
        reason.isEmpty ? [state] : [state, reason]
    }
}
