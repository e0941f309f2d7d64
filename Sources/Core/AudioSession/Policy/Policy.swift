/// Everything about a session that its configuration decides, and no event changes.
public struct Policy: Hashable, Sendable {
    /// What the session is for. Apple's other categories arbitrate between apps that share one phone's output;
    /// here the signals' effects say that.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        case playback, record, playAndRecord

        var records: Bool { self != .playback }
    }

    public enum Mode: String, Hashable, Sendable, CaseIterable {
        case `default`
        /// The programme is speech, for which a duck is a pause.
        case spokenAudio
    }

    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A muted microphone does not interrupt a session that records.
        public static let overrideMutedMicrophoneInterruption = Options(rawValue: 1)
    }

    /// MPRIS's `LoopStatus`: None, Track, Playlist.
    public enum Repeat: String, Hashable, Sendable, CaseIterable { case none, track, playlist }

    public var category: Category
    public var mode: Mode
    public var options: Options
    /// Signals that are system alerts do not interrupt (Apple: `setPrefersNoInterruptionsFromSystemAlerts(_:)`).
    public var prefersNoInterruptionsFromSystemAlerts: Bool
    /// Whether there is anything with which a user could start playback again. Without one an end that does not
    /// recommend resuming resumes all the same (Apple: "Apps that don't present a playback interface … can ignore
    /// this flag").
    public var hasPlaybackInterface: Bool
    /// Whether the programme goes on by the user's intent after the media services were reset.
    public var resumesAfterReset: Bool
    /// Whether the programme pauses when the device that was playing is unplugged, as on every phone.
    public var pausesOnRouteLoss: Bool
    /// An episode ends only when nothing has blocked for this long, and a duck only when nothing has ducked for this
    /// long: 0 or more. It bridges the gap between a ring and its accepted call, on two wires.
    public var resumeDelay: Duration
    public var repeats: Repeat
    /// The intent of a first boot, when there is no saved state: playing, else stopped.
    public var autoPlay: Bool
    /// The programme's level when there is no saved state.
    public var volume: Level
    /// Each name once.
    public var signals: [SignalPolicy]

    public init(
        category: Category = .playback, mode: Mode = .default, options: Options = [],
        prefersNoInterruptionsFromSystemAlerts: Bool = false, hasPlaybackInterface: Bool = true,
        resumesAfterReset: Bool = true, pausesOnRouteLoss: Bool = true, resumeDelay: Duration = .zero,
        repeats: Repeat = .none, autoPlay: Bool = true, volume: Level = .full, signals: [SignalPolicy]
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
        self.signals = signals
    }

    /// Why programme audio has to be silent while a signal of this effect is in force, or nil when it need not.
    func interruptionReason(of effect: Effect) -> InterruptionReason? {
        switch effect {
        case .pause: .default
        case .duck: mode == .spokenAudio ? .default : nil
        case .muteMicrophone:
            category.records && !options.contains(.overrideMutedMicrophoneInterruption) ? .builtInMicMuted : nil
        case .checkpoint, .ignore: nil
        }
    }

    /// The level to which a signal of this effect turns the programme down, or nil when it does not.
    func duckLevel(of effect: Effect) -> Level? {
        guard case .duck(let level) = effect, mode != .spokenAudio else { return nil }
        return level
    }

    /// Whether a begin of this signal is suppressed as an alert. What takes no part in interruptions cannot be.
    func suppresses(_ signal: SignalPolicy) -> Bool {
        guard prefersNoInterruptionsFromSystemAlerts, signal.isAlert else { return false }
        switch signal.effect {
        case .pause, .duck, .muteMicrophone: return true
        case .checkpoint, .ignore: return false
        }
    }
}
