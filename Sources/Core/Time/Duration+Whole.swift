// Exact: dividing by `.nanoseconds(1)` uses floating point, and is sometimes one short.
extension Duration {
    /// Whole nanoseconds. Durations beyond ±292 years are clamped.
    public var wholeNanoseconds: Int {
        Int(clamping: Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000))
    }

    /// Whole microseconds. Durations beyond ±292,000 years are clamped.
    public var wholeMicroseconds: Int64 {
        Int64(clamping: Int128(components.seconds) * 1_000_000 + Int128(components.attoseconds / 1_000_000_000_000))
    }
}
