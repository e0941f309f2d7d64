/// The interruptions of the music, with the user's intent as a thin strip below them.
struct SessionRow: Lane {
    private let session: [Bar<Timeline.SessionState>]
    private let intent: [Bar<Timeline.Intent>]
    private let sessionLabels: BarLabels
    private let intentLabels: BarLabels

    /// A span with its pixels.
    private typealias Bar<Value: Sendable & Equatable> = (span: Timeline.Span<Value>, extent: ClosedRange<Double>)

    private struct Look {
        let paint: SVGCanvas.Paint
        /// The colour of a span that is so short that only its outline would be visible.
        let sliver: String
        let title: String
        /// The signals that caused it, or an empty text.
        var cause = ""
        /// The text of the tooltip, without the times.
        let tooltip: String
        /// The layer. Higher layers are painted later, so that a long span does not hide a short interruption.
        var layer = 0

        /// The lines that fit in a bar. The title is bold if a cause follows it.
        func lines(in extent: ClosedRange<Double>) -> [(text: String, bold: Bool)] {
            [(title, !cause.isEmpty), (cause, false)].filter { text, bold in
                !text.isEmpty && BarLabels.fits(text, in: extent, bold: bold)
            }
        }

        /// Returns a bar with the title as its label.
        func bar(_ extent: ClosedRange<Double>) -> BarLabels.Bar {
            BarLabels.Bar(extent, label: title, bold: !cause.isEmpty)
        }
    }

    private let barHeight = 36.0
    private let stripHeight = 16.0

    var height: Double {
        let bars = sessionLabels.stripHeight + barHeight + 16
        return intent.isEmpty ? bars : bars + stripHeight + 8 + intentLabels.stripHeight
    }

    /// - Parameter gaps: the extents in which nothing ran.
    init(
        session: [Timeline.Span<Timeline.SessionState>], intent: [Timeline.Span<Timeline.Intent>],
        on scale: TimeScale, avoiding gaps: [ClosedRange<Double>]
    ) {
        self.session = scale.extents(of: session)
        self.intent = scale.extents(of: intent)
        let bounds = scale.left...scale.right
        let states = self.session.map { span, extent in
            // The usual state does not need a label outside.
            span.value == .active ? BarLabels.Bar(extent: extent, text: nil) : Self.look(of: span.value).bar(extent)
        }
        sessionLabels = BarLabels(states, on: [.strip], avoiding: gaps, within: bounds)
        let intents = self.intent.map { span, extent in Self.look(of: span.value).bar(extent) }
        intentLabels = BarLabels(intents, on: [.strip], avoiding: gaps, within: bounds)
    }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        let barTop = top + 8 + sessionLabels.stripHeight
        let bar = barTop...(barTop + barHeight)
        let middle = barTop + barHeight / 2
        label("interruptions", note: "of the music", on: &canvas, baseline: middle - 3)
        if session.isEmpty { canvas.nothing(scale: scale, baseline: middle + 4) }
        let looks = session.map { ($0, Self.look(of: $0.span.value)) }
        for ((span, extent), look) in looks.stablySorted(by: { $0.1.layer < $1.1.layer }) {
            draw(span, look, x: extent, y: bar, on: &canvas, scale)
        }
        for placement in sessionLabels.placements {
            canvas.text(looks[placement.bar].1.title, x: placement.box.lowerBound, y: barTop - 5, halo: true)
        }
        guard !intent.isEmpty else { return }
        let strip = (bar.upperBound + 7)...(bar.upperBound + 7 + stripHeight)
        canvas.text(
            "the user wants", x: Picture.margin, y: strip.upperBound - 4, fill: Palette.quietInk,
            limit: Picture.gutter - Picture.margin - 10)
        for (span, extent) in intent {
            draw(span, Self.look(of: span.value), x: extent, y: strip, on: &canvas, scale)
        }
        for placement in intentLabels.placements {
            canvas.text(
                Self.look(of: intent[placement.bar].span.value).title, x: placement.box.lowerBound,
                y: strip.upperBound + 13, halo: true)
        }
    }

    private func draw<Value>(
        _ span: Timeline.Span<Value>, _ look: Look, x: ClosedRange<Double>, y: ClosedRange<Double>,
        on canvas: inout SVGCanvas, _ scale: TimeScale
    ) {
        let isSliver = x.upperBound - x.lowerBound < 5
        canvas.rectangle(
            x: x, y: y, isSliver ? .init(fill: look.sliver) : look.paint,
            tooltip: "\(look.tooltip), \(scale.span(span.from, span.to))")
        let middle = (y.lowerBound + y.upperBound) / 2
        let lines = look.lines(in: x)
        for (index, line) in lines.enumerated() {
            let baseline = middle + 4.3 + (Double(index) - Double(lines.count - 1) / 2) * 15
            canvas.text(
                line.text, x: BarLabels.start(of: line.text, in: x, bold: line.bold), y: baseline, bold: line.bold)
        }
    }

    private static func look(of state: Timeline.SessionState) -> Look {
        func words(_ state: String, by cause: String) -> String { cause.isEmpty ? state : "\(state) by \(cause)" }
        return switch state {
        case .inactive:
            Look(
                paint: .init(fill: Palette.paper, stroke: Palette.grey, dash: "4 2"), sliver: Palette.paper,
                title: "inactive", tooltip: "inactive")
        case .active:
            Look(
                paint: .init(fill: Palette.greenTint, stroke: Palette.green), sliver: Palette.greenTint,
                title: "none", tooltip: "the music may play")
        case .ducked(let cause):
            Look(
                paint: .init(fill: Palette.orangeTint, stroke: Palette.orange), sliver: Palette.orange,
                title: "turned down", cause: cause, tooltip: words("turned down", by: cause), layer: 1)
        case .interrupted(let cause):
            Look(
                paint: .init(fill: Palette.vermillion, stroke: Palette.vermillion), sliver: Palette.vermillion,
                title: "interrupted", cause: cause, tooltip: words("interrupted", by: cause), layer: 2)
        }
    }

    private static func look(of intent: Timeline.Intent) -> Look {
        let (paint, title) =
            switch intent {
            case .playing: (SVGCanvas.Paint(fill: Palette.greyTint, stroke: Palette.grey), "music")
            case .paused: (SVGCanvas.Paint(fill: Palette.paper, stroke: Palette.grey), "a pause")
            case .stopped: (SVGCanvas.Paint(fill: Palette.paper, stroke: Palette.grey, dash: "2 2"), "silence")
            }
        return Look(paint: paint, sliver: paint.fill, title: title, tooltip: "the user wants \(title)")
    }
}
