import ALSA

/// The number of frames to keep queued in a device that cannot rewind. This is a pure state machine.
///
/// The queue grows by half after each underrun. It shrinks again after a time without underruns, and this time doubles
/// with each underrun. In this way, the effect of a single hiccup soon ends, but a machine that cannot keep up retains
/// the queue that it needs. While a process starts, its code and data are read from the disk one page at a time, so the
/// queue is twice as long as requested.
struct ShortQueue {
    /// The number of frames to which to fill the queue, and the number at which to refill it.
    private(set) var target: Int
    private(set) var low: Int
    /// The length to which the queue shrinks, or that it already has.
    private var length: Int
    /// The number of frames that the device takes at a time.
    let period: Int
    private let rate: Int
    private let normal: Int
    private let longest: Int
    /// The number of frames that must stay queued, because the device may take a whole period at once and the render
    /// thread is not always on time.
    private let reserve: Int
    /// The number of frames written since the length last changed, and the number after which the queue shrinks.
    private var calmFrames = 0
    private var calmLimit: Int
    /// The number of frames that are left until the startup phase is over.
    private var startFrames: Int

    /// - Parameters:
    ///   - normal: the requested length. The queue is never shorter than a period and a half.
    ///   - isStarting: true if the process has just begun to play.
    init(_ normal: Duration, for configuration: PCMConfiguration, isStarting: Bool = false) {
        rate = configuration.format.rate
        period = configuration.periodFrames
        calmLimit = 60 * rate
        // Leave some space free for a device that accepts only whole periods.
        let room = max(configuration.bufferFrames - configuration.periodFrames, configuration.bufferFrames / 2, 1)
        // If the queue were longer, a live input could not send its frames early enough, and would be silent for good.
        longest = min(room, max(LiveBuffer.longestQueue.frames(atRate: rate), configuration.periodFrames * 3 / 2))
        reserve = configuration.periodFrames + rate * 3 / 1000
        // Queue at least one and a half periods, which is what the device takes at a time plus half a period in case it
        // takes them early.
        self.normal = min(max(normal.frames(atRate: rate), period * 3 / 2), longest)
        startFrames = isStarting ? 2 * rate : 0
        target = isStarting ? max(self.normal, min(2 * normal.frames(atRate: rate), longest)) : self.normal
        length = target
        low = max(target / 3, min(reserve, target * 2 / 3))
    }

    /// Lengthens the queue after an underrun.
    @_noLocks @_noAllocation
    mutating func grow() {
        length = min(target + max(target / 2, 1), longest)
        calmFrames = 0
        set(length)
        // An underrun during the startup phase does not indicate how playback continues.
        if startFrames == 0 { calmLimit = min(2 * calmLimit, 86_400 * rate) }
    }

    /// Counts frames that were written without an underrun.
    @_noLocks @_noAllocation
    mutating func pass(_ frames: Int) {
        calmFrames += frames
        if startFrames > 0 {
            startFrames = max(0, startFrames - frames)
            if startFrames == 0 { shrink(to: normal) }
        }
        if length > normal, calmFrames >= calmLimit { shrink(to: max(normal, length * 2 / 3)) }
        // Shrink the queue gradually, because a server detects an underrun if it does not receive frames for a whole
        // period.
        if target > length { set(max(length, target - max(frames / 16, 1))) }
    }

    @_noLocks @_noAllocation
    private mutating func shrink(to frames: Int) {
        length = frames
        calmFrames = 0
    }

    @_noLocks @_noAllocation
    private mutating func set(_ frames: Int) {
        target = frames
        low = max(target / 3, min(reserve, target * 2 / 3))
    }
}
