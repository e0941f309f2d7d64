import AudioSession
import Signals

/// All that an installation decides: what its signals mean, how they are wired, and what is played where.
public struct Configuration: Hashable, Sendable {
    /// Its enabled signals in the order phone-call, alarm, cover-closed, then the others as first named.
    public var session: Policy
    /// How each signal's line is read; one for every signal of `session`.
    public var lines: [SignalID: LinePolicy]
    /// Of those signals only that name a line.
    public var wiring: [SignalID: Wiring]
    /// The enabled ones, in the order in which they were first named.
    public var buttons: [Button]
    public var playback: PlaybackSettings
    public var state: StateSettings

    public init(
        session: Policy, lines: [SignalID: LinePolicy], wiring: [SignalID: Wiring] = [:], buttons: [Button] = [],
        playback: PlaybackSettings = PlaybackSettings(), state: StateSettings = StateSettings()
    ) {
        self.session = session
        self.lines = lines
        self.wiring = wiring
        self.buttons = buttons
        self.playback = playback
        self.state = state
    }

    /// What holds when nothing is said: the three signals of the mission, without wiring.
    public static let builtIn: Configuration = {
        let signals = SignalSettings.mission.compactMap { id, settings in settings.policy(id: id) }
        return Configuration(
            session: Policy(repeats: .playlist, signals: signals),
            lines: Dictionary(uniqueKeysWithValues: signals.map { ($0.id, LinePolicy()) }))
    }()
}
