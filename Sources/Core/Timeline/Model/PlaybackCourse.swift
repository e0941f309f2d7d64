/// The geometry of the music, which consists of its line, its tracks and the positions to label.
struct PlaybackCourse {
    struct Segment {
        let span: Timeline.PlaybackSpan
        let from: Point
        let to: Point
        /// The number of the track, in order of appearance.
        let colour: Int

        /// The width of the segment in pixels if the music was held, or 0 if it played.
        var held: Double { span.motion == .held ? to.x - from.x : 0 }
    }

    /// The stretch from the beginning of a track to the beginning of the next.
    struct TrackStretch: Equatable {
        let name: String
        let colour: Int
        var x: ClosedRange<Double>
    }

    struct Jump: Equatable {
        let from: Point
        let to: Point
    }

    struct Label: Equatable {
        let text: String
        let point: Point
        /// True if the music stopped at this point, or false if it resumed.
        let stopped: Bool
        let baseline: Double
        /// The horizontal extent of the text, in pixels.
        let box: ClosedRange<Double>
    }

    private(set) var segments: [Segment] = []
    private(set) var tracks: [TrackStretch] = []
    private(set) var jumps: [Jump] = []
    private(set) var labels: [Label] = []

    /// True if there are so many tracks that nobody could tell to which of them a name or a position belongs.
    var isCrowded: Bool { tracks.count > 40 }

    init(_ playback: [Timeline.PlaybackSpan], scale: TimeScale, y: ClosedRange<Double>) {
        let shown = playback.compactMap { $0.clipped(to: scale) }.sorted { $0.from < $1.from }
        // Every track starts at the bottom, so that a high position does not flatten the next track. A second has the
        // same height in all tracks, so that a steeper line means faster playback.
        var floors: [String: ClosedRange<Double>] = [:]
        for span in shown {
            let before = floors[span.track] ?? span.fromPosition...span.fromPosition
            floors[span.track] = before.including(span.fromPosition).including(span.toPosition)
        }
        // The minimum avoids a division by zero if the music did not move.
        let range = floors.values.reduce(0.001) { max($0, $1.upperBound - $1.lowerBound) }

        func point(_ time: Double, _ position: Double, _ track: String) -> Point {
            let share = (position - (floors[track]?.lowerBound ?? 0)) / range
            return Point(x: scale.x(time), y: y.upperBound - share * (y.upperBound - y.lowerBound))
        }

        var colours: [String: Int] = [:]
        for span in shown {
            let colour = colours[span.track] ?? colours.count
            colours[span.track] = colour
            segments.append(
                Segment(
                    span: span, from: point(span.from, span.fromPosition, span.track),
                    to: point(span.to, span.toPosition, span.track), colour: colour))
        }
        for segment in segments {
            if let last = tracks.last {
                if last.name == segment.span.track { continue }
                tracks[tracks.count - 1].x = last.x.lowerBound...max(last.x.lowerBound, segment.from.x)
            }
            tracks.append(
                TrackStretch(name: segment.span.track, colour: segment.colour, x: segment.from.x...scale.right))
        }
        for (before, after) in zip(segments, segments.dropFirst()) {
            join(before, after)
        }
        if !isCrowded { writePositions(within: scale.left...scale.right) }
    }

    private mutating func join(_ before: Segment, _ after: Segment) {
        let sameTrack = before.span.track == after.span.track
        let moved = (after.span.fromPosition - before.span.toPosition).magnitude > 0.05
        if sameTrack, moved { jumps.append(Jump(from: before.to, to: after.from)) }
    }

    /// Labels the points at which the music stopped and resumed, from left to right as far as there is room.
    private mutating func writePositions(within bounds: ClosedRange<Double>) {
        for (before, after) in zip(segments, segments.dropFirst()) {
            let broken = isBreak(before, after)
            // A hold too short to be visible does not need two labels.
            if !broken, max(before.held, after.held) < 12 { continue }
            if before.span.motion == .playing, after.span.motion == .held || broken {
                write(before.span.toPosition, at: before.to, stopped: true, within: bounds)
            }
            if after.span.motion == .playing, before.span.motion == .held || broken {
                write(after.span.fromPosition, at: after.from, stopped: false, within: bounds)
            }
        }
    }

    /// Returns true if the music did not continue where it left off. A track that directly follows another is not a
    /// break, because its name shows what happened.
    private func isBreak(_ before: Segment, _ after: Segment) -> Bool {
        let gap = after.span.from - before.span.to > 0.05
        let moved = (after.span.fromPosition - before.span.toPosition).magnitude > 0.05
        return gap || (moved && before.span.track == after.span.track)
    }

    private mutating func write(
        _ position: Double, at point: Point, stopped: Bool, within bounds: ClosedRange<Double>
    ) {
        let text = TimeText.position(position)
        let width = TextMetrics.width(text)
        let left = max(bounds.lowerBound, min(point.x + (stopped ? -4 : 5), bounds.upperBound - width))
        // The line rises from the lower left to the upper right, so there is room above it on the left and below it on
        // the right.
        let baseline = point.y + (stopped ? -7 : 15)
        let label = Label(
            text: text, point: point, stopped: stopped, baseline: baseline, box: left...(left + width))
        let free = labels.allSatisfy { other in
            !other.box.overlaps(margin: 8, label.box) || (other.baseline - baseline).magnitude >= 13
        }
        if free { labels.append(label) }
    }
}

extension ClosedRange<Double> {
    fileprivate func including(_ value: Double) -> ClosedRange<Double> {
        Swift.min(lowerBound, value)...Swift.max(upperBound, value)
    }
}

extension Timeline.PlaybackSpan {
    /// Returns the part that `scale` shows, or nil if there is none or the span is invalid.
    fileprivate func clipped(to scale: TimeScale) -> Timeline.PlaybackSpan? {
        let numbers = [from, to, fromPosition, toPosition]
        guard numbers.allSatisfy(\.isFinite), from <= to, scale.extent(from, to) != nil else { return nil }
        guard to > from else { return self }
        let speed = (toPosition - fromPosition) / (to - from)
        var clipped = self
        clipped.from = max(from, scale.start)
        clipped.to = min(to, scale.end)
        clipped.fromPosition = fromPosition + (clipped.from - from) * speed
        clipped.toPosition = fromPosition + (clipped.to - from) * speed
        return clipped
    }
}
