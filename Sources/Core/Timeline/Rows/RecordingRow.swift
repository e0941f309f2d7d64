/// The recording from the microphone.
struct RecordingRow: Lane {
    let recording: [Timeline.Span<Timeline.Microphone>]

    private let barHeight = 12.0

    var height: Double { 38 }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label("recording", note: "the microphone", on: &canvas, baseline: top + height / 2 - 3)
        let bar = top + (height - barHeight) / 2
        let foot = bar + barHeight
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for span in recording {
            guard let x = scale.extent(span.from, span.to) else { continue }
            let paint: SVGCanvas.Paint =
                switch span.value {
                case .recorded: .init(fill: Palette.vermillionTint, stroke: Palette.vermillion)
                case .muted: .init(fill: Palette.paper, stroke: Palette.vermillion, dash: "3 2")
                }
            canvas.rectangle(
                x: x, y: bar...foot, paint, tooltip: "\(span.value.words), \(scale.span(span.from, span.to))")
        }
    }
}

extension Timeline {
    /// The input that a recorder receives from the microphone.
    public enum Microphone: Sendable, Equatable {
        /// The sound that the microphone picks up.
        case recorded
        /// Silence, because the microphone is muted.
        case muted

        var words: String {
            switch self {
            case .recorded: "recorded"
            case .muted: "silence recorded: the microphone was muted"
            }
        }
    }
}
