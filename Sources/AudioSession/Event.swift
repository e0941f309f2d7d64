/// Everything that can happen to a session.
public enum Event: Hashable, Sendable {
    /// The supervisor starts. Always the first event, and only the first.
    case boot(Boot)
    /// A signal, after conditioning. See `AudioSession.handle(_:at:)` for edges that were read together.
    case edge(Edge)
    case fault(Fault)
    case cleared(Fault)
    case command(Command)
    /// The sound device or its server is gone, and is back.
    case mediaServicesLost
    case mediaServicesReset
    /// Rate, channels or format of the device changed under us.
    case configurationChanged
    /// A jack or device that was playing was unplugged, and another is used in its place.
    case routeLost
    /// The programme went on to a track by itself: the one before it ended, or could not be read.
    case trackBegan(Int)
    /// The last track ended, and nothing repeats.
    case programmeEnded
    /// There are this many tracks to choose from now; 0 when none can be read.
    case tracksAvailable(Int)
}

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

    public init(
        saved: SavedSession?, lines: [SignalID: Line] = [:], servicesAvailable: Bool = true, trackCount: Int
    ) {
        self.saved = saved
        self.lines = lines
        self.servicesAvailable = servicesAvailable
        self.trackCount = trackCount
    }
}
