/// The cues and announcements over the programme.
struct SoundRow: Lane {
    let sounds: [Timeline.Span<String>]

    private let barHeight = 18.0

    var height: Double { 42 }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label("sounds", note: "over the programme", on: &canvas, baseline: top + height / 2 - 3)
        let bar = top + (height - barHeight) / 2
        let foot = bar + barHeight
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for span in sounds {
            guard let x = scale.extent(span.from, span.to) else { continue }
            canvas.rectangle(
                x: x, y: bar...foot, .init(fill: Palette.purpleTint, stroke: Palette.purple),
                tooltip: "\(span.value), \(scale.span(span.from, span.to))")
            let room = x.upperBound - x.lowerBound - 8
            // A few letters of a name say less than the tooltip.
            guard let name = TextMetrics.fitted(span.value, into: room), name == span.value || name.count > 5 else {
                continue
            }
            canvas.text(name, x: x.lowerBound + 4, y: foot - 5)
        }
    }
}
