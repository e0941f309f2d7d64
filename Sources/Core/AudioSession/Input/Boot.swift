/// The state from which a session starts. See <doc:Semantics#Power>.
public struct Boot: Hashable, Sendable {
    /// The level of a signal, read before the audio device was opened.
    public enum Line: Hashable, Sendable {
        /// The signal is asserted. A signal that was active when the power failed is also treated as asserted until its
        /// `ReleaseDelay` has elapsed after the boot.
        case asserted
        /// The signal is deasserted.
        case deasserted
        /// The line cannot be read, so the signal keeps its saved state.
        case unknown
        /// The line cannot be read, and the signal is treated as asserted.
        case assumed

        var isReadable: Bool { self == .asserted || self == .deasserted }
    }

    /// The saved state, or nil at a first boot. Its times use the same clock as the boot event.
    public var saved: SavedSession?
    /// The levels of the signals. Signals that are not listed are deasserted.
    public var lines: [SignalID: Line]
    /// True if the audio device is available.
    public var servicesAvailable: Bool
    /// True if the capture device is available, or if the session does not record.
    public var captureAvailable: Bool
    /// The number of tracks, or 0 if none can be read.
    public var trackCount: Int
    /// The sounds that are already known to be unreadable.
    public var unreadableSounds: [SoundID]
    /// The inputs at which audio arrives. Pages are included in `lines` instead.
    public var arrivals: Set<InputID>
    /// The players that do not have the state `gone`.
    public var players: [PlayerID: PlayerReport]
    /// The players that have reported something on their own since the state was saved.
    public var touchedPlayers: Set<PlayerID>
    /// The players that have not reported anything yet, so that `players` contains only an assumption.
    public var assumedPlayers: Set<PlayerID> = []
    /// The state of the session that this one replaces in a reload, or nil after a power cut or a restart.
    public var predecessor: Predecessor?

    public init(
        saved: SavedSession?, lines: [SignalID: Line] = [:], servicesAvailable: Bool = true,
        captureAvailable: Bool = true, trackCount: Int, unreadableSounds: [SoundID] = [],
        arrivals: Set<InputID> = [], players: [PlayerID: PlayerReport] = [:], touchedPlayers: Set<PlayerID> = [],
        predecessor: Predecessor? = nil
    ) {
        self.saved = saved
        self.lines = lines
        self.servicesAvailable = servicesAvailable
        self.captureAvailable = captureAvailable
        self.trackCount = trackCount
        self.unreadableSounds = unreadableSounds
        self.arrivals = arrivals
        self.players = players
        self.touchedPlayers = touchedPlayers
        self.predecessor = predecessor
    }
}

extension Boot {
    /// The state that is carried across a reload. The new session does not repeat the notifications of its predecessor,
    /// and reports the end of anything that has ended since.
    public struct Predecessor: Hashable, Sendable {
        let episode: Episode?
        let unblockedAt: Duration?
        let duckLevel: Level?
        let activeDuckLevel: Level?
        let heldDuck: DelayFacts.HeldDuck?
        let servicesAvailable: Bool
        let playedWhileLost: Bool
        let isOnFallback: Bool
        let source: Source
        /// The time at which each input last ceased to sound.
        let ceased: [InputID: Duration]
        let recording: RecordingFacts
        let discouraging: [SignalID]
        let announcements: [PendingAnnouncement]
        /// The time of the last accepted request for an announcement of each sound.
        let accepted: [SoundID: Duration]
        /// The names of the policy's sounds, to which the announcements refer.
        let sounds: [SoundID]
        let dueSound: DueSound?
        /// The signals whose cues have played to their ends.
        let doneCues: [SignalID]
        /// The uncertainty about the orders to pause players.
        let doubts: [PlayerID: PauseDoubt]

        /// - Parameter session: the session to replace, after its last event.
        public init(_ session: Session) {
            episode = session.facts.episode
            unblockedAt = session.facts.delay.unblockedAt
            duckLevel = session.duckLevel
            activeDuckLevel = session.activeDuckLevel
            heldDuck = session.facts.delay.heldDuck
            servicesAvailable = session.facts.servicesAvailable
            playedWhileLost = session.facts.library.playedWhileLost
            isOnFallback = session.facts.isOnFallback
            source = session.source
            ceased = Dictionary(
                zip(session.policy.inputs, session.facts.sources.inputs).compactMap { input, facts in
                    facts.ceased.map { (input.id, $0) }
                }, uniquingKeysWith: { first, _ in first })
            recording = session.facts.recording
            discouraging = session.facts.discouraging.value
            announcements = session.facts.sounds.announcements
            accepted = Dictionary(
                zip(session.policy.sounds, session.facts.sounds.accepted).compactMap { sound, time in
                    time.map { (sound.id, $0) }
                }, uniquingKeysWith: { first, _ in first })
            sounds = session.policy.sounds.map(\.id)
            dueSound = session.dueSound
            doneCues = zip(session.policy.signals, session.facts.signals).compactMap { $1.isCueDone ? $0.id : nil }
            doubts = Dictionary(
                zip(session.policy.players, session.facts.sources.players).compactMap { player, facts in
                    facts.doubt.map { (player, $0) }
                }, uniquingKeysWith: { first, _ in first })
        }
    }
}
