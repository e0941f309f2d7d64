/// A signal, with its faults, the spans in which it was asserted and their effect, and the level of its line.
struct SignalRow: Lane {
    private let signal: Timeline.SignalLane
    private let asserted: [(span: Timeline.Span<Timeline.Assertion>, extent: ClosedRange<Double>)]
    private let labels: BarLabels

    private let barHeight = 18.0
    private let margin = 8.0
    private var badgeHeight: Double { signal.faults.isEmpty ? 0 : FaultBadges.height }
    private var wireHeight: Double { signal.raw.isEmpty ? 0 : 13 }

    var height: Double { max(badgeHeight + barHeight + wireHeight + 2 * margin, 42) }

    /// - Parameter gaps: the extents in which nothing ran.
    init(_ signal: Timeline.SignalLane, on scale: TimeScale, avoiding gaps: [ClosedRange<Double>]) {
        self.signal = signal
        asserted = scale.extents(of: signal.asserted)
        let bars = asserted.map { BarLabels.Bar($0.extent, label: Self.text(for: $0.span)) }
        labels = BarLabels(bars, on: [.beside], avoiding: gaps, within: scale.left...scale.right)
    }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label(signal.name, note: signal.effect, on: &canvas, baseline: top + height / 2 - 3)
        let bar = top + (height - badgeHeight - barHeight - wireHeight) / 2 + badgeHeight
        let foot = bar + barHeight
        canvas.line(x1: scale.left, y1: foot, x2: scale.right, y2: foot, .init(stroke: Palette.grid))
        for (span, extent) in asserted {
            draw(span, x: extent, on: &canvas, y: bar...foot, scale: scale)
        }
        for placement in labels.placements {
            let text = Self.text(for: asserted[placement.bar].span)
            canvas.text(text, x: placement.box.lowerBound, y: foot - 5, halo: true)
        }
        if !signal.raw.isEmpty {
            drawWire(on: &canvas, y: (foot + 5)...(foot + wireHeight), scale: scale)
        }
        FaultBadges(signal.faults, scale: scale).draw(on: &canvas, top: bar - badgeHeight)
    }

    private func draw(
        _ span: Timeline.Span<Timeline.Assertion>, x: ClosedRange<Double>, on canvas: inout SVGCanvas,
        y: ClosedRange<Double>, scale: TimeScale
    ) {
        let paint =
            switch span.value {
            case .active: SVGCanvas.Paint(fill: Palette.blue)
            case .suppressed: SVGCanvas.Paint(fill: Pattern.suppressed, stroke: Palette.blue)
            case .dropped: SVGCanvas.Paint(fill: Palette.paper, stroke: Palette.grey, dash: "4 2")
            }
        canvas.rectangle(
            x: x, y: y, paint,
            tooltip: "\(signal.name) \(Self.word(for: span.value)), \(scale.span(span.from, span.to))")
        let text = Self.text(for: span)
        guard BarLabels.fits(text, in: x) else { return }
        let isActive = span.value == .active
        canvas.text(
            text, x: BarLabels.start(of: text, in: x), y: y.upperBound - 5,
            fill: isActive ? Palette.paper : Palette.ink, halo: !isActive)
    }

    /// Returns the label of a bar. A solid bar does not need a word for “active”, so it shows the duration.
    private static func text(for span: Timeline.Span<Timeline.Assertion>) -> String {
        span.value == .active ? TimeText.duration(span.to - span.from) : word(for: span.value)
    }

    private static func word(for assertion: Timeline.Assertion) -> String {
        switch assertion {
        case .active: "active"
        case .suppressed: "suppressed"
        case .dropped(let reason): reason.isEmpty ? "ignored" : "ignored: \(reason)"
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
