/// The frames between a device's queue and the ear: a pure state machine. Calls are the most expensive part of a sound
/// server's plug-in, so it is not queried every time. Times are nanoseconds.
struct DelayEstimate {
    private(set) var frames = 0
    private var queriedAt = 0
    /// Free space in the device when it was last queried, and when that last changed.
    private var room = 0
    private var movedAt = 0

    @_noLocks @_noAllocation
    mutating func observe(room: Int, at now: Int) {
        if room != self.room { movedAt = now }
        self.room = room
    }

    /// Whether to query the delay. Not while nothing moves: it has not changed, and a server that has stopped does not answer.
    /// - Parameter isUrgent: whether something is about to be heard.
    @_noLocks @_noAllocation
    func isDue(isUrgent: Bool, at now: Int) -> Bool {
        now - movedAt < 50_000_000 && (isUrgent || now - queriedAt > 100_000_000)
    }

    /// - Parameters:
    ///   - delay: frames until the next one written is heard.
    ///   - queued: how many of them are in the queue.
    @_noLocks @_noAllocation
    mutating func update(_ delay: Int, queued: Int, at now: Int) {
        frames = max(0, delay - queued)
        queriedAt = now
    }

    /// Has it queried soon.
    @_noLocks @_noAllocation
    mutating func expire() {
        queriedAt = 0
    }
}
