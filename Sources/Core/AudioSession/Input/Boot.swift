/// What a session starts from.
public struct Boot: Hashable, Sendable {
    /// A signal's level, as it was read before the device was opened.
    public enum Line: Hashable, Sendable {
        /// Also a signal that was active when the power failed, until its `ReleaseDelay` has elapsed since the boot.
        case asserted
        case deasserted
        /// The line cannot be read: the signal stays as it was saved.
        case unknown
        /// The line cannot be read and counts as asserted.
        case assumed

        var isReadable: Bool { self == .asserted || self == .deasserted }
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

extension Boot {
    /// State carried across a reload. The new session does not repeat its predecessor's notifications, and reports the
    /// end of anything that has ended since.
    public struct Predecessor: Hashable, Sendable {
        let episode: Episode?
        let unblockedAt: Duration?
        let duckLevel: Level?
        let activeDuckLevel: Level?
        let heldDuck: Facts.HeldDuck?
        let servicesAvailable: Bool
        let playedWhileLost: Bool
        let isOnFallback: Bool

        public init(_ session: Session) {
            episode = session.facts.episode
            unblockedAt = session.facts.unblockedAt
            duckLevel = session.duckLevel
            activeDuckLevel = session.activeDuckLevel
            heldDuck = session.facts.heldDuck
            servicesAvailable = session.facts.servicesAvailable
            playedWhileLost = session.facts.playedWhileLost
            isOnFallback = session.facts.isOnFallback
        }
    }
}
