/// Maps instants to pixels.
struct TimeScale: Equatable {
    /// The start, in seconds. `start` and `end` are finite, and `end` is at least a millisecond after `start`.
    let start: Double
    let end: Double
    /// The edges of the plot, in pixels.
    let left: Double
    let right: Double
    /// The clock, or nil if instants are shown as seconds on the timeline.
    let clock: Timeline.WallClock?

    /// Creates a scale between any two numbers. They are swapped if `end` is before `start`, moved one second apart if
    /// they are less than a millisecond apart, and clamped to a range in which a `Double` still distinguishes
    /// milliseconds.
    init(start: Double, end: Double, left: Double, right: Double, clock: Timeline.WallClock? = nil) {
        let limit = 1e11
        let low = start.isNaN ? 0 : min(max(start, -limit), limit)
        let high = end.isNaN ? low : min(max(end, -limit), limit)
        self.start = min(low, high)
        self.end = (low - high).magnitude < 0.001 ? min(low, high) + 1 : max(low, high)
        self.left = left
        self.right = right
        // An origin outside that range has no meaningful date.
        self.clock = clock.flatMap { $0.origin.magnitude <= limit ? $0 : nil }
    }

    var duration: Double { end - start }

    /// Returns the x coordinate of an instant in pixels, clamped to `left`…`right`. The instant must not be NaN.
    func x(_ time: Double) -> Double {
        left + (right - left) * min(max((time - start) / duration, 0), 1)
    }

    /// Returns an instant as text, such as `4.25 s`. With a clock, it is a time of day such as `14:03:10.3`, with the
    /// date if the picture spans several days.
    func instant(_ time: Double) -> String {
        guard let clock, time.isFinite, time.magnitude <= 1e11 else { return TimeText.precise(time) }
        func day(_ time: Double) -> Double { (clock.local(time) / 86_400).rounded(.down) }
        return clock.text(time, places: 1, withDate: day(start) != day(end))
    }

    /// Returns a time span as text, such as `4.25 s – 12 s`.
    func span(_ from: Double, _ to: Double) -> String { "\(instant(from)) – \(instant(to))" }

    func contains(_ time: Double) -> Bool {
        time >= start && time <= end
    }

    /// Returns the horizontal extent of a time span in pixels, or nil if the span is outside the picture or invalid.
    /// The extent is at least `minimum` wide, so that a short pulse stays visible.
    func extent(_ from: Double, _ to: Double, minimum: Double = 1.5) -> ClosedRange<Double>? {
        guard from <= to, from <= end, to >= start else { return nil }
        if from < to, from == end || to == start { return nil }
        let (lower, upper) = (x(from), x(to))
        if upper - lower >= minimum { return lower...upper }
        let pinned = min(lower, right - minimum)
        return pinned...(pinned + minimum)
    }

    /// Returns the spans that the picture shows, with their pixels, in order of their beginning.
    func extents<Value>(
        of spans: [Timeline.Span<Value>]
    ) -> [(span: Timeline.Span<Value>, extent: ClosedRange<Double>)] {
        spans.compactMap { span in
            extent(span.from, span.to).map { (span: span, extent: $0) }
        }.stablySorted { $0.extent.lowerBound < $1.extent.lowerBound }
    }
}
