/// The cues and announcements over the music.
struct SoundRow: Lane {
    let sounds: [Timeline.Span<String>]

    private let barHeight = 18.0

    var height: Double { 42 }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label("sounds", note: "over the music", on: &canvas, baseline: top + height / 2 - 3)
        let bar = top + (height - barHeight) / 2
        let foot = bar + barHeight
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        let extents = sounds.map { scale.extent($0.from, $0.to) }
        for (index, span) in sounds.enumerated() {
            guard let x = extents[index] else { continue }
            canvas.rectangle(
                x: x, y: bar...foot, .init(fill: Palette.purpleTint, stroke: Palette.purple),
                tooltip: "\(span.value), \(scale.span(span.from, span.to))")
            // The bar of a chime is short, so its name can be beside it.
            let width = TextMetrics.width(span.value)
            let next = index + 1 < extents.count ? extents[index + 1]?.lowerBound ?? scale.right : scale.right
            if width + 8 <= x.upperBound - x.lowerBound {
                canvas.text(span.value, x: x.lowerBound + 4, y: foot - 5)
            } else if x.upperBound + width + 8 <= next {
                canvas.text(span.value, x: x.upperBound + 4, y: foot - 5, halo: true)
            }
        }
    }
}
