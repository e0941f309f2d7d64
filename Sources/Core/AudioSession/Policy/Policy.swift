/// The part of a session that its configuration determines and no event changes.
public struct Policy: Hashable, Sendable {
    /// What the session does. Apple's other categories arbitrate between apps that share a phone's output; here the
    /// signals' effects decide instead.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        case playback, record, playAndRecord

        public var records: Bool { self != .playback }
    }

    /// What the music is.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        case `default`
        /// Speech: a duck pauses it.
        case spokenAudio
    }

    /// Exceptions to the category's behaviour.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A muted microphone does not interrupt a session that records.
        public static let overrideMutedMicrophoneInterruption = Options(rawValue: 1)
    }

    /// What follows the end of a track or of the list, like MPRIS's `LoopStatus`: None, Track, Playlist.
    public enum Repeat: String, Hashable, Sendable, CaseIterable { case none, track, playlist }

    public var category: Category
    public var mode: Mode
    public var options: Options
    /// Whether signals that are system alerts are suppressed (Apple: `setPrefersNoInterruptionsFromSystemAlerts(_:)`).
    public var prefersNoInterruptionsFromSystemAlerts: Bool
    /// Whether a user can start playback again. If not, the music resumes even if an episode's end does not recommend
    /// it (Apple: "Apps that don't present a playback interface … can ignore this flag").
    public var hasPlaybackInterface: Bool
    /// Whether the music resumes by the user's intent after the media services were reset. If not, it waits for the
    /// user.
    public var resumesAfterReset: Bool
    /// Whether the music pauses when the device in use is unplugged, as on every phone.
    public var pausesOnRouteLoss: Bool
    /// An episode ends only when nothing has blocked for this long, and a duck only when nothing has ducked for this
    /// long; zero or more. It bridges the gap between a ring and its accepted call on two wires. See
    /// <doc:Semantics#Resume-delay>.
    public var resumeDelay: Duration
    public var repeats: Repeat
    /// Whether the intent is playing after a boot without a saved state; otherwise stopped.
    public var autoPlay: Bool
    /// The music's level after a boot without a saved state.
    public var volume: Level
    /// What records the microphone; nil if nothing does. Only a category that records uses it.
    public var recorder: RecorderPolicy?
    /// The signals; each name must occur only once.
    public var signals: [SignalPolicy] { didSet { cuesByName = Policy.cuesByName(signals) } }
    /// The sounds; each name must occur only once.
    public var sounds: [SoundPolicy]
    /// The indices of the signals that name a cue, in the order of the signals' names.
    private(set) var cuesByName: [Int]

    public init(
        category: Category = .playback, mode: Mode = .default, options: Options = [],
        prefersNoInterruptionsFromSystemAlerts: Bool = false, hasPlaybackInterface: Bool = true,
        resumesAfterReset: Bool = true, pausesOnRouteLoss: Bool = true, resumeDelay: Duration = .zero,
        repeats: Repeat = .none, autoPlay: Bool = true, volume: Level = .full, recorder: RecorderPolicy? = nil,
        signals: [SignalPolicy], sounds: [SoundPolicy] = []
    ) {
        self.category = category
        self.mode = mode
        self.options = options
        self.prefersNoInterruptionsFromSystemAlerts = prefersNoInterruptionsFromSystemAlerts
        self.hasPlaybackInterface = hasPlaybackInterface
        self.resumesAfterReset = resumesAfterReset
        self.pausesOnRouteLoss = pausesOnRouteLoss
        self.resumeDelay = resumeDelay
        self.repeats = repeats
        self.autoPlay = autoPlay
        self.volume = volume
        self.recorder = recorder
        self.signals = signals
        self.sounds = sounds
        cuesByName = Policy.cuesByName(signals)
    }

    private static func cuesByName(_ signals: [SignalPolicy]) -> [Int] {
        signals.indices.filter { signals[$0].cue != nil }.sorted { signals[$0].id < signals[$1].id }
    }

    /// Whether the session can record.
    public var canRecord: Bool { category.records && recorder != nil }

    /// Whether any signal names a cue.
    var hasCues: Bool { !cuesByName.isEmpty }

    /// The sound that this signal names as its cue; nil if there is none.
    func cue(of signal: Int) -> SoundPolicy? {
        signals[signal].cue.flatMap { cue in sounds.first { $0.id == cue } }
    }

    /// Why the music must be silent while a signal with this effect is active; nil if it need not be.
    func interruptionReason(of effect: Effect) -> InterruptionReason? {
        switch effect {
        case .pause: .default
        case .duck: mode == .spokenAudio ? .default : nil
        case .muteMicrophone:
            category.records && !options.contains(.overrideMutedMicrophoneInterruption) ? .builtInMicMuted : nil
        case .checkpoint, .ignore: nil
        }
    }

    /// The level to which a signal with this effect ducks the music; nil if it does not duck.
    func duckLevel(of effect: Effect) -> Level? {
        guard case .duck(let level) = effect, mode != .spokenAudio else { return nil }
        return level
    }

    /// Whether the begin of this signal is suppressed as an alert. A signal that affects neither music nor microphone
    /// never is.
    func suppresses(_ signal: SignalPolicy) -> Bool {
        guard prefersNoInterruptionsFromSystemAlerts, signal.isAlert else { return false }
        switch signal.effect {
        case .pause, .duck, .muteMicrophone: return true
        case .checkpoint, .ignore: return false
        }
    }
}

/// How a session records its microphone: the part of the configuration's `[Recording]` that a session needs. See
/// <doc:Semantics#Recording>.
public struct RecorderPolicy: Hashable, Sendable {
    /// Whether recording is wanted after a boot without a saved state.
    public var autoRecord: Bool

    public init(autoRecord: Bool = false) { self.autoRecord = autoRecord }
}
