/// Splits the gain into runs of points that straight lines can join.
enum GainRuns {
    /// Returns the part of `points` (ascending in time) that `scale` shows, with one run between any two outages. A run
    /// holds its last gain until the outage, and the next run begins with the first point after it. No gain was set in
    /// between, so the picture must not show a ramp there.
    static func runs(
        _ points: [Timeline.GainPoint], on scale: TimeScale, without outages: [Timeline.Span<Timeline.Outage>]
    ) -> [[Timeline.GainPoint]] {
        let sane = points.filter { $0.time.isFinite && $0.gain.isFinite }.map {
            Timeline.GainPoint(time: $0.time, gain: min(max($0.gain, 0), 1))
        }
        var runs: [[Timeline.GainPoint]] = []
        var rest = sane[...]
        for outage in outages.filter({ $0.from <= $0.to }).sorted(by: { $0.from < $1.from }) {
            var run = Array(rest.prefix { $0.time <= outage.from })
            rest = rest.dropFirst(run.count).drop { $0.time < outage.to }
            if let last = run.last { run.append(.init(time: outage.from, gain: last.gain)) }
            runs.append(run)
        }
        var run = Array(rest)
        // The last gain still applies at the right edge.
        if let last = run.last, last.time < scale.end { run.append(.init(time: scale.end, gain: last.gain)) }
        runs.append(run)
        return runs.map { clipped($0, to: scale) }.filter { $0.count > 1 }
    }

    /// The difference below which two gains are considered equal. It corresponds to −80 dB, so that the end of a ramp to a
    /// low level does not belong to the span after it.
    private static let tolerance = 1e-4

    /// Returns the spans of a run in which the gain is constant, with that gain.
    static func plateaus(_ run: [Timeline.GainPoint]) -> [Timeline.Span<Double>] {
        var plateaus: [Timeline.Span<Double>] = []
        for (point, next) in zip(run, run.dropFirst()) where (point.gain - next.gain).magnitude < tolerance {
            if let last = plateaus.last, last.to == point.time, (last.value - point.gain).magnitude < tolerance {
                plateaus[plateaus.count - 1].to = next.time
            } else {
                plateaus.append(.init(from: point.time, to: next.time, value: point.gain))
            }
        }
        return plateaus
    }

    private static func clipped(_ run: [Timeline.GainPoint], to scale: TimeScale) -> [Timeline.GainPoint] {
        var result: [Timeline.GainPoint] = []
        for (point, next) in zip(run, run.dropFirst()) where next.time >= scale.start && point.time <= scale.end {
            result.append(within(scale, point, towards: next))
            result.append(within(scale, next, towards: point))
        }
        return thinned(result, on: scale)
    }

    private static func within(
        _ scale: TimeScale, _ point: Timeline.GainPoint, towards other: Timeline.GainPoint
    ) -> Timeline.GainPoint {
        let time = min(max(point.time, scale.start), scale.end)
        guard time != point.time, other.time != point.time else { return .init(time: time, gain: point.gain) }
        let share = (time - point.time) / (other.time - point.time)
        return .init(time: time, gain: point.gain + share * (other.gain - point.gain))
    }

    /// Omits points that lie between two others in the same pixel column and are neither minimum nor maximum.
    private static func thinned(
        _ run: [Timeline.GainPoint], on scale: TimeScale
    ) -> [Timeline.GainPoint] {
        var result: [Timeline.GainPoint] = []
        for point in run {
            if point == result.last { continue }
            let column = scale.x(point.time).rounded()
            let inColumn = result.suffix(3).filter { scale.x($0.time).rounded() == column }
            if inColumn.count == 3 {
                let gains = inColumn.map(\.gain)
                let middle = gains[1]
                let between = min(gains[0], gains[2])...max(gains[0], gains[2])
                if between.contains(middle) { result.remove(at: result.count - 2) }
            }
            result.append(point)
        }
        return result
    }
}

extension Timeline {
    /// The gain of the music at an instant. It is linear between two points.
    public struct GainPoint: Sendable, Equatable {
        /// The time in seconds.
        public var time: Double
        /// The linear amplitude, 0…1. The picture clamps it to that range.
        public var gain: Double

        public init(time: Double, gain: Double) {
            self.time = time
            self.gain = gain
        }
    }
}
