extension Duration {
    /// Whole nanoseconds, exactly: dividing by `.nanoseconds(1)` uses floating point, and is sometimes one short. Durations
    /// beyond ±292 years are clamped.
    package var wholeNanoseconds: Int {
        let longest = Duration.nanoseconds(Int64.max)
        guard self < longest else { return .max }
        guard self > .zero - longest else { return .min }
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds) / 1_000_000_000
    }
}
