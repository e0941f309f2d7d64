extension Duration {
    /// Time that `frames` frames last at `rate` Hz, rounded to the nanosecond.
    public init(frames: Int, rate: Int) {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        self = .seconds(seconds) + .nanoseconds((rest * 1_000_000_000 + rate / 2) / rate)
    }

    /// Frames nearest to this time at `rate` Hz; 0 for a negative time, and a time beyond 30 years counts as 30.
    public func frames(atRate rate: Int) -> Int {
        guard self > .zero else { return 0 }
        let clamped = min(self, .seconds(1_000_000_000))
        let (seconds, attoseconds) = clamped.components
        // From whole nanoseconds, so that nothing overflows: 10⁹ × any audio rate fits into 64 bits.
        let nanoseconds = Int((attoseconds + 500_000_000) / 1_000_000_000)
        return Int(seconds) * rate + (nanoseconds * rate + 500_000_000) / 1_000_000_000
    }
}
