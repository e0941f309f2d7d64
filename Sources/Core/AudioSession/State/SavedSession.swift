/// What of a session survives the power: enough that a boot gives the same directive for the same lines.
public struct SavedSession: Hashable, Sendable {
    /// A signal that was asserted.
    public struct Held: Hashable, Sendable {
        public enum Standing: String, Hashable, Sendable, CaseIterable {
            case inForce
            /// Suppressed as an alert when it began: it has no effect when it ends either.
            case suppressed
            /// Its effect was dropped as stuck: it has none again until it was seen deasserted.
            case dropped
        }

        public var signal: SignalID
        public var standing: Standing
        /// When it began, on the session's clock.
        public var began: Duration
        /// Whether the fault `stuck` had been found.
        public var isStuck: Bool

        public init(signal: SignalID, standing: Standing, began: Duration, isStuck: Bool) {
            self.signal = signal
            self.standing = standing
            self.began = began
            self.isStuck = isStuck
        }
    }

    public var intent: Intent
    /// The current track's number, from 0.
    public var track: Int
    public var volume: Level
    /// The asserted signals, in the policy's order.
    public var held: [Held]
    public var episode: Episode?
    /// Whether the programme played: then the next boot rewinds it.
    public var wasPlaying: Bool

    public init(
        intent: Intent, track: Int, volume: Level, held: [Held], episode: Episode?, wasPlaying: Bool = false
    ) {
        self.intent = intent
        self.track = track
        self.volume = volume
        self.held = held
        self.episode = episode
        self.wasPlaying = wasPlaying
    }
}
