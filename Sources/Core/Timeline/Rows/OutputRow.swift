/// An output of the board, with the spans in which it was asserted.
struct OutputRow: Lane {
    let output: Timeline.OutputLane

    private let barHeight = 12.0

    var height: Double { 38 }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label(output.name, note: "output: \(output.meaning)", on: &canvas, baseline: top + height / 2 - 3)
        let bar = top + (height - barHeight) / 2
        let foot = bar + barHeight
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for span in output.asserted {
            guard let x = scale.extent(span.from, span.to) else { continue }
            canvas.rectangle(
                x: x, y: bar...foot, .init(fill: Palette.greenTint, stroke: Palette.green),
                tooltip: "\(output.name) asserted, \(scale.span(span.from, span.to))")
        }
    }
}
