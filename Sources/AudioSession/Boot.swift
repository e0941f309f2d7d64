/// What a session starts from.
public struct Boot: Hashable, Sendable {
    /// A signal's level, as it was read before the device was opened.
    public enum Line: Hashable, Sendable {
        case asserted, deasserted
        /// The line cannot be read: what was in force when the state was saved is held.
        case unknown
    }

    /// What was saved; nil on a first boot. Its instants are on the clock of the boot event.
    public var saved: SavedSession?
    /// By name; a signal that is not there is deasserted.
    public var lines: [SignalID: Line]
    /// Whether the sound device is there.
    public var servicesAvailable: Bool
    public var trackCount: Int
    /// The session before, where the power was on all the time; nil where it was not.
    public var predecessor: Predecessor?

    public init(
        saved: SavedSession?, lines: [SignalID: Line] = [:], servicesAvailable: Bool = true, trackCount: Int,
        predecessor: Predecessor? = nil
    ) {
        self.saved = saved
        self.lines = lines
        self.servicesAvailable = servicesAvailable
        self.trackCount = trackCount
        self.predecessor = predecessor
    }
}
