/// All that a session remembers. Everything else is derived from it.
struct Facts: Hashable, Sendable {
    var intent = Intent.stopped
    var track = 0
    var trackCount = 0
    var volume: Level
    /// In the policy's order.
    var signals: [SignalState]
    var episode: Episode?
    var servicesAvailable = true
    /// Whether playing was the user's last word since the services were lost.
    var playedWhileLost = false
    /// Whether the programme was stopped by an interruption, a lost device or a boot, and did not move since.
    var rewinds = false
    /// Whether the device that played was replaced by another, and has not returned.
    var isOnFallback = false
    /// When the last blocking interruption ended, while the episode outlasts it (`ResumeDelay`).
    var unblockedAt: Duration?
    /// The level at which the last duck ended, and when, while it outlasts that (`ResumeDelay`).
    var heldDuck: HeldDuck?

    struct HeldDuck: Hashable, Sendable {
        let level: Level
        let since: Duration
    }

    init(signals: Int, volume: Level) {
        self.volume = volume
        self.signals = Array(repeating: SignalState(), count: signals)
    }

    /// Whether what is saved of both is the same (see `Session.saved`).
    func savesLike(_ other: Facts) -> Bool {
        intent == other.intent && track == other.track && volume == other.volume && episode == other.episode
            && signals.elementsEqual(other.signals) { $0.savesLike($1) }
    }
}

/// What the programme should sound like, as a function of the facts.
public enum Directive: Hashable, Sendable {
    case silent
    /// Play, turned down by this much (0 dB when nothing ducks). The user's volume comes on top.
    case play(Level)
}

/// What the user wants, whatever happens to be possible.
public enum Intent: String, Hashable, Sendable, CaseIterable { case playing, paused, stopped }

/// From the first blocking interruption to the end of the last one.
public struct Episode: Hashable, Sendable {
    /// The last thing that the user said about playing, while it lasted.
    public enum LastWord: String, Hashable, Sendable, CaseIterable { case play, pause, stop }

    public var reason: InterruptionReason
    public var lastWord: LastWord?
    /// Whether every interruption of it that has ended recommended resuming.
    public var recommendsResuming: Bool

    public init(reason: InterruptionReason, lastWord: LastWord? = nil, recommendsResuming: Bool = true) {
        self.reason = reason
        self.lastWord = lastWord
        self.recommendsResuming = recommendsResuming
    }
}

/// What outlasts the signals that caused it by the policy's `resumeDelay`. In the order in which two that are due at one
/// instant end.
public enum DelayedEnd: String, Hashable, Sendable, CaseIterable { case episode, duck }
