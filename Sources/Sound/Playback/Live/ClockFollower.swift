import Glibc

/// Follows the clock of a sender whose audio is played live, by adjusting the speed of playback. This is a pure state
/// machine.
///
/// The sender's clock and the device's clock differ by up to a few hundred parts per million. Without an adjustment, the
/// delay between the arrival of a frame and its playback would slowly grow or shrink. The follower observes the delay at
/// each arrival. Between two arrivals, the delay falls evenly, so the mean of all delays is the mean of these trapezoids.
/// By Little's law, this is also the mean delay of a frame, no matter in which chunks the frames arrive. A second-order
/// loop with a time constant of half a minute keeps this mean at the target. Jitter and bursts therefore change the
/// pitch by a few parts per million only.
///
/// The speed never differs by more than `limit` from that of the device, which is a hundredth of a semitone and cannot
/// be heard.
public struct ClockFollower: Sendable {
    /// The greatest difference of the speed from 1. A larger error of the delay is corrected with this difference.
    public static let limit = 450e-6
    /// The greatest difference that is attributed to the sender's clock.
    private static let longestDrift = 400e-6
    /// The loop's natural frequency, in radians per second. The loop is critically damped.
    private static let frequency = 0.03
    /// The time constant of the mean, in seconds.
    private static let smoothing = 3.0
    /// The greatest time between two arrivals that is evaluated, in seconds. After a longer pause, the mean is taken
    /// anew.
    private static let longestPause = 1.0

    /// The number of frames per second.
    public let rate: Int
    /// The delay to keep, in frames.
    public var target: Int
    /// The difference of the speed from 1. A positive speed shortens the delay.
    public private(set) var speed = 0.0
    /// The speed that compensates for the difference of the clocks, as far as it is known.
    public private(set) var drift = 0.0
    private var mean: Double?
    private var last: (delay: Int, time: Int)?

    /// - Parameters:
    ///   - rate: the device's rate in Hz.
    ///   - target: the delay to keep, in frames.
    public init(rate: Int, target: Int) {
        self.rate = rate
        self.target = target
    }

    /// The mean delay in frames, or nil until it is known.
    public var delay: Double? { mean }

    /// Forgets the delays observed so far, because the stream has started again. The difference of the clocks is
    /// kept.
    public mutating func restart() {
        mean = nil
        last = nil
        speed = drift
    }

    /// Evaluates an arrival of frames and adjusts the speed.
    /// - Parameters:
    ///   - before: the number of frames between the newest frame and the listener just before the arrival.
    ///   - after: the same number just after the arrival.
    ///   - now: the time of the arrival in nanoseconds.
    ///   - isPaced: true if the sender waits until its frames are read. The delay then says nothing about its clock.
    public mutating func observe(before: Int, after: Int, at now: Int, isPaced: Bool = false) {
        defer { last = (after, now) }
        guard !isPaced else {
            // The sender does not have a clock, so it is played at the device's speed.
            mean = nil
            drift = 0
            speed = 0
            return
        }
        guard let last, now > last.time else { return }
        let seconds = Double(now - last.time) / 1e9
        guard seconds < Self.longestPause else { return }
        let observed = Double(last.delay + before) / 2
        let weight = 1 - exp(-seconds / Self.smoothing)
        // The stream was started at the target, so a first observation does not change the speed at once.
        let assumed = mean ?? Double(target)
        let smoothed = assumed + (observed - assumed) * weight
        mean = smoothed
        let error = (smoothed - Double(target)) / Double(rate)
        let wanted = drift + 2 * Self.frequency * error
        // While the speed is at its limit, the error does not say anything about the drift.
        if abs(wanted) <= Self.limit || wanted * error < 0 {
            let change = Self.frequency * Self.frequency * error * seconds
            drift = min(max(drift + change, -Self.longestDrift), Self.longestDrift)
        }
        speed = min(max(wanted, -Self.limit), Self.limit)
    }
}
