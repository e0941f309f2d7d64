/// An assertion that the saved state holds across a power cut.
public struct HeldAssertion: Hashable, Sendable {
    /// When it began, on the clock of the start.
    public var since: Duration
    /// Whether the fault `stuck` had been found.
    public var isStuck: Bool
    /// Whether it had an effect when the power failed: neither suppressed nor dropped as stuck.
    public var isActive: Bool

    public init(since: Duration, isStuck: Bool = false, isActive: Bool = true) {
        self.since = since
        self.isStuck = isStuck
        self.isActive = isActive
    }
}
