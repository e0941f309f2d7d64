/// The current time on both of a board's clocks.
public struct Instant: Hashable, Sendable {
    /// The time since an arbitrary moment. It never jumps.
    public var monotonic: Duration
    /// The time since 1970.
    public var wallClock: Duration
    /// True if the wall clock follows a time server or another source, so that it can be trusted.
    public var isSynchronised: Bool

    public init(monotonic: Duration, wallClock: Duration, isSynchronised: Bool) {
        self.monotonic = monotonic
        self.wallClock = wallClock
        self.isSynchronised = isSynchronised
    }
}
