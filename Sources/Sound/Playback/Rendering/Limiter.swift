/// Keeps the sum of music and sound within full scale, without delay and without a click.
///
/// If the sum would exceed full scale, the gain of both falls at once to exactly the value that the frame requires. The
/// output is continuous, as with clipping, but only the rise to the first peak is flattened. The gain then remains
/// unchanged as long as peaks come close to full scale, so that a steady sum is not distorted at all. After that, it
/// slowly returns to 1 in a straight line. The limiter is a pure state machine for the render thread.
struct Limiter: Sendable {
    /// The gain of the last frame, above 0 and at most 1.
    private(set) var gain: Float = 1
    /// The number of frames until the gain may rise.
    private var hold = 0
    private let holdFrames: Int
    private let rise: Float

    /// The hold time, which is half a period of the lowest frequencies that matter (25 Hz).
    private static let holdTime = Duration.milliseconds(20)
    /// The time in which the gain would rise from 0 to 1.
    private static let riseTime = Duration.milliseconds(500)
    /// The level above which peaks keep the gain unchanged.
    private static var nearFullScale: Float { @_noLocks @_noAllocation get { 0.95 } }

    init(rate: Int) {
        holdFrames = Self.holdTime.frames(atRate: rate)
        rise = 1 / Float(max(1, Self.riseTime.frames(atRate: rate)))
    }

    /// True if the gain is below 1.
    var isActive: Bool {
        @_noLocks @_noAllocation get { gain < 1 }
    }

    /// Limits frames in place.
    /// - Parameter lowers: true if the gain may fall. If false, it only returns to 1.
    @_noLocks @_noAllocation
    mutating func apply(to output: UnsafeMutablePointer<Float>, frames: Int, channels: Int, lowers: Bool) {
        for frame in 0..<frames {
            let start = frame * channels
            var peak: Float = 0
            for index in start..<start + channels { peak = max(peak, abs(output[index])) }
            if gain < 1, hold == 0 { gain = min(1, gain + rise) }
            if hold > 0 { hold -= 1 }
            if lowers {
                if peak * gain > 1 { gain = 1 / peak }
                if gain < 1, peak * gain > Limiter.nearFullScale { hold = holdFrames }
            }
            guard gain < 1 else { continue }
            for index in start..<start + channels { output[index] = min(1, max(-1, output[index] * gain)) }
        }
    }
}
