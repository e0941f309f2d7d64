/// A deassertion that has settled, and takes effect when `ReleaseDelay` is over.
public struct PendingRelease: Hashable, Sendable {
    /// When the line was released.
    public let since: Duration
    /// When that takes effect.
    public let until: Duration

    public init(since: Duration, until: Duration) {
        self.since = since
        self.until = until
    }
}
