/// The part of a session that its configuration determines and no event changes.
public struct Policy: Hashable, Sendable {
    /// The activities of the session. Apple's other categories arbitrate between apps that share the output of a phone.
    /// Here, the effects of the signals serve this purpose.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        case playback, record, playAndRecord

        public var records: Bool { self != .playback }
    }

    /// The kind of audio that is played.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        case `default`
        /// Speech, which a duck pauses.
        case spokenAudio
    }

    /// Exceptions to the category's behaviour.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A muted microphone does not interrupt a session that records.
        public static let overrideMutedMicrophoneInterruption = Options(rawValue: 1)
    }

    /// The behaviour at the end of a track or of the list, like MPRIS's `LoopStatus` (None, Track, Playlist).
    public enum Repeat: String, Hashable, Sendable, CaseIterable { case none, track, playlist }

    public var category: Category
    public var mode: Mode
    public var options: Options
    /// True if signals that are system alerts are suppressed (Apple: `setPrefersNoInterruptionsFromSystemAlerts(_:)`).
    public var prefersNoInterruptionsFromSystemAlerts: Bool
    /// True if a user can start playback again. If false, the music resumes even if the end of an episode does not
    /// recommend it (Apple: "Apps that don't present a playback interface … can ignore this flag").
    public var hasPlaybackInterface: Bool
    /// True if the music resumes after the media services were reset, provided that the intent is playing. If false, it
    /// waits for the user.
    public var resumesAfterReset: Bool
    /// True if the music pauses when the device in use is unplugged, as on every phone.
    public var pausesOnRouteLoss: Bool
    /// The time for which an episode continues after the last signal stops blocking, and for which a duck continues
    /// after the last signal stops ducking. It must not be negative. It bridges the gap between a ring and the accepted
    /// call when these use two wires. See <doc:Semantics#Resume-delay>.
    public var resumeDelay: Duration
    public var repeats: Repeat
    /// True if the intent is playing after a boot without a saved state. Otherwise, the intent is stopped.
    public var autoPlay: Bool
    /// The music's level after a boot without a saved state.
    public var volume: Level
    /// The highest level that the music can have. Whatever sets a higher level sets this one instead.
    public var maximumVolume: Level
    /// The policy for recording from the microphone, or nil if the session does not record. Only a category that
    /// records uses it.
    public var recorder: RecorderPolicy?
    /// The signals. Each name must occur only once.
    public var signals: [SignalPolicy] { didSet { cuesByName = Policy.cuesByName(signals) } }
    /// The sounds. Each name must occur only once.
    public var sounds: [SoundPolicy]
    /// The inputs. Each name must occur only once, and differ from those of the sounds and from `library`.
    public var inputs: [InputPolicy]
    /// The players. Each name must occur only once.
    public var players: [PlayerID]
    /// The indices of the signals that name a cue, in the order of the signals' names.
    private(set) var cuesByName: [Int]

    public init(
        category: Category = .playback, mode: Mode = .default, options: Options = [],
        prefersNoInterruptionsFromSystemAlerts: Bool = false, hasPlaybackInterface: Bool = true,
        resumesAfterReset: Bool = true, pausesOnRouteLoss: Bool = true, resumeDelay: Duration = .zero,
        repeats: Repeat = .none, autoPlay: Bool = true, volume: Level = .full, maximumVolume: Level = .full,
        recorder: RecorderPolicy? = nil,
        signals: [SignalPolicy], sounds: [SoundPolicy] = [], inputs: [InputPolicy] = [], players: [PlayerID] = []
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
        self.maximumVolume = maximumVolume
        self.recorder = recorder
        self.signals = signals
        self.sounds = sounds
        self.inputs = inputs
        self.players = players
        cuesByName = Policy.cuesByName(signals)
    }

    private static func cuesByName(_ signals: [SignalPolicy]) -> [Int] {
        signals.indices.filter { signals[$0].cue != nil }.sorted { signals[$0].id < signals[$1].id }
    }

    /// True if the session can record.
    public var canRecord: Bool { category.records && recorder != nil }

    /// True if the session can record, and an interruption does not pause its recording.
    public var recordsDuringInterruptions: Bool { canRecord && recorder?.during == .interruptions }

    /// True if any signal names a cue.
    var hasCues: Bool { !cuesByName.isEmpty }

    /// Returns the sound that this signal names as its cue, or nil if there is none.
    func cue(of signal: Int) -> SoundPolicy? {
        signals[signal].cue.flatMap { cue in sounds.first { $0.id == cue } }
    }

    /// Returns the reason why the music must be silent while a signal with this effect is active, or nil if it need not
    /// be silent.
    func interruptionReason(of effect: Effect) -> InterruptionReason? {
        switch effect {
        case .pause: .default
        case .duck: mode == .spokenAudio ? .default : nil
        case .muteMicrophone:
            category.records && !options.contains(.overrideMutedMicrophoneInterruption) ? .builtInMicMuted : nil
        case .checkpoint, .ignore: nil
        }
    }

    /// Returns the level to which a signal with this effect ducks the music, or nil if it does not duck.
    func duckLevel(of effect: Effect) -> Level? {
        guard case .duck(let level) = effect, mode != .spokenAudio else { return nil }
        return level
    }

    /// Returns true if this signal is suppressed as an alert when it begins. A signal that affects neither the music
    /// nor the microphone is never suppressed.
    func suppresses(_ signal: SignalPolicy) -> Bool {
        guard prefersNoInterruptionsFromSystemAlerts, signal.isAlert else { return false }
        switch signal.effect {
        case .pause, .duck, .muteMicrophone: return true
        case .checkpoint, .ignore: return false
        }
    }
}

/// The part of the configuration's `[Recording]` section that a session needs. See <doc:Semantics#Recording>.
public struct RecorderPolicy: Hashable, Sendable {
    /// True if recording is wanted after a boot without a saved state.
    public var autoRecord: Bool
    public var during: During

    /// The times at which a wanted recording runs.
    public enum During: String, Hashable, Sendable, CaseIterable {
        /// The recording pauses with the music while something interrupts it.
        case active
        /// The recording also runs during interruptions.
        case interruptions
    }

    public init(autoRecord: Bool = false, during: During = .active) {
        self.autoRecord = autoRecord
        self.during = during
    }
}
