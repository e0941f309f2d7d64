import Synchronization

/// The peak level of what arrives at a live input, for a person or a program that reads it about once a second. The
/// thread that delivers the audio writes it, and any thread may read it.
final class LiveMeter: Sendable {
    /// The time in milliseconds in the upper half, and the bits of the peak in the lower half.
    private let state = Atomic<UInt64>(0)

    /// The time in milliseconds for which a peak hides lower ones.
    private static let hold: UInt32 = 300
    /// The time in milliseconds after which a peak is forgotten.
    private static let memory: UInt32 = 1000

    /// - Parameters:
    ///   - peak: the greatest magnitude of some samples, where 1 is full scale.
    ///   - now: the time in nanoseconds of CLOCK_MONOTONIC.
    func note(_ peak: Float, at now: Int) {
        let (time, before) = read()
        let milliseconds = UInt32(truncatingIfNeeded: now / 1_000_000)
        if milliseconds &- time < Self.hold, peak < before { return }
        state.store(UInt64(milliseconds) << 32 | UInt64(peak.bitPattern), ordering: .relaxed)
    }

    /// Returns the present peak, which is 0 if nothing has arrived for a second.
    func peak(at now: Int) -> Float {
        let (time, peak) = read()
        return UInt32(truncatingIfNeeded: now / 1_000_000) &- time < Self.memory ? peak : 0
    }

    private func read() -> (time: UInt32, peak: Float) {
        let value = state.load(ordering: .relaxed)
        return (UInt32(value >> 32), Float(bitPattern: UInt32(truncatingIfNeeded: value)))
    }
}
