import CRealTime

/// A gain that moves to its target without an audible step and with an accuracy of one frame.
///
/// The curve is a raised cosine of loudness, according to Stevens' law L = gain^0.6. With x from 0 to 1, L(x) = L₁ +
/// (L₂ − L₁)(1 − cos πx) / 2, and the gain is L^(1/0.6). Its slope is zero at both ends. The frame after `retarget` is
/// the first frame of the ramp, and the last frame has exactly the target's gain.
///
/// Each frame of a ramp requires a cosine and a cube root. With them, the ramp is monotonic and smooth to the last bit
/// of a `Float`. A table would be faster, but Swift would initialise it behind a lock. The cost does not matter because
/// ramps are rare. Nothing in this type allocates, locks or waits.
public struct GainRamp: Sendable {
    /// The linear gain of the last frame.
    public private(set) var gain: Float
    /// The linear gain at the end of the ramp.
    public private(set) var target: Float
    private var startLoudness = 0.0
    private var loudnessChange = 0.0
    private var length = 0
    private var position = 0

    /// Creates a constant gain.
    @_noLocks @_noAllocation
    public init(gain: Float = 0) {
        self.gain = Self.clamped(gain)
        target = self.gain
    }

    /// The number of frames until the target is reached.
    public var remaining: Int {
        @_noLocks @_noAllocation get { length - position }
    }

    public var isAtRest: Bool {
        @_noLocks @_noAllocation get { position == length }
    }

    /// Starts a ramp from the current gain to `target`, which the last of `frames` frames reaches. The target is 0 or
    /// more, and 1 leaves the music unchanged. If `frames` is 0, the gain changes at once.
    @_noLocks @_noAllocation
    public mutating func retarget(to target: Float, over frames: Int) {
        self.target = Self.clamped(target)
        position = 0
        length = self.target == gain ? 0 : max(0, frames)
        guard length > 0 else {
            gain = self.target
            return
        }
        startLoudness = realtime_pow(Double(gain), 0.6)
        loudnessChange = realtime_pow(Double(self.target), 0.6) - startLoudness
    }

    /// Returns the gain of the next frame.
    @_noLocks @_noAllocation
    public mutating func next() -> Float {
        guard position < length else { return gain }
        position += 1
        gain = position == length ? target : interpolated
        return gain
    }

    /// Advances by `frames` frames that are not played.
    @_noLocks @_noAllocation
    public mutating func skip(_ frames: Int) {
        guard position < length, frames > 0 else { return }
        position = min(length, position + frames)
        gain = position == length ? target : interpolated
    }

    /// Returns the same ramp at another rate, with the same progress.
    public func converted(from rate: Int, to newRate: Int) -> GainRamp {
        guard !isAtRest else { return self }
        var ramp = self
        let factor = Double(newRate) / Double(rate)
        // Keep at least one frame because the target has not been reached.
        let remaining = max(1, Int((Double(self.remaining) * factor).rounded()))
        ramp.position = Int((Double(position) * factor).rounded())
        ramp.length = ramp.position + remaining
        return ramp
    }

    private var interpolated: Float {
        @_noLocks @_noAllocation get {
            let progress = (1 - realtime_cos(Double.pi * Double(position) / Double(length))) / 2
            // Rounding may make a loudness close to zero negative.
            let loudness = max(0, startLoudness + loudnessChange * progress)
            let root = realtime_cbrt(loudness)
            // L^(1/0.6) is L^(5/3). Calculating a cube root is several times as fast as calculating a power.
            return Float(loudness * root * root)
        }
    }

    /// Replaces negative gains and NaN with 0.
    @_noLocks @_noAllocation
    private static func clamped(_ gain: Float) -> Float {
        gain > 0 ? gain : 0
    }
}
