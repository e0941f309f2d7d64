/// Estimates the number of frames between a device's queue and the listener. This is a pure state machine. The delay is
/// not queried every time, because queries are expensive with the plug-in of a sound server. Times are in nanoseconds.
struct DelayEstimate {
    private(set) var frames = 0
    private var queriedAt = 0
    /// The free space in the device when it was last queried, and the time at which this value last changed.
    private var room = 0
    private var movedAt = 0

    @_noLocks @_noAllocation
    mutating func observe(room: Int, at now: Int) {
        if room != self.room { movedAt = now }
        self.room = room
    }

    /// Returns true if the delay should be queried. This is false while the device does not play frames, because the
    /// delay has not changed and a stopped server would not answer.
    /// - Parameter isUrgent: true if something is about to be heard.
    @_noLocks @_noAllocation
    func isDue(isUrgent: Bool, at now: Int) -> Bool {
        now - movedAt < 50_000_000 && (isUrgent || now - queriedAt > 100_000_000)
    }

    /// - Parameters:
    ///   - delay: the number of frames that are played before the next frame written is heard.
    ///   - queued: the number of these frames that are in the queue.
    @_noLocks @_noAllocation
    mutating func update(_ delay: Int, queued: Int, at now: Int) {
        frames = max(0, delay - queued)
        queriedAt = now
    }

    /// Causes the delay to be queried soon.
    @_noLocks @_noAllocation
    mutating func expire() {
        queriedAt = 0
    }
}
