/// The position of the music, as a line that rises while the music plays and is level while it is held. Each track has
/// its own colour.
struct PlaybackRow: Lane {
    let playback: [Timeline.PlaybackSpan]

    private let namesHeight = 20.0
    private let margin = 19.0
    private let plotHeight = 44.0

    var height: Double { playback.isEmpty ? 42 : namesHeight + plotHeight + 2 * margin }

    func draw(on canvas: inout SVGCanvas, top: Double, scale: TimeScale) {
        label("music", note: "position in the track", on: &canvas, baseline: top + height / 2 - 3)
        if playback.isEmpty { canvas.nothing(scale: scale, baseline: top + height / 2 + 4) }
        let course = PlaybackCourse(
            playback, scale: scale, y: (top + namesHeight + margin)...(top + namesHeight + margin + plotHeight))
        for stretch in course.tracks where !course.isCrowded {
            draw(stretch, on: &canvas, top: top)
        }
        for jump in course.jumps {
            canvas.path([jump.from, jump.to], .init(stroke: Palette.grey, dash: "2 2"))
        }
        for segment in course.segments {
            let held = segment.span.motion == .held
            let words = held ? "held at" : "playing from"
            let position = TimeText.position(segment.span.fromPosition)
            canvas.path(
                [segment.from, segment.to],
                .init(stroke: Palette.track(segment.colour), width: held ? 1.8 : 3, dash: held ? "5 3" : nil),
                tooltip: "\(segment.span.track), \(words) \(position)")
        }
        for label in course.labels {
            canvas.circle(
                at: label.point, radius: 3,
                .init(fill: label.stopped ? Palette.paper : Palette.ink, stroke: Palette.ink, width: 1.3))
            canvas.text(label.text, x: label.box.lowerBound, y: label.baseline, halo: true)
        }
    }

    private func draw(_ stretch: PlaybackCourse.TrackStretch, on canvas: inout SVGCanvas, top: Double) {
        let colour = Palette.track(stretch.colour)
        canvas.line(
            x1: stretch.x.lowerBound, y1: top + 4, x2: stretch.x.lowerBound, y2: top + 20,
            .init(stroke: colour, width: 3))
        let room = stretch.x.upperBound - stretch.x.lowerBound - 12
        if let name = TextMetrics.fitted(stretch.name, into: room) {
            canvas.text(
                name, x: stretch.x.lowerBound + 6, y: top + 16, halo: true,
                tooltip: name == stretch.name ? nil : stretch.name)
        }
    }
}
