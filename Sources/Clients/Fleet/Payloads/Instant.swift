/// The present time, by both of a board's clocks.
public struct Instant: Hashable, Sendable {
    /// Never jumps; since an arbitrary moment.
    public var monotonic: Duration
    /// Since 1970.
    public var wallClock: Duration
    /// Whether the wall clock follows a time server, or another source, and can be trusted.
    public var isSynchronised: Bool

    public init(monotonic: Duration, wallClock: Duration, isSynchronised: Bool) {
        self.monotonic = monotonic
        self.wallClock = wallClock
        self.isSynchronised = isSynchronised
    }
}
