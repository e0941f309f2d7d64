import ALSA

/// How many frames to keep queued in the device, and when to refill the queue: a pure state machine.
///
/// A device that can rewind gives queued frames back at an order, so its queue is as long as the device allows: the
/// thread wakes up seldom, and a busy machine causes no gap. After an order the queue grows again in steps, so that many
/// orders in quick succession waste little work. Any other device has the short queue.
struct DeviceQueue {
    /// What must be queued at least, and the whole queue of a device that cannot rewind.
    private(set) var short: ShortQueue
    /// Lengths that the queue reaches one after the other; all the same if it is always short.
    private let first: Int
    private let longest: Int
    private var step: Int
    /// The step that was filled last.
    private var filled: Int
    private let rate: Int
    /// Whether the looks at a short queue follow the device.
    private var isInStep = false
    /// Frames in the device after the last look or write.
    var frames = 0
    /// Whether some of them have just been rewound.
    var hasRewound = false
    /// Whether the queue is short, because what follows must not be rendered long before it is heard.
    var isHeldBack = false
    /// When a short queue has to be looked at again (nanoseconds).
    private var dueAt = 0
    /// How long the full buffer lasts, and until when the device catches up after a standstill (nanoseconds).
    private let bufferTime: Int
    private var catchesUpUntil = 0

    /// - Parameters:
    ///   - normal: the normal length of the short queue.
    ///   - longest: the limit of the long one.
    ///   - isStarting: whether the process has just begun to play.
    init(_ normal: Duration, longest: Duration, for configuration: PCMConfiguration, isStarting: Bool = false) {
        rate = configuration.format.rate
        bufferTime = configuration.bufferFrames * 1_000_000_000 / rate
        let room = max(configuration.bufferFrames - configuration.periodFrames, configuration.bufferFrames / 2)
        self.longest = configuration.canRewind ? min(longest.frames(atRate: rate), room) : 0
        // What is given back can be queued a little longer.
        let least = max(normal, self.longest > 0 ? .milliseconds(30) : .zero)
        short = ShortQueue(least, for: configuration, isStarting: isStarting)
        first = min(rate / 4, self.longest)
        step = first
        filled = first
    }

    /// Whether the queue never gets longer than the short one.
    var isShort: Bool {
        @_noLocks @_noAllocation get { longest == 0 }
    }

    /// Frames to fill the queue up to, and frames at which to refill it.
    var target: Int {
        @_noLocks @_noAllocation get { max(short.target, step) }
    }
    var low: Int {
        @_noLocks @_noAllocation get { max(short.low, filled / 4) }
    }

    /// After an order: starts again with the first step.
    @_noLocks @_noAllocation
    mutating func restart() {
        step = first
        filled = first
    }

    /// After the queue has been filled: takes the next step when it is low again.
    @_noLocks @_noAllocation
    mutating func advance() {
        filled = step
        step = min(2 * step, longest)
    }

    /// Makes the short queue longer after an underrun, if that can help.
    /// - Parameter written: when the device last took frames.
    @_noLocks @_noAllocation
    mutating func underrun(at now: Int, written: Int) {
        if now - written >= bufferTime {
            // After a standstill longer than the buffer, no longer queue would have helped. A server that continues then
            // takes several periods at once, which says nothing about the queue either.
            catchesUpUntil = now + bufferTime
        } else if now >= catchesUpUntil {
            short.grow()
            isInStep = false
        }
    }

    /// Counts frames written without an underrun.
    @_noLocks @_noAllocation
    mutating func pass(_ frames: Int) {
        short.pass(frames)
    }

    /// Whether to fill the queue. A long one consists of few long blocks, so that the trail covers all of them.
    var wantsFrames: Bool {
        @_noLocks @_noAllocation get { frames <= low || hasRewound || isHeldBack || isShort }
    }

    /// Nanoseconds until the queue has to be refilled or looked at.
    @_noLocks @_noAllocation
    func pause(at now: Int) -> Int {
        // The device could not be asked if it is due.
        if isShort { return dueAt > now ? dueAt - now : 2_000_000 }
        // Never zero, so that a device that takes all frames at once does not cause a busy loop.
        return max((frames - (isHeldBack ? short.low : low)) * 1_000_000_000 / rate, 1_000_000)
    }

    /// Determines when a short queue has to be looked at again.
    @_noLocks @_noAllocation
    mutating func look(at now: Int) {
        guard isShort, frames < target || now >= dueAt else { return }
        dueAt = now + pause(isEarly: frames >= target)
    }

    /// Nanoseconds until a short queue has to be looked at again. The device takes a period at a time, and the best moment
    /// to refill the queue is just after that. So the pauses are shorter than a period, until a look comes too early; from
    /// then on they follow the device closely.
    /// - Parameter isEarly: whether the device has taken nothing since the queue was filled.
    @_noLocks @_noAllocation
    mutating func pause(isEarly: Bool) -> Int {
        let period = short.period * 1_000_000_000 / rate
        if isEarly {
            isInStep = true
            // The device is not quite regular: a shorter pause would often be too early again.
            return max(period / 6, 1_000_000)
        }
        return max(isInStep ? period - period / 256 : period - period / 16, 1_000_000)
    }

    /// Length of the filled short queue in milliseconds.
    var milliseconds: Int {
        @_noLocks @_noAllocation get { short.target * 1000 / rate }
    }
}
