/// The cues and announcements over the music.
struct SoundRow: Lane {
    private let sounds: [(span: Timeline.Span<String>, extent: ClosedRange<Double>)]
    private let labels: BarLabels

    private let barHeight = 18.0

    var height: Double { 42 + labels.stripHeight }

    /// - Parameter gaps: the extents in which nothing ran.
    init(_ sounds: [Timeline.Span<String>], on scale: TimeScale, avoiding gaps: [ClosedRange<Double>]) {
        self.sounds = scale.extents(of: sounds)
        let bars = self.sounds.map { BarLabels.Bar($0.extent, label: $0.span.value) }
        labels = BarLabels(bars, on: [.beside, .strip], avoiding: gaps, within: scale.left...scale.right)
    }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        let bar = top + labels.stripHeight + (42 - barHeight) / 2
        let foot = bar + barHeight
        label("sounds", note: "over the music", on: &canvas, baseline: top + height / 2 - 3)
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for (span, extent) in sounds {
            canvas.rectangle(
                x: extent, y: bar...foot, .init(fill: Palette.purpleTint, stroke: Palette.purple),
                tooltip: "\(span.value), \(scale.span(span.from, span.to))")
            if BarLabels.fits(span.value, in: extent) {
                canvas.text(span.value, x: BarLabels.start(of: span.value, in: extent), y: foot - 5)
            }
        }
        for placement in labels.placements {
            canvas.text(
                sounds[placement.bar].span.value, x: placement.box.lowerBound,
                y: placement.side == .beside ? foot - 5 : bar - 5, halo: true)
        }
    }
}
