/// A device that control has declared lost because it did not accept frames, but that the render thread still keeps
/// open. This pure state machine determines how many of the frames in the device are eventually heard, because a server
/// that was only suspended plays all of them when it continues. Times are in nanoseconds of CLOCK_MONOTONIC.
struct Standstill {
    private(set) var phase = StandstillPhase.none
    /// The time at which the device reached this phase or last played some of its frames.
    private var since = 0
    /// The number of frames that the device still held when it was last queried.
    private(set) var framesHeld = 0
    /// The status at the time when the device was declared lost.
    private var status = RenderStatus()

    /// True if frames are written to the device.
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
    ///   - limit: the maximum time for which the device may be stalled.
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
    /// - Parameter delay: the time from the device's buffer to the loudspeaker, in nanoseconds.
    @_noLocks @_noAllocation
    func isOver(delay: Int, at now: Int) -> Bool {
        if case .drained = phase { now - since > delay } else { false }
    }

    /// Returns the playback that was eventually heard.
    @_noLocks @_noAllocation
    func heard(rate: Int) -> HeardPlayback {
        var status = status
        status.delay = framesHeld
        let index = status.heardIndex(at: status.time, rate: rate)
        return HeardPlayback(slotNumber: status.hasSlot == 0 ? 0 : status.done.buffer, index: index)
    }
}

// This enumeration is not nested and does not have a payload, for the reason given at `RenderState`.
enum StandstillPhase: Sendable {
    /// Frames are written to the device.
    case none
    /// Frames are not written to the device. It is polled until it continues.
    case waiting
    /// The device has continued and plays the frames that it holds.
    case draining
    /// The device's buffer is empty, but the frames between the buffer and the loudspeaker are still being played.
    case drained

    var isDrained: Bool {
        @_noLocks @_noAllocation get { if case .drained = self { true } else { false } }
    }
}
