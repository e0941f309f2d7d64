// Conversions to whole numbers, which are exact. A division by `.nanoseconds(1)` uses floating point, and its result is
// sometimes one too small.
extension Duration {
    /// The whole nanoseconds. Durations beyond ±292 years are clamped.
    public var wholeNanoseconds: Int {
        Int(clamping: Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000))
    }

    /// The whole microseconds. Durations beyond ±292,000 years are clamped.
    public var wholeMicroseconds: Int64 {
        Int64(clamping: Int128(components.seconds) * 1_000_000 + Int128(components.attoseconds / 1_000_000_000_000))
    }
}
