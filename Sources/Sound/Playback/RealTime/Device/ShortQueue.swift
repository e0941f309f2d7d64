import ALSA

/// How many frames to keep queued in a device that does not give them back: a pure state machine.
///
/// The queue grows by half at each underrun. It shrinks again after a time without one, which doubles with each
/// underrun: a single hiccup is soon forgotten, and a machine that cannot keep up retains the queue it needs. While a
/// process starts, and its code and data come from the disk one page at a time, the queue is twice as long as asked for.
struct ShortQueue {
    /// Frames to fill the queue up to, and frames at which to refill it.
    private(set) var target: Int
    private(set) var low: Int
    /// The length that the queue has or shrinks to.
    private var length: Int
    /// Frames that the device takes at a time.
    let period: Int
    private let rate: Int
    private let normal: Int
    private let longest: Int
    /// Frames that must stay queued: the device can take a whole period at once, and this thread is not always on time.
    private let reserve: Int
    /// Frames written since the queue last changed, and the number after which it shrinks.
    private var calmFrames = 0
    private var calmLimit: Int
    /// Frames left until the start is over.
    private var startFrames: Int

    /// - Parameters:
    ///   - normal: the length asked for; the queue is never shorter than a period and a half.
    ///   - isStarting: whether the process has just begun to play.
    init(_ normal: Duration, for configuration: PCMConfiguration, isStarting: Bool = false) {
        rate = configuration.format.rate
        period = configuration.periodFrames
        calmLimit = 60 * rate
        // Leave some space free, for a device that accepts only whole periods.
        longest = max(configuration.bufferFrames - configuration.periodFrames, configuration.bufferFrames / 2, 1)
        reserve = configuration.periodFrames + rate * 3 / 1000
        // What the device takes at a time, and as much again as covers a take that comes early.
        self.normal = min(max(normal.frames(atRate: rate), period * 3 / 2), longest)
        startFrames = isStarting ? 2 * rate : 0
        target = isStarting ? max(self.normal, min(2 * normal.frames(atRate: rate), longest)) : self.normal
        length = target
        low = max(target / 3, min(reserve, target * 2 / 3))
    }

    /// Makes the queue longer after an underrun.
    @_noLocks @_noAllocation
    mutating func grow() {
        length = min(target + max(target / 2, 1), longest)
        calmFrames = 0
        set(length)
        // An underrun during the start says nothing about later.
        if startFrames == 0 { calmLimit = min(2 * calmLimit, 86_400 * rate) }
    }

    /// Counts frames written without an underrun.
    @_noLocks @_noAllocation
    mutating func pass(_ frames: Int) {
        calmFrames += frames
        if startFrames > 0 {
            startFrames = max(0, startFrames - frames)
            if startFrames == 0 { shrink(to: normal) }
        }
        if length > normal, calmFrames >= calmLimit { shrink(to: max(normal, length * 2 / 3)) }
        // Little by little: a server takes it for an underrun if nothing comes for a whole period.
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
