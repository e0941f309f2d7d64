import AudioSession

/// What happened, and what the session made of it. What *is* so afterwards, the supervisor says.
public struct Report: Hashable, Sendable {
    public let time: Duration
    public let happening: Happening
    public var notifications: [Notification] = []
    /// A command's.
    public var answer: Answer?
    public var remarks: [Remark] = []
    /// The signals that were in force until then: by an edge of theirs or otherwise, or while there was no power.
    public var over = SignalsInForce()
    /// Likewise the signals that are in force from now on, and were not before.
    public var begun = SignalsInForce()
}
