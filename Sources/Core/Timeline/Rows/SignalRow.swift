/// A signal, with its faults, the spans in which it was asserted and their effect, and the level of its line.
struct SignalRow: Lane {
    let signal: Timeline.SignalLane

    private let barHeight = 18.0
    private let margin = 8.0
    private var badgeHeight: Double { signal.faults.isEmpty ? 0 : FaultBadges.height }
    private var wireHeight: Double { signal.raw.isEmpty ? 0 : 13 }

    var height: Double { max(badgeHeight + barHeight + wireHeight + 2 * margin, 42) }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label(signal.name, note: signal.effect, on: &canvas, baseline: top + height / 2 - 3)
        let bar = top + (height - badgeHeight - barHeight - wireHeight) / 2 + badgeHeight
        let foot = bar + barHeight
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for span in signal.asserted {
            draw(span, on: &canvas, y: bar...foot, scale: scale)
        }
        if !signal.raw.isEmpty {
            drawWire(on: &canvas, y: (foot + 5)...(foot + wireHeight), scale: scale)
        }
        FaultBadges(signal.faults, scale: scale).draw(on: &canvas, top: bar - badgeHeight)
    }

    private func draw(
        _ span: Timeline.Span<Timeline.Assertion>, on canvas: inout SVGCanvas, y: ClosedRange<Double>,
        scale: TimeScale
    ) {
        guard let x = scale.extent(span.from, span.to) else { return }
        let (paint, word) =
            switch span.value {
            case .active: (SVGCanvas.Paint(fill: Palette.blue), "active")
            case .suppressed: (SVGCanvas.Paint(fill: Pattern.suppressed, stroke: Palette.blue), "suppressed")
            case .dropped(let reason):
                (
                    SVGCanvas.Paint(fill: Palette.paper, stroke: Palette.grey, dash: "4 2"),
                    reason.isEmpty ? "dropped" : "dropped: \(reason)"
                )
            }
        let times = scale.span(span.from, span.to)
        canvas.rectangle(x: x, y: y, paint, tooltip: "\(signal.name) \(word), \(times)")
        // A solid bar does not need a word for “active”, so it shows the duration. The others show their word.
        let isActive = span.value == .active
        let text = isActive ? TimeText.duration(span.to - span.from) : word
        if TextMetrics.width(text) <= x.upperBound - x.lowerBound - 10 {
            canvas.text(
                text, x: x.lowerBound + 5, y: y.upperBound - 5, fill: isActive ? Palette.paper : Palette.ink,
                halo: !isActive)
        }
    }

    private func drawWire(on canvas: inout SVGCanvas, y: ClosedRange<Double>, scale: TimeScale) {
        let paint = SVGCanvas.Paint(stroke: Palette.ink, width: 1.2)
        var points: [Point] = []
        for span in signal.raw {
            guard let x = scale.extent(span.from, span.to, minimum: 0) else { continue }
            // The level in a gap, such as a power cut, is unknown.
            if let last = points.last, x.lowerBound - last.x > 0.5 {
                canvas.path(points, paint)
                points = []
            }
            let level = span.value ? y.lowerBound : y.upperBound
            points += [Point(x: x.lowerBound, y: level), Point(x: x.upperBound, y: level)]
        }
        canvas.path(points, paint)
    }
}
