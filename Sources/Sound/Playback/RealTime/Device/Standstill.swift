/// A device that control has declared lost because it accepted no frames, but that the render thread still holds. This
/// pure state machine determines how many of the frames in the device are heard in the end, because a server that was
/// only suspended plays all of them when it continues. Times are in nanoseconds of CLOCK_MONOTONIC.
struct Standstill {
    private(set) var phase = StandstillPhase.none
    /// The time at which the device reached this phase or last played some of its frames.
    private var since = 0
    /// The number of frames that the device still held when it was last queried.
    private(set) var framesHeld = 0
    /// The status when the device was given up.
    private var status = RenderStatus()

    /// True if the device is fed.
    var isFed: Bool {
        @_noLocks @_noAllocation get { if case .none = phase { true } else { false } }
    }

    @_noLocks @_noAllocation
    mutating func begin(_ status: RenderStatus, at now: Int) {
        enter(.waiting, at: now)
        self.status = status
        framesHeld = Int.max
    }

    @_noLocks @_noAllocation
    private mutating func enter(_ phase: StandstillPhase, at now: Int) {
        self.phase = phase
        since = now
    }

    /// - Parameters:
    ///   - left: the number of frames that the device still holds.
    ///   - limit: the time for which the device may stand still.
    /// - Returns: true if the device may still continue.
    @_noLocks @_noAllocation
    mutating func observe(left: Int, limit: Int, at now: Int) -> Bool {
        if framesHeld == Int.max { framesHeld = left }
        if left == 0 {
            enter(.drained, at: now)
        } else if left < framesHeld {
            enter(.draining, at: now)
        } else if case .draining = phase, now - since > 100_000_000 {
            enter(.drained, at: now)
        } else if case .waiting = phase, now - since > limit {
            return false
        }
        framesHeld = left
        return true
    }

    /// True if the frames that the device has played have been heard.
    /// - Parameter delay: the time from the converter to the ear, in nanoseconds.
    @_noLocks @_noAllocation
    func isOver(delay: Int, at now: Int) -> Bool {
        if case .drained = phase { now - since > delay } else { false }
    }

    /// Returns the playback that was heard in the end.
    @_noLocks @_noAllocation
    func heard(rate: Int) -> HeardPlayback {
        var status = status
        status.delay = framesHeld
        let index = status.heardIndex(at: status.time, rate: rate)
        return HeardPlayback(slotNumber: status.hasSlot == 0 ? 0 : status.done.buffer, index: index)
    }
}

// This enumeration is neither nested nor has a payload, for the reason given at `RenderState`.
enum StandstillPhase: Sendable {
    /// The device is fed.
    case none
    /// The device is not fed, and is polled until it continues.
    case waiting
    /// The device has continued and plays the frames that it holds.
    case draining
    /// The device has played these frames, and the frames between the converter and the ear are still being played.
    case drained

    var isDrained: Bool {
        @_noLocks @_noAllocation get { if case .drained = self { true } else { false } }
    }
}
