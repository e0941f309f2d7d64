/// Where on the paper an instant is.
struct TimeScale: Equatable {
    /// Seconds; finite, and `end` at least a millisecond after `start`.
    let start: Double
    let end: Double
    /// Pixels.
    let left: Double
    let right: Double
    /// nil: instants are shown as seconds on the timeline.
    let clock: Timeline.WallClock?

    /// A scale of any two numbers: swapped if they are the wrong way round, one second long if they are one
    /// and the same, and brought into a range in which a double still tells milliseconds apart.
    init(start: Double, end: Double, left: Double, right: Double, clock: Timeline.WallClock? = nil) {
        let limit = 1e11
        let low = start.isNaN ? 0 : min(max(start, -limit), limit)
        let high = end.isNaN ? low : min(max(end, -limit), limit)
        self.start = min(low, high)
        self.end = (low - high).magnitude < 0.001 ? min(low, high) + 1 : max(low, high)
        self.left = left
        self.right = right
        // A date that no calendar has would be none.
        self.clock = clock.flatMap { $0.origin.magnitude <= limit ? $0 : nil }
    }

    var duration: Double { end - start }

    /// The pixel of an instant, held between `left` and `right`; not for NaN.
    func x(_ time: Double) -> Double {
        left + (right - left) * min(max((time - start) / duration, 0), 1)
    }

    /// An instant as people read it: `4.25 s`, or `14:03:10.3` by the clock; with the date if the picture has several.
    func instant(_ time: Double) -> String {
        guard let clock, time.isFinite, time.magnitude <= 1e11 else { return TimeText.precise(time) }
        func day(_ time: Double) -> Double { (clock.local(time) / 86_400).rounded(.down) }
        return clock.text(time, places: 1, withDate: day(start) != day(end))
    }

    /// `4.25 s – 12 s`
    func span(_ from: Double, _ to: Double) -> String { "\(instant(from)) – \(instant(to))" }

    func contains(_ time: Double) -> Bool {
        time >= start && time <= end
    }

    /// The pixels of a stretch of time, at least `minimum` wide so that a short pulse stays visible; `nil` if
    /// none of it is in the picture or it makes no sense.
    func extent(_ from: Double, _ to: Double, minimum: Double = 1.5) -> ClosedRange<Double>? {
        guard from <= to, from <= end, to >= start else { return nil }
        if from < to, from == end || to == start { return nil }
        let (lower, upper) = (x(from), x(to))
        if upper - lower >= minimum { return lower...upper }
        let pinned = min(lower, right - minimum)
        return pinned...(pinned + minimum)
    }
}
