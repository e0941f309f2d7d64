/// The ticks of a time axis.
struct Axis: Equatable {
    struct Tick: Equatable {
        let x: Double
        let label: String
    }

    /// The seconds between two ticks.
    let step: Double
    let ticks: [Tick]

    /// Creates at most `maximumTicks` intervals. They are 1, 2 or 5 × 10ⁿ s long, but intervals of a minute or more use
    /// the round numbers of a clock face.
    init(_ scale: TimeScale, maximumTicks: Int = 10) {
        let step = Self.step(atLeast: scale.duration / Double(maximumTicks))
        let long = max(scale.start.magnitude, scale.end.magnitude) > 120
        // Ticks are counted in whole steps, because repeated addition of the step would drift away from the round
        // numbers.
        let first = Int((scale.start / step).rounded(.up))
        let last = Int((scale.end / step).rounded(.down))
        self.step = step
        ticks = (first..<max(first, last + 1)).map { index in
            let time = Double(index) * step
            return Tick(x: scale.x(time), label: TimeText.tick(time, step: step, long: long))
        }
    }

    /// Returns the smallest round step of at least this many seconds.
    static func step(atLeast minimum: Double) -> Double {
        if minimum > 20 {
            let round: [Double] = [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]
            if let step = round.first(where: { $0 >= minimum }) { return step }
        }
        var decade = 0.0001
        while decade * 10 <= minimum { decade *= 10 }
        let factor = [1.0, 2, 5].first { decade * $0 >= minimum * (1 - 1e-9) } ?? 10
        // Steps below a second are computed by division, because 0.1 × 3 is not 0.3, but 3 / 10 is.
        return decade < 1 ? factor / (1 / decade).rounded() : (factor * decade).rounded()
    }
}

/// Formats numbers, identically on every machine.
enum NumberText {
    /// Returns `value` with at most `places` decimals (0…6) and no trailing zeros, or `0` if it is not finite.
    static func decimal(_ value: Double, places: Int = 2) -> String {
        guard value.isFinite else { return "0" }
        var unit = 1
        for _ in 0..<min(max(places, 0), 6) { unit *= 10 }
        let scaled = Int((min(max(value, -1e12), 1e12) * Double(unit)).rounded())
        let magnitude = scaled.magnitude
        var text = String(magnitude / UInt(unit))
        var fraction = String(magnitude % UInt(unit) + UInt(unit)).dropFirst()
        while fraction.hasSuffix("0") { fraction.removeLast() }
        if !fraction.isEmpty { text += "." + fraction }
        return scaled < 0 ? "-" + text : text
    }

    /// Returns a linear gain in decibels with a real minus sign, such as `−14 dB`. The text has one decimal below 10
    /// dB, and is `off` at or below −100 dB.
    static func decibels(_ gain: Double) -> String {
        guard gain > 1e-5 else { return "off" }
        let level = 20 * log10(gain)
        let text = decimal(level.magnitude, places: level.magnitude < 10 ? 1 : 0)
        return (level < 0 && text != "0" ? "−" : "") + text + " dB"
    }

    /// Returns the decimal logarithm of a positive number to nine digits, because the standard library does not provide
    /// it.
    private static func log10(_ value: Double) -> Double {
        // ln m = 2 artanh((m − 1) / (m + 1)), which converges quickly for a significand in 1..<2.
        let ratio = (value.significand - 1) / (value.significand + 1)
        var power = ratio
        var sum = 0.0
        for odd in stride(from: 1.0, through: 17, by: 2) {
            sum += power / odd
            power *= ratio * ratio
        }
        return (2 * sum + Double(value.exponent) * 0.693_147_180_559_945) / 2.302_585_092_994_046
    }
}
