/// A device that control has declared lost because it accepted no frames, and that the render thread still holds: a pure
/// machine. Determines how many of the frames in it are heard in the end, because a server that was only suspended plays
/// all of them when it continues. Times are nanoseconds of CLOCK_MONOTONIC.
struct Standstill {
    private(set) var phase = StandstillPhase.none
    /// When it reached this phase, or last played some of what it holds.
    private var since = 0
    /// The frames that it still held when it was last queried.
    private(set) var framesHeld = 0
    /// The status when it was given up.
    private var status = RenderStatus()

    /// Whether the device is fed.
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
    ///   - left: the frames that the device still holds.
    ///   - limit: how long it may stand still.
    /// - Returns: whether it may still continue.
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

    /// Whether the frames that it has played have been heard.
    /// - Parameter delay: nanoseconds from the converter to the ear.
    @_noLocks @_noAllocation
    func isOver(delay: Int, at now: Int) -> Bool {
        if case .drained = phase { now - since > delay } else { false }
    }

    /// What was heard in the end.
    @_noLocks @_noAllocation
    func heard(rate: Int) -> HeardPlayback {
        var status = status
        status.delay = framesHeld
        let index = status.heardIndex(at: status.time, rate: rate)
        return HeardPlayback(slotNumber: status.hasSlot == 0 ? 0 : status.done.buffer, index: index)
    }
}

// Not nested, and without a payload: see `RenderState`.
enum StandstillPhase: Sendable {
    /// None: the device is fed.
    case none
    /// It is not fed, and is polled until it continues.
    case waiting
    /// It has continued, and plays what it holds.
    case draining
    /// It has played that, and the frames between converter and ear get their time.
    case drained

    var isDrained: Bool {
        @_noLocks @_noAllocation get { if case .drained = self { true } else { false } }
    }
}
