/// Bars with names in a row, such as the sounds over the music.
struct NameRow: Lane {
    private let title: String
    private let note: String
    private let style: SVGCanvas.Paint
    private let bars: [(span: Timeline.Span<String>, extent: ClosedRange<Double>)]
    private let labels: BarLabels

    private let barHeight = 18.0

    var height: Double { 42 + labels.stripHeight }

    /// - Parameters:
    ///   - note: the explanation below the title.
    ///   - gaps: the extents in which nothing ran.
    init(
        _ title: String, note: String, _ style: SVGCanvas.Paint, _ spans: [Timeline.Span<String>], on scale: TimeScale,
        avoiding gaps: [ClosedRange<Double>]
    ) {
        (self.title, self.note, self.style) = (title, note, style)
        bars = scale.extents(of: spans)
        labels = BarLabels(
            bars.map { BarLabels.Bar($0.extent, label: $0.span.value) }, on: [.beside, .strip], avoiding: gaps,
            within: scale.left...scale.right)
    }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        let bar = top + labels.stripHeight + (42 - barHeight) / 2
        let foot = bar + barHeight
        label(title, note: note, on: &canvas, baseline: top + height / 2 - 3)
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for (span, extent) in bars {
            canvas.rectangle(
                x: extent, y: bar...foot, style, tooltip: "\(span.value), \(scale.span(span.from, span.to))")
            if BarLabels.fits(span.value, in: extent) {
                canvas.text(span.value, x: BarLabels.start(of: span.value, in: extent), y: foot - 5)
            }
        }
        for placement in labels.placements {
            canvas.text(
                bars[placement.bar].span.value, x: placement.box.lowerBound,
                y: placement.side == .beside ? foot - 5 : bar - 5, halo: true)
        }
    }
}
