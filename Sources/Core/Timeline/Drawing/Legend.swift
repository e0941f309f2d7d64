/// The legend, which explains only what occurs in the picture.
struct Legend {
    private enum Swatch {
        case bar(SVGCanvas.Paint)
        case line(SVGCanvas.Paint)
        case step
    }

    private struct Entry {
        let swatch: Swatch
        let text: String
    }

    private struct Placement {
        let entry: Entry
        let x: Double
        let row: Int
    }

    private static let rowHeight = 20.0
    private static let swatchWidth = 24.0
    private let placements: [Placement]

    var height: Double { placements.last.map { Double($0.row + 1) * Self.rowHeight + 12 } ?? 0 }

    init(_ timeline: Timeline, hairlines: Bool, within bounds: ClosedRange<Double>) {
        var placements: [Placement] = []
        var x = bounds.lowerBound
        var row = 0
        for entry in Self.entries(of: timeline, hairlines: hairlines) {
            let width = Self.swatchWidth + 6 + TextMetrics.width(entry.text)
            if x + width > bounds.upperBound, x > bounds.lowerBound {
                x = bounds.lowerBound
                row += 1
            }
            placements.append(Placement(entry: entry, x: x, row: row))
            x += width + 20
        }
        self.placements = placements
    }

    func draw(on canvas: inout SVGCanvas, top: Double) {
        for placement in placements {
            let middle = top + 12 + (Double(placement.row) + 0.5) * Self.rowHeight
            let x = placement.x...(placement.x + Self.swatchWidth)
            switch placement.entry.swatch {
            case .bar(let paint): canvas.rectangle(x: x, y: (middle - 6)...(middle + 6), paint)
            case .line(let paint): canvas.line(x1: x.lowerBound, y1: middle, x2: x.upperBound, y2: middle, paint)
            case .step:
                let corners = [(0.0, 4.0), (7, 4), (7, -4), (17, -4), (17, 4), (24, 4)]
                canvas.path(
                    corners.map { Point(x: placement.x + $0.0, y: middle + $0.1) },
                    .init(stroke: Palette.ink, width: 1.2))
            }
            canvas.text(
                placement.entry.text, x: x.upperBound + 6, y: middle + 4.3, fill: Palette.quietInk)
        }
    }

    private static func entries(of timeline: Timeline, hairlines: Bool) -> [Entry] {
        let assertions = timeline.signals.flatMap(\.asserted).map(\.value)
        let dropped = assertions.contains { if case .dropped = $0 { true } else { false } }
        let states = timeline.session.map(\.value)
        let ducked = states.contains { if case .ducked = $0 { true } else { false } }
        let interrupted = states.contains { if case .interrupted = $0 { true } else { false } }
        let holds = timeline.playback.contains { $0.motion == .held }
        let all: [(Bool, Swatch, String)] = [
            (assertions.contains(.active), .bar(.init(fill: Palette.blue)), "signal active, and for how long"),
            (
                assertions.contains(.suppressed), .bar(.init(fill: Pattern.suppressed, stroke: Palette.blue)),
                "suppressed system alert"
            ),
            (dropped, .bar(.init(fill: Palette.paper, stroke: Palette.grey, dash: "4 2")), "ignored signal"),
            (timeline.signals.contains { !$0.raw.isEmpty }, .step, "level of the wire"),
            (
                states.contains(.active), .bar(.init(fill: Palette.greenTint, stroke: Palette.green)),
                "the music may play"
            ),
            (ducked, .bar(.init(fill: Palette.orangeTint, stroke: Palette.orange)), "turned down"),
            (interrupted, .bar(.init(fill: Palette.vermillion)), "interrupted"),
            (
                timeline.recording?.contains { $0.value == .recorded } ?? false,
                .bar(.init(fill: Palette.vermillionTint, stroke: Palette.vermillion)), "recorded"
            ),
            (
                timeline.recording?.contains { $0.value == .muted } ?? false,
                .bar(.init(fill: Palette.paper, stroke: Palette.vermillion, dash: "3 2")), "muted: silence is recorded"
            ),
            (
                hairlines, .line(.init(stroke: Palette.vermillion, width: 1.4, dash: "3 2")),
                "interrupted or turned down from here"
            ),
            (!(timeline.inputs ?? []).isEmpty, .bar(Palette.input), "input that plays live"),
            (!(timeline.sounds ?? []).isEmpty, .bar(Palette.sound), "cue or announcement"),
            (!timeline.gain.isEmpty, .line(.init(stroke: Palette.blue, width: 2)), "level of the music"),
            (!(timeline.heard ?? []).isEmpty, .bar(.init(fill: Palette.heard)), "peaks of the sound"),
            (holds, .line(.init(stroke: Palette.blue, width: 1.8, dash: "5 3")), "the music does not play"),
        ]
        return all.filter(\.0).map { Entry(swatch: $0.1, text: $0.2) }
    }
}
