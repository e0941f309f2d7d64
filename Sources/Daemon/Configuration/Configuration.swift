import AudioSession
import Signals

/// Everything that an installation configures: what its signals mean, how they are wired, what is played and where.
public struct Configuration: Hashable, Sendable {
    /// The enabled signals in the order phone-call, alarm, cover-closed, then the others as first named.
    public var session: Policy
    /// How each signal's line is read; has an entry for every signal of `session`.
    public var lines: [SignalID: LinePolicy]
    /// Where the level of each signal comes from; has no entry for a signal that can only be rehearsed.
    public var sources: [SignalID: LevelSource]
    /// The enabled buttons, in the order in which they were first named.
    public var buttons: [Button]
    /// The enabled outputs, in the order in which they were first named.
    public var outputs: [Output]
    /// The file and level of each sound; has an entry for every sound of `session`.
    public var sounds: [SoundID: SoundSettings]
    public var playback: PlaybackSettings
    /// What records the microphone; nil if nothing does. `session` has a recorder if and only if this is set.
    public var recording: RecordingSettings?
    public var state: StateSettings

    public init(
        session: Policy, lines: [SignalID: LinePolicy], sources: [SignalID: LevelSource] = [:], buttons: [Button] = [],
        outputs: [Output] = [], sounds: [SoundID: SoundSettings] = [:], playback: PlaybackSettings = PlaybackSettings(),
        recording: RecordingSettings? = nil, state: StateSettings = StateSettings()
    ) {
        self.session = session
        self.lines = lines
        self.sources = sources
        self.buttons = buttons
        self.outputs = outputs
        self.sounds = sounds
        self.playback = playback
        self.recording = recording
        self.state = state
    }

    /// The defaults: the three built-in signals, without a source.
    public static let builtIn: Configuration = {
        let signals = SignalSettings.builtIn.compactMap { id, settings in settings.policy(id: id) }
        return Configuration(
            session: Policy(repeats: .playlist, signals: signals),
            lines: Dictionary(uniqueKeysWithValues: signals.map { ($0.id, LinePolicy()) }))
    }()
}

extension Configuration {
    /// Reads a configuration with its drop-ins; later files override earlier ones key by key.
    ///
    /// - Parameter checksLibrary: whether a missing library is an error, and a missing sound file a warning. Pass false if
    ///   their disk can be mounted later or be slow to answer; then their loaders report what is missing.
    /// - Throws: all mistakes in all files at once, or the reason why no file could be read.
    public static func load(
        _ source: ConfigurationSource, checksLibrary: Bool = true
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try ConfigurationAttempt(source, checksLibrary: checksLibrary).get()
    }
}

/// A configuration without errors, and the files that it was read from.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: Configuration
    /// Likely mistakes; all of severity `warning`.
    public let warnings: [Diagnostic]
    /// The files in the order in which they were read: a later one overrides an earlier one.
    public let texts: [ConfigurationText]
    let places: KeyPlaces

    /// The paths of the files, in the same order.
    public var files: [String] { texts.map(\.path) }

    /// Creates a warning about a key: at the line that sets it, or, if no file does, about the first file as a whole.
    ///
    /// - Parameters:
    ///   - keys: the warning is about the first of these that a file sets.
    ///   - section: as in its heading, without brackets: `Playback`, `Signal alarm`.
    public func warning(about keys: String..., in section: String, _ message: String, advice: String) -> Diagnostic {
        for key in keys {
            if let place = places[key, in: section] {
                return Diagnostic(.warning, at: place, message, advice: advice)
            }
        }
        return Diagnostic(.warning, file: files.first ?? "", message, advice: advice)
    }
}
