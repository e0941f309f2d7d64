import AudioSession

/// Something that happened to the session, and what is so since.
public struct SessionEvent: Hashable, Sendable {
    /// Since 1970, by the board's wall clock, which need not be right.
    public let wallClock: Duration
    /// On the board's monotonic clock: the time between two events of one boot is known for sure.
    public let time: Duration
    /// In a trace's words: `assert phone-call`, `command pause`, `fault phone-call stuck`, `track ended`, `device lost`.
    public let name: String
    /// What is so afterwards; its notifications and its answer are the event's.
    public let snapshot: Snapshot

    public init(wallClock: Duration, time: Duration, name: String, snapshot: Snapshot) {
        self.wallClock = wallClock
        self.time = time
        self.name = name
        self.snapshot = snapshot
    }
}
