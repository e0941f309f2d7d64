/// The level of the music and, within it, the peaks of the sound that was measured.
///
/// Both are linear amplitudes with a common base, so that they can be compared. The scale is labelled in decibels.
struct GainRow: Lane {
    let gain: [Timeline.GainPoint]
    let heard: [Timeline.PeakBucket]?
    let outages: [Timeline.Span<Timeline.Outage>]

    private let margin = 14.0
    private let plotHeight = 64.0

    private var isEmpty: Bool { gain.isEmpty && (heard ?? []).isEmpty }

    var height: Double { isEmpty ? 42 : plotHeight + 2 * margin }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        let base = top + margin + plotHeight
        if isEmpty {
            label("level", note: "of the music", on: &canvas, baseline: top + height / 2 - 3)
            canvas.nothing(scale: scale, baseline: top + height / 2 + 4)
            return
        }
        label("level", note: "of the music", on: &canvas, baseline: top + height / 2 - 3)
        for (level, text) in [(1.0, "0 dB"), (0.5, "−6 dB"), (0, "off")] {
            let y = base - level * plotHeight
            let line = SVGCanvas.Paint(stroke: Palette.separator, dash: level == 0 ? nil : "2 3")
            canvas.line(x1: scale.left, y1: y, x2: scale.right, y2: y, line)
            canvas.text(text, x: scale.left - 6, y: y + 4, fill: Palette.quietInk, anchor: .end)
        }
        let runs = GainRuns.runs(gain, on: scale, without: outages)
        let curves = runs.map { run in
            run.map { Point(x: scale.x($0.time), y: base - $0.gain * plotHeight) }
        }
        for curve in curves {
            guard let first = curve.first, let last = curve.last else { continue }
            let area = [Point(x: first.x, y: base)] + curve + [Point(x: last.x, y: base)]
            canvas.path(area, closed: true, .init(fill: Palette.skyBlue, opacity: 0.3))
        }
        let envelope = HeardEnvelope(heard ?? [], on: scale)
        canvas.path(
            envelope.outline(on: scale, base: base, height: plotHeight), closed: true, .init(fill: Palette.heard))
        // Thick lines would merge ramps that are close together.
        let crowded = curves.reduce(0) { $0 + $1.count } > 250
        for curve in curves {
            canvas.path(curve, .init(stroke: Palette.blue, width: crowded ? 1 : 2))
        }
        for run in runs {
            drawLevels(of: run, above: envelope, on: &canvas, base: base, scale: scale)
        }
    }

    /// Labels each span of constant gain with its level, unless it is 0 dB or too short for the text. The label is above
    /// the line, where no peak of a sound reaches it.
    private func drawLevels(
        of run: [Timeline.GainPoint], above envelope: HeardEnvelope, on canvas: inout SVGCanvas, base: Double,
        scale: TimeScale
    ) {
        for plateau in GainRuns.plateaus(run) where plateau.value < 0.99 {
            let text = plateau.value < 0.001 ? "no music" : NumberText.decibels(plateau.value)
            let line = base - plateau.value * plotHeight
            let room = envelope.room(
                in: scale.x(plateau.from)...scale.x(plateau.to), above: plateau.value + 3 / plotHeight)
            guard let room, room.upperBound - room.lowerBound > TextMetrics.width(text, bold: true) + 4 else {
                continue
            }
            canvas.text(
                text, x: (room.lowerBound + room.upperBound) / 2, y: line - 6, bold: true, anchor: .middle, halo: true)
        }
    }
}
