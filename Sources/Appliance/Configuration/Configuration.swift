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

extension Configuration {
    /// Reads a configuration with its drop-ins; later files override earlier ones key by key.
    ///
    /// - Parameter checksLibrary: whether a missing library is an error. Its disk may also be mounted later, or take its
    ///   time to answer: then the loader of the library reports it.
    /// - Throws: every mistake of every file at once, or why no file could be read.
    public static func load(
        _ source: ConfigurationSource, checksLibrary: Bool = true
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try ConfigurationAttempt(source, checksLibrary: checksLibrary).get()
    }
}

/// A configuration without a mistake, and how it came about.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: Configuration
    /// What is worth a second look; all of severity `warning`.
    public let warnings: [Diagnostic]
    /// The files that were read, in their order: a later one overrides an earlier one.
    public let texts: [ConfigurationText]
    let places: KeyPlaces

    /// The paths of its files, in their order.
    public var files: [String] { texts.map(\.path) }

    /// A warning about a key's value: at its line, or, if no file sets it, about the first file as a whole.
    ///
    /// - Parameters:
    ///   - keys: the first of them that a file sets is meant.
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
