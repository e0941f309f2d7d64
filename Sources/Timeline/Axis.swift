/// The ticks of a time axis.
struct Axis: Equatable {
    struct Tick: Equatable {
        let x: Double
        let label: String
    }

    /// Seconds between two ticks.
    let step: Double
    let ticks: [Tick]

    /// At most `maximumTicks` intervals, at 1, 2 or 5 × 10ⁿ s, or at the round numbers of a clock face from a
    /// minute up.
    init(_ scale: TimeScale, maximumTicks: Int = 10) {
        let step = Self.step(atLeast: scale.duration / Double(maximumTicks))
        let long = max(scale.start.magnitude, scale.end.magnitude) > 120
        // Counted in whole steps: adding the step again and again would drift off the round numbers.
        let first = Int((scale.start / step).rounded(.up))
        let last = Int((scale.end / step).rounded(.down))
        self.step = step
        ticks = (first..<max(first, last + 1)).map { index in
            let time = Double(index) * step
            return Tick(x: scale.x(time), label: TimeText.tick(time, step: step, long: long))
        }
    }

    static func step(atLeast minimum: Double) -> Double {
        if minimum > 20 {
            let round: [Double] = [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]
            if let step = round.first(where: { $0 >= minimum }) { return step }
        }
        var decade = 0.0001
        while decade * 10 <= minimum { decade *= 10 }
        let factor = [1.0, 2, 5].first { decade * $0 >= minimum * (1 - 1e-9) } ?? 10
        // Below a second, divided rather than multiplied: 0.1 × 3 is not 0.3, but 3 / 10 is.
        return decade < 1 ? factor / (1 / decade).rounded() : (factor * decade).rounded()
    }
}
