import ALSA

/// How much to keep in the device, and when to come back: a pure machine.
///
/// It grows by half at every underrun, and shrinks again after a calm time that doubles with each: one hiccup is soon
/// forgotten, and a machine that cannot keep up is left with what it needs. While a process starts, and its code and data
/// come from the disk one page at a time, it is twice as long.
struct DeviceQueue {
    /// Frames to fill up to, and to let it sink to.
    private(set) var target: Int
    private(set) var low: Int
    private let rate: Int
    private let wanted: Int
    private let most: Int
    /// What must stay: a period may be taken at once, and the machine is not always on time.
    private let reserve: Int
    /// Frames that have been played since the last change, and after how many it shrinks.
    private var calmFrames = 0
    private var patience: Int
    /// Frames left of the start.
    private var startFrames: Int

    /// - Parameter isStarting: whether the process has just begun to play.
    init(_ wanted: Duration, for configuration: PCMConfiguration, isStarting: Bool = false) {
        rate = configuration.format.rate
        patience = 60 * rate
        // Some room is left, for a device that takes whole periods only.
        most = max(configuration.bufferFrames - configuration.periodFrames, configuration.bufferFrames / 2, 1)
        reserve = configuration.periodFrames + rate * 3 / 1000
        self.wanted = min(max(wanted.frames(atRate: rate), reserve * 3 / 2), most)
        startFrames = isStarting ? 2 * rate : 0
        target = isStarting ? min(2 * self.wanted, most) : self.wanted
        low = max(target / 3, min(reserve, target * 2 / 3))
    }

    /// After an underrun: the device, or the machine, needs more.
    @_noLocks @_noAllocation
    mutating func grow() {
        set(min(target + max(target / 2, 1), most))
        // What a start needs says nothing of later.
        if startFrames == 0 { patience = min(2 * patience, 86_400 * rate) }
    }

    /// So many frames have been played without an underrun.
    @_noLocks @_noAllocation
    mutating func pass(_ frames: Int) {
        calmFrames += frames
        if startFrames > 0 {
            startFrames = max(0, startFrames - frames)
            if startFrames == 0 { set(wanted) }
        }
        if target > wanted, calmFrames >= patience { set(max(wanted, target * 2 / 3)) }
    }

    @_noLocks @_noAllocation
    private mutating func set(_ frames: Int) {
        target = frames
        low = max(target / 3, min(reserve, target * 2 / 3))
        calmFrames = 0
    }

    /// Nanoseconds until `queued` frames will have sunk to the mark.
    @_noLocks @_noAllocation
    func pause(queued: Int) -> Int {
        // Never none at all: a device that takes everything at once must not make this a busy loop.
        max((queued - low) * 1_000_000_000 / rate, 1_000_000)
    }

    /// What is left in the device when frames are taken back: they are written again at once, by a thread that runs.
    var kept: Int {
        @_noLocks @_noAllocation get { min(low, 2 * reserve) }
    }

    /// Its time, in milliseconds.
    var milliseconds: Int {
        @_noLocks @_noAllocation get { target * 1000 / rate }
    }
}
