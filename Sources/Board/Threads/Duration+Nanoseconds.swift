extension Duration {
    /// Whole nanoseconds, to the last one: dividing by `.nanoseconds(1)` goes through floating point, and is one short
    /// now and then. A time beyond 292 years, either way, counts as 292.
    package var wholeNanoseconds: Int {
        let longest = Duration.nanoseconds(Int64.max)
        guard self < longest else { return .max }
        guard self > .zero - longest else { return .min }
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds) / 1_000_000_000
    }
}
