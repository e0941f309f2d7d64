/// What a session starts from. See <doc:Semantics#Power>.
public struct Boot: Hashable, Sendable {
    /// A signal's level, read before the audio device was opened.
    public enum Line: Hashable, Sendable {
        /// Asserted. A signal that was active when the power failed also counts as asserted, until its `ReleaseDelay` has
        /// elapsed since the boot.
        case asserted
        /// Deasserted.
        case deasserted
        /// The line cannot be read, and the signal stays as it was saved.
        case unknown
        /// The line cannot be read, and counts as asserted.
        case assumed

        var isReadable: Bool { self == .asserted || self == .deasserted }
    }

    /// The saved state; nil at a first boot. Its instants are on the clock of the boot event.
    public var saved: SavedSession?
    /// The signals' levels; a signal that is missing is deasserted.
    public var lines: [SignalID: Line]
    /// Whether the audio device is available.
    public var servicesAvailable: Bool
    /// Whether the capture device is available; true if nothing records.
    public var captureAvailable: Bool
    /// The number of tracks; 0 if none can be read.
    public var trackCount: Int
    /// The sounds that are already known to be unreadable.
    public var unreadableSounds: [SoundID]
    /// The state of the session that this one replaces in a reload; nil after a power cut or a restart.
    public var predecessor: Predecessor?

    public init(
        saved: SavedSession?, lines: [SignalID: Line] = [:], servicesAvailable: Bool = true,
        captureAvailable: Bool = true, trackCount: Int, unreadableSounds: [SoundID] = [],
        predecessor: Predecessor? = nil
    ) {
        self.saved = saved
        self.lines = lines
        self.servicesAvailable = servicesAvailable
        self.captureAvailable = captureAvailable
        self.trackCount = trackCount
        self.unreadableSounds = unreadableSounds
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
        let recording: RecordingFacts
        let discouraging: [SignalID]
        let announcements: [PendingAnnouncement]
        /// The names of the policy's sounds, to which the announcements refer.
        let sounds: [SoundID]
        let dueSound: DueSound?
        /// The signals whose cue has been heard to its end.
        let doneCues: [SignalID]

        /// - Parameter session: the session that is replaced, after its last event.
        public init(_ session: Session) {
            episode = session.facts.episode
            unblockedAt = session.facts.unblockedAt
            duckLevel = session.duckLevel
            activeDuckLevel = session.activeDuckLevel
            heldDuck = session.facts.heldDuck
            servicesAvailable = session.facts.servicesAvailable
            playedWhileLost = session.facts.playedWhileLost
            isOnFallback = session.facts.isOnFallback
            recording = session.facts.recording
            discouraging = session.facts.discouraging.value
            announcements = session.facts.announcements
            sounds = session.policy.sounds.map(\.id)
            dueSound = session.dueSound
            doneCues = zip(session.policy.signals, session.facts.signals).compactMap { $1.isCueDone ? $0.id : nil }
        }
    }
}
