import CRealTime

/// A gain that moves to its target without an audible step, exact to the frame.
///
/// The way is a raised cosine of loudness, after Stevens' law L = gain^0.6: with x from 0 to 1,
/// L(x) = L₁ + (L₂ − L₁)(1 − cos πx) / 2, and the gain is L^(1/0.6). It starts and arrives with a slope of zero. The
/// frame after `retarget` is the first of the way and the last one has the target's gain exactly.
///
/// A cosine and a cube root are computed for every frame of a ramp, so that it is monotone and smooth to the last bit
/// of `Float` and needs no table, which Swift would initialise behind a lock; a programme is rarely in a ramp. Nothing
/// here allocates, locks or waits.
public struct GainRamp: Sendable {
    /// Linear gain of the frame last rendered.
    public private(set) var gain: Float
    /// Linear gain at rest.
    public private(set) var target: Float
    private var startLoudness = 0.0
    private var loudnessChange = 0.0
    private var length = 0
    private var position = 0

    /// A gain at rest.
    @_noLocks @_noAllocation
    public init(gain: Float = 0) {
        self.gain = Self.proper(gain)
        target = self.gain
    }

    /// Frames until the target is reached.
    public var remaining: Int {
        @_noLocks @_noAllocation get { length - position }
    }

    public var isAtRest: Bool {
        @_noLocks @_noAllocation get { position == length }
    }

    /// Sets off from the present gain to `target` (0 or more; 1 is the programme's own level), to be reached with the
    /// `frames`th frame; at once for 0 frames.
    @_noLocks @_noAllocation
    public mutating func retarget(to target: Float, over frames: Int) {
        self.target = Self.proper(target)
        position = 0
        length = self.target == gain ? 0 : max(0, frames)
        guard length > 0 else {
            gain = self.target
            return
        }
        startLoudness = realtime_pow(Double(gain), 0.6)
        loudnessChange = realtime_pow(Double(self.target), 0.6) - startLoudness
    }

    /// Gain of the next frame.
    @_noLocks @_noAllocation
    public mutating func next() -> Float {
        guard position < length else { return gain }
        position += 1
        gain = position == length ? target : interpolated
        return gain
    }

    /// Goes on by `frames` frames that are not heard.
    @_noLocks @_noAllocation
    public mutating func skip(_ frames: Int) {
        guard position < length, frames > 0 else { return }
        position = min(length, position + frames)
        gain = position == length ? target : interpolated
    }

    /// The same ramp in frames of another rate, as far on its way as this one.
    public func converted(from rate: Int, to newRate: Int) -> GainRamp {
        guard !isAtRest else { return self }
        var ramp = self
        let factor = Double(newRate) / Double(rate)
        // At least one frame remains, as the target has not been reached.
        let remaining = max(1, Int((Double(self.remaining) * factor).rounded()))
        ramp.position = Int((Double(position) * factor).rounded())
        ramp.length = ramp.position + remaining
        return ramp
    }

    private var interpolated: Float {
        @_noLocks @_noAllocation get {
            let way = (1 - realtime_cos(Double.pi * Double(position) / Double(length))) / 2
            // Rounding may take a loudness that nears zero below it.
            let loudness = max(0, startLoudness + loudnessChange * way)
            let root = realtime_cbrt(loudness)
            // L^(1/0.6) = L^(5/3), by a cube root, which is several times as fast as a power.
            return Float(loudness * root * root)
        }
    }

    /// No gain is negative or not a number.
    @_noLocks @_noAllocation
    private static func proper(_ gain: Float) -> Float {
        gain > 0 ? gain : 0
    }
}
