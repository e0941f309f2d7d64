/// The stored facts of a session. Everything else is derived from them.
struct Facts: Hashable, Sendable {
    var library = LibraryFacts()
    var volume: Level
    /// The states of the signals, in the order of the policy.
    var signals: [SignalState]
    var episode: Episode?
    var servicesAvailable = true
    /// The reason why what the device plays cannot be heard, which is `muted` or `quiet`, or nil if it can.
    var playbackFault: Fault.Kind?
    /// True if the music was stopped against the user's wish (by an interruption, a lost device or a boot) and its
    /// position has not been changed since.
    var rewinds = false
    /// True while another device replaces the preferred device, or while the jack of the preferred device is empty.
    var isOnFallback = false
    var delay = DelayFacts()
    var sounds: SoundFacts
    var recording = RecordingFacts()
    var sources: SourceFacts
    /// The signals of the episode that ended without recommending that the music resume.
    var discouraging = Uncompared<[SignalID]>([])

    init(_ policy: Policy, volume: Level) {
        self.volume = min(volume, policy.maximumVolume)
        signals = Array(repeating: SignalState(), count: policy.signals.count)
        sounds = SoundFacts(count: policy.sounds.count)
        sources = SourceFacts(policy)
    }

    /// Returns true if both have the same saved state (see `Session.saved`).
    func savesLike(_ other: Facts) -> Bool {
        library.savesLike(other.library) && volume == other.volume && episode == other.episode
            && signals.elementsEqual(other.signals) { $0.savesLike($1) }
            && recording.isWanted == other.recording.isWanted
            && sources.savesLike(other.sources)
    }
}

/// The facts of the library and of the choice that replaces it.
struct LibraryFacts: Hashable, Sendable {
    private(set) var intent = Intent.stopped
    var track = 0
    var trackCount = 0
    /// The choice that is played in place of the library's list, or nil if there is none.
    var choice: Choice?
    /// True if the user's last command since the services were lost is play.
    var playedWhileLost = false
    /// The reason why the intent last changed.
    private(set) var intentCause = Uncompared(IntentCause.start)

    /// Changes the intent, and records why.
    mutating func intend(_ intent: Intent, because cause: IntentCause) {
        self.intent = intent
        intentCause.value = cause
    }

    func savesLike(_ other: LibraryFacts) -> Bool {
        intent == other.intent && track == other.track && choice == other.choice
            && (intent == .playing || intentCause.value == other.intentCause.value)
    }
}

/// What a `ResumeDelay` continues.
struct DelayFacts: Hashable, Sendable {
    /// The time at which the last blocking interruption ended, while a `ResumeDelay` continues the episode.
    var unblockedAt: Duration?
    /// The level of the last duck and the time at which it ended, while a `ResumeDelay` holds it.
    var heldDuck: HeldDuck?

    struct HeldDuck: Hashable, Sendable {
        let level: Level
        let since: Duration
    }
}

/// The facts of the announcements and of their sounds.
struct SoundFacts: Hashable, Sendable {
    /// The announcements that have been accepted, and have neither played to their end nor been dropped. The oldest
    /// comes first.
    var announcements: [PendingAnnouncement] = []
    /// For each sound whose policy has a `once`, in the order of the policy, the time of the last accepted request for an
    /// announcement, or nil if there has been none since the power returned.
    var accepted: [Duration?]
    /// A value for each sound, in the order of the policy, which is true if the sound cannot be read.
    var unreadable: [Bool]

    init(count: Int) {
        accepted = Array(repeating: nil, count: count)
        unreadable = Array(repeating: false, count: count)
    }
}

/// The required state of the music.
public enum Directive: Hashable, Sendable {
    case silent
    /// Play the music attenuated to this level, which is 0 dB if nothing ducks. The user's volume attenuates it
    /// further.
    case play(Level)

    var isSilent: Bool { self == .silent }

    /// The level. Silence has the level `mute`.
    var level: Level { if case .play(let level) = self { level } else { .mute } }
}

/// The user's intent for the music, regardless of whether it is possible now.
public enum Intent: String, Hashable, Sendable, CaseIterable { case playing, paused, stopped }

/// The time from the beginning of the first blocking interruption until the end of the last one. See
/// <doc:Semantics#Notifications>.
public struct Episode: Hashable, Sendable {
    /// The user's last command about playing during the episode.
    public enum LastCommand: String, Hashable, Sendable, CaseIterable { case play, pause, stop }
    /// The user's last command about recording during the episode.
    public enum RecordingWord: String, Hashable, Sendable, CaseIterable { case record, stopRecording }

    /// The reason for the interruption that started the episode.
    public var reason: InterruptionReason
    /// The user's last command about playing, or nil if there was none during the episode.
    public var lastCommand: LastCommand?
    /// The user's last command about recording, or nil if there was none during the episode.
    public var recordingWord: RecordingWord?
    /// True if every interruption of the episode that has ended recommended resuming.
    public var recommendsResuming: Bool

    public init(
        reason: InterruptionReason, lastCommand: LastCommand? = nil, recordingWord: RecordingWord? = nil,
        recommendsResuming: Bool = true
    ) {
        self.reason = reason
        self.lastCommand = lastCommand
        self.recordingWord = recordingWord
        self.recommendsResuming = recommendsResuming
    }
}

/// The state that continues for the policy's `resumeDelay` after its last signal has ended. If both delays elapse at
/// the same instant, the states end in this order.
public enum DelayedEnd: String, Hashable, Sendable, CaseIterable { case episode, duck }
