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

    /// Whether what is saved of both is the same (see `AudioSession.saved`).
    func savesLike(_ other: Facts) -> Bool {
        intent == other.intent && track == other.track && volume == other.volume && episode == other.episode
            && signals.elementsEqual(other.signals) { $0.savesLike($1) }
    }
}
