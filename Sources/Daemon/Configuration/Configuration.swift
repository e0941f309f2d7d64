import AudioSession
import Signals

/// The complete configuration of an installation, such as its signals, their wiring, the music and the devices.
public struct Configuration: Hashable, Sendable {
    /// The enabled signals. The first are phone-call, alarm and cover-closed, and the others follow in the order in
    /// which they were first named.
    public var session: Policy
    /// The policy for each signal's line. Every signal of `session` has an entry.
    public var lines: [SignalID: LinePolicy]
    /// The source of each signal's level. A signal that can only be rehearsed does not have an entry.
    public var sources: [SignalID: LevelSource]
    /// The line with the opposite contact of each signal that has a changeover contact.
    public var complements: [SignalID: Wiring]
    /// The enabled buttons, in the order in which they were first named.
    public var buttons: [Button]
    /// The enabled outputs, in the order in which they were first named.
    public var outputs: [Output]
    /// The file and level of each sound. Every sound of `session` has an entry.
    public var sounds: [SoundID: SoundSettings]
    /// The enabled inputs, in the order in which they were first named.
    public var inputs: [InputSettings]
    /// The enabled players, in the order in which they were first named.
    public var players: [PlayerSettings]
    public var playback: PlaybackSettings
    /// The settings of the recorder, or nil if nothing is recorded. `session` has a recorder if and only if this is
    /// set.
    public var recording: RecordingSettings?
    public var state: StateSettings

    public init(
        session: Policy, lines: [SignalID: LinePolicy], sources: [SignalID: LevelSource] = [:],
        complements: [SignalID: Wiring] = [:], buttons: [Button] = [], outputs: [Output] = [],
        sounds: [SoundID: SoundSettings] = [:], inputs: [InputSettings] = [], players: [PlayerSettings] = [],
        playback: PlaybackSettings = PlaybackSettings(),
        recording: RecordingSettings? = nil, state: StateSettings = StateSettings()
    ) {
        self.session = session
        self.lines = lines
        self.sources = sources
        self.complements = complements
        self.buttons = buttons
        self.outputs = outputs
        self.sounds = sounds
        self.inputs = inputs
        self.players = players
        self.playback = playback
        self.recording = recording
        self.state = state
    }

    /// The defaults, which consist of the three built-in signals without a source.
    public static let builtIn: Configuration = {
        let signals = SignalSettings.builtIn.compactMap { id, settings in settings.policy(id: id) }
        return Configuration(
            session: Policy(repeats: .playlist, signals: signals),
            lines: Dictionary(uniqueKeysWithValues: signals.map { ($0.id, LinePolicy()) }))
    }()
}

extension Configuration {
    /// Reads a configuration with its drop-ins. Later files override earlier ones key by key.
    ///
    /// - Parameter checksLibrary: True if a missing library is an error and a missing sound file a warning. Pass false
    ///   if their disk may be mounted later or respond slowly. In this case, their loaders report what is missing.
    /// - Throws: All mistakes in all files at once, or the reason why no file could be read.
    public static func load(
        _ source: ConfigurationSource, checksLibrary: Bool = true
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try ConfigurationAttempt(source, checksLibrary: checksLibrary).get()
    }
}

/// A configuration without errors and the files from which it was read.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: Configuration
    /// The warnings about likely mistakes. The severity of each is `warning`.
    public let warnings: [Diagnostic]
    /// The files in the order in which they were read. A later one overrides an earlier one.
    public let texts: [ConfigurationText]
    let places: KeyPlaces

    /// The paths of the files, in the same order.
    public var files: [String] { texts.map(\.path) }

    /// Creates a warning about a key. It refers to the line that sets the key or, if no file sets it, to the first file
    /// as a whole.
    ///
    /// - Parameters:
    ///   - keys: The possible keys. The warning is about the first one that a file sets.
    ///   - section: The section as in its heading, without brackets, such as `Playback` or `Signal alarm`.
    public func warning(about keys: String..., in section: String, _ message: String, advice: String) -> Diagnostic {
        for key in keys {
            if let place = places[key, in: section] {
                return Diagnostic(.warning, at: place, message, advice: advice)
            }
        }
        return Diagnostic(.warning, file: files.first ?? "", message, advice: advice)
    }
}
