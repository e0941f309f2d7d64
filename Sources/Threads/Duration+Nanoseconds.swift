extension Duration {
    /// Whole nanoseconds, to the last one: dividing by `.nanoseconds(1)` goes through floating point, and is one short
    /// now and then.
    package var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds) / 1_000_000_000
    }
}
