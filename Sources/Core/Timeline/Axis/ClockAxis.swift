import Time

/// The ticks of an axis that shows the time of day, with dates above them.
struct ClockAxis: Equatable {
    private static let day = 86_400.0
    private static let gap = 8.0

    /// The seconds between two ticks.
    let step: Double
    let ticks: [Axis.Tick]
    /// The dates at the left edge and wherever the date changes. If two would overlap, only the later one is kept.
    let dates: [Axis.Tick]
    /// The x coordinates of the midnights, in pixels. The list is empty if every tick is a midnight.
    let midnights: [Double]

    init(_ scale: TimeScale, _ clock: Timeline.WallClock, maximumTicks: Int = 8) {
        let step = Self.step(atLeast: scale.duration / Double(maximumTicks))
        self.step = step
        ticks = Self.multiples(of: step, scale, clock).map { time, local in
            Axis.Tick(x: scale.x(time), label: Self.label(local, step: step))
        }
        let days = Self.multiples(of: Self.day, scale, clock)
        midnights = step < Self.day ? days.map { scale.x($0.time) } : []
        dates = Self.dates(days, step: step, scale, clock)
    }

    /// Returns the instants at which local time is a multiple of a step, with that local time.
    private static func multiples(
        of step: Double, _ scale: TimeScale, _ clock: Timeline.WallClock
    ) -> [(time: Double, local: Double)] {
        let offsets = clock.offsets.isEmpty ? [.init(from: scale.start, ahead: 0)] : clock.offsets
        var found: [(time: Double, local: Double)] = []
        for (index, offset) in offsets.enumerated() {
            let from = index == 0 ? scale.start : max(offset.from, scale.start)
            let to = index + 1 < offsets.count ? min(offsets[index + 1].from, scale.end) : scale.end
            guard from <= to else { continue }
            let shift = clock.origin + Double(offset.ahead)
            // Multiples are counted in whole steps, because repeated addition of the step would drift away from the
            // round numbers.
            let first = ((from + shift) / step).rounded(.up)
            let last = ((to + shift) / step).rounded(.down)
            guard first <= last, last - first < 100_000 else { continue }
            for number in Int(first)...Int(last) {
                let local = Double(number) * step
                // A multiple that coincides with a change in the offset belongs to the new offset.
                if let before = found.last, local - shift - before.time < step / 1000 { found.removeLast() }
                found.append((local - shift, local))
            }
        }
        return found
    }

    private static func step(atLeast minimum: Double) -> Double {
        guard minimum > day else { return Axis.step(atLeast: minimum) }
        let days: [Double] = [2, 5, 10, 20, 50, 100, 200, 500]
        return day * (days.first { $0 * day >= minimum } ?? (minimum / day / 1000).rounded(.up) * 1000)
    }

    private static func label(_ local: Double, step: Double) -> String {
        let number = (local / day).rounded(.down)
        guard step < day else { return CivilDate(number: Int(number)).short }
        let places: Int? = step >= 60 ? nil : step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : step >= 0.001 ? 3 : 4
        return Timeline.WallClock.clock(local - number * day, places: places)
    }

    private static func dates(
        _ days: [(time: Double, local: Double)], step: Double, _ scale: TimeScale, _ clock: Timeline.WallClock
    ) -> [Axis.Tick] {
        func date(_ local: Double) -> String {
            let date = CivilDate(number: Int((local / day).rounded(.down)))
            // If each tick shows a date, only the year is missing.
            return step < day ? date.long : "\(date.year)"
        }
        var dates = [Axis.Tick(x: scale.left, label: date(clock.local(scale.start)))]
        for (time, local) in days {
            let (x, label) = (scale.x(time), date(local))
            guard label != dates.last?.label else { continue }
            if let last = dates.last, last.x + TextMetrics.width(last.label, bold: true) + gap > x {
                dates.removeLast()
            }
            dates.append(Axis.Tick(x: x, label: label))
        }
        return dates
    }
}
