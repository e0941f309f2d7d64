/// From the first blocking interruption to the end of the last one.
public struct Episode: Hashable, Sendable {
    /// The last thing that the user said about playing, while it lasted.
    public enum LastWord: String, Hashable, Sendable, CaseIterable { case play, pause, stop }

    public var reason: InterruptionReason
    public var lastWord: LastWord?
    /// Whether every interruption of it that has ended recommended resuming.
    public var recommendsResuming: Bool

    public init(reason: InterruptionReason, lastWord: LastWord? = nil, recommendsResuming: Bool = true) {
        self.reason = reason
        self.lastWord = lastWord
        self.recommendsResuming = recommendsResuming
    }
}
