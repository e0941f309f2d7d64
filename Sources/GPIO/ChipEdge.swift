/// A change of a line's electrical level, as the kernel saw it.
public struct ChipEdge: Hashable, Sendable {
    /// The line's number on its chip.
    public var offset: Int
    /// The level since then.
    public var level: Bool
    /// Of the kernel's interrupt, on CLOCK_MONOTONIC.
    public var time: Duration

    public init(offset: Int, level: Bool, time: Duration) {
        self.offset = offset
        self.level = level
        self.time = time
    }
}
