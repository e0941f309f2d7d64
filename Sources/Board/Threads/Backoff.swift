/// The pauses between failed attempts. Each is twice as long as the previous one, up to a maximum.
public struct Backoff: Hashable, Sendable {
    public let first: Duration
    public let longest: Duration
    private var following: Duration

    public init(from first: Duration, to longest: Duration) {
        self.first = first
        self.longest = longest
        following = first
    }

    /// Returns the next pause.
    package mutating func next() -> Duration {
        defer { following = min(following * 2, longest) }
        return following
    }

    /// Restarts with the first pause.
    package mutating func restart() { following = first }
}
