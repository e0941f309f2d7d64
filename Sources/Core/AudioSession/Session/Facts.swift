/// Everything that a session remembers. All else is derived from it.
struct Facts: Hashable, Sendable {
    private(set) var intent = Intent.stopped
    var track = 0
    var trackCount = 0
    var volume: Level
    /// In the policy's order.
    var signals: [SignalState]
    var episode: Episode?
    var servicesAvailable = true
    /// Whether the user's last word since the services were lost is play.
    var playedWhileLost = false
    /// Whether the music was stopped against the user's wish (an interruption, a lost device, a boot), with no jump
    /// since.
    var rewinds = false
    /// Whether a fallback replaced the device or its jack is empty, and it has not returned.
    var isOnFallback = false
    /// When the last blocking interruption ended, while a `ResumeDelay` continues the episode.
    var unblockedAt: Duration?
    /// The level of the last duck and when it ended, while a `ResumeDelay` holds it.
    var heldDuck: HeldDuck?
    /// The announcements that have been accepted, and neither heard to their end nor dropped; oldest first.
    var announcements: [PendingAnnouncement] = []
    var recording = RecordingFacts()
    /// Whether a sound cannot be read; in the policy's order.
    var unreadableSounds: [Bool]
    /// Why the intent last changed.
    private(set) var intentCause = Uncompared(IntentCause.start)
    /// The signals of the episode that ended without recommending to resume.
    var discouraging = Uncompared<[SignalID]>([])

    struct HeldDuck: Hashable, Sendable {
        let level: Level
        let since: Duration
    }

    init(signals: Int, sounds: Int, volume: Level) {
        self.volume = volume
        unreadableSounds = Array(repeating: false, count: sounds)
        self.signals = Array(repeating: SignalState(), count: signals)
    }

    /// Changes the intent, and records why.
    mutating func intend(_ intent: Intent, because cause: IntentCause) {
        self.intent = intent
        intentCause.value = cause
    }

    /// Whether both have the same saved state (see `Session.saved`).
    func savesLike(_ other: Facts) -> Bool {
        intent == other.intent && track == other.track && volume == other.volume && episode == other.episode
            && signals.elementsEqual(other.signals) { $0.savesLike($1) }
            && recording.isWanted == other.recording.isWanted
            && (intent == .playing || intentCause.value == other.intentCause.value)
    }
}

/// What should be heard of the music.
public enum Directive: Hashable, Sendable {
    case silent
    /// Play, attenuated to this level: 0 dB if nothing ducks. The user's volume attenuates it further.
    case play(Level)

    /// The level; silence counts as `mute`.
    var level: Level { if case .play(let level) = self { level } else { .mute } }
}

/// What the user wants, whether or not it is possible now.
public enum Intent: String, Hashable, Sendable, CaseIterable { case playing, paused, stopped }

/// The time from the first blocking interruption to the end of the last one. See <doc:Semantics#Notifications>.
public struct Episode: Hashable, Sendable {
    /// The user's last command about playing during the episode.
    public enum LastCommand: String, Hashable, Sendable, CaseIterable { case play, pause, stop }
    /// The user's last command about recording during the episode.
    public enum RecordingWord: String, Hashable, Sendable, CaseIterable { case record, stopRecording }

    /// The reason of the interruption that started it.
    public var reason: InterruptionReason
    /// nil if the user has sent no such command during the episode.
    public var lastCommand: LastCommand?
    /// nil if the user has sent no such command during the episode.
    public var recordingWord: RecordingWord?
    /// Whether every interruption of the episode that has ended recommended resuming.
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

/// What continues for the policy's `resumeDelay` after its last signal has ended. If both are due at the same instant,
/// they end in this order.
public enum DelayedEnd: String, Hashable, Sendable, CaseIterable { case episode, duck }
