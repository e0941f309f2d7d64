import ALSA

/// The number of frames to keep queued in the device, and the time at which to refill the queue. This is a pure state
/// machine.
///
/// If a device can rewind, queued frames are withdrawn from it when an order arrives, so its queue can be as long as
/// the device allows. The thread then seldom wakes up, and a busy machine does not cause gaps. After an order, the
/// queue grows again in steps, so that many orders in quick succession waste little work. For all other devices, the
/// queue is short.
struct DeviceQueue {
    /// The minimum queue. For a device that cannot rewind, this is the whole queue.
    private(set) var short: ShortQueue
    /// The lengths that the queue reaches step by step. They are equal if the queue is always short.
    let first: Int
    private let longest: Int
    private var step: Int
    /// The step to which the queue was last filled.
    private var filled: Int
    private let rate: Int
    /// True if the checks of a short queue are synchronised with the device.
    private var isInStep = false
    /// The number of frames in the device after the last check or write.
    var frames = 0
    /// True if frames have just been rewound, so new ones must be written soon.
    var hasRewound = false
    /// The frame before which the device may still hold the rewound frames.
    var staleUntil = 0
    /// True if the queue is short because the following frames must not be rendered long before they are heard.
    var isHeldBack = false
    /// The time at which a short queue has to be checked again, in nanoseconds.
    private var dueAt = 0
    /// The duration of a full buffer, and the time until which the device catches up after a stall, in nanoseconds.
    private let bufferTime: Int
    private var catchesUpUntil = 0

    /// - Parameters:
    ///   - normal: the normal length of the short queue.
    ///   - longest: the maximum length of the long queue.
    ///   - isStarting: true if the process has just begun to play.
    init(_ normal: Duration, longest: Duration, for configuration: PCMConfiguration, isStarting: Bool = false) {
        rate = configuration.format.rate
        bufferTime = configuration.bufferFrames * 1_000_000_000 / rate
        let room = max(configuration.bufferFrames - configuration.periodFrames, configuration.bufferFrames / 2)
        self.longest = configuration.canRewind ? min(longest.frames(atRate: rate), room) : 0
        // The queue of a device that can rewind can be a little longer, because its frames can be withdrawn.
        let least = max(normal, self.longest > 0 ? .milliseconds(30) : .zero)
        short = ShortQueue(least, for: configuration, isStarting: isStarting)
        first = min(rate / 4, self.longest)
        step = first
        filled = first
    }

    /// True if the queue never becomes longer than the short queue.
    var isShort: Bool {
        @_noLocks @_noAllocation get { longest == 0 }
    }

    /// The number of frames to which to fill the queue, and the number at which to refill it.
    var target: Int {
        @_noLocks @_noAllocation get { max(short.target, step) }
    }
    var low: Int {
        @_noLocks @_noAllocation get { max(short.low, min(filled / 4, rate / 2)) }
    }

    /// Starts again with the first step. Call this after an order.
    @_noLocks @_noAllocation
    mutating func restart() {
        step = first
        filled = first
    }

    /// Selects the next step, to which the queue is filled when it is low again. Call this after the queue has been
    /// filled.
    @_noLocks @_noAllocation
    mutating func advance() {
        filled = step
        step = min(2 * step, longest)
    }

    /// Lengthens the short queue after an underrun, if this can help.
    /// - Parameter written: the time at which the device last accepted frames.
    @_noLocks @_noAllocation
    mutating func underrun(at now: Int, written: Int) {
        if now - written >= bufferTime {
            // If the device stalled for longer than the buffer lasts, a longer queue would not have helped. When a
            // server continues after a stall, it takes several periods at once, and the length of the queue does not
            // affect this either.
            catchesUpUntil = now + bufferTime
        } else if now >= catchesUpUntil {
            short.grow()
            isInStep = false
        }
    }

    /// Counts frames that were written without an underrun.
    @_noLocks @_noAllocation
    mutating func pass(_ frames: Int) {
        short.pass(frames)
    }

    /// True if the queue should be filled. A long queue is filled with a few long blocks, so that the history covers
    /// all of them.
    var wantsFrames: Bool {
        @_noLocks @_noAllocation get { frames <= low || hasRewound || isHeldBack || isShort }
    }

    /// Returns the time until the queue has to be refilled or checked, in nanoseconds.
    @_noLocks @_noAllocation
    func pause(at now: Int) -> Int {
        // If the time of the check has passed, the device could not be queried, so try again soon.
        if isShort { return dueAt > now ? dueAt - now : 2_000_000 }
        // The result is never zero, so that a device that takes all frames at once does not cause a busy loop.
        return max((frames - (isHeldBack ? short.low : low)) * 1_000_000_000 / rate, 1_000_000)
    }

    /// Determines the time at which a short queue has to be checked again.
    @_noLocks @_noAllocation
    mutating func look(at now: Int) {
        guard isShort, frames < target || now >= dueAt else { return }
        dueAt = now + pause(isEarly: frames >= target)
    }

    /// Returns the time until a short queue has to be checked again, in nanoseconds. The device takes a period at a
    /// time, and the best moment to refill the queue is just after it has done so. The pauses are therefore shorter
    /// than a period until a check comes too early. From then on, the checks follow the device closely.
    /// - Parameter isEarly: true if the device has taken nothing since the queue was filled.
    @_noLocks @_noAllocation
    mutating func pause(isEarly: Bool) -> Int {
        let period = short.period * 1_000_000_000 / rate
        if isEarly {
            isInStep = true
            // The device is not quite regular, so a shorter pause would often be too early again.
            return max(period / 6, 1_000_000)
        }
        return max(isInStep ? period - period / 256 : period - period / 16, 1_000_000)
    }

    /// The length of the filled short queue in milliseconds.
    var milliseconds: Int {
        @_noLocks @_noAllocation get { short.target * 1000 / rate }
    }
}
