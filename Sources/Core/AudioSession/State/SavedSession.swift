/// The part of a session that survives a power cut: enough for a boot to derive the same directive for the same lines.
///
/// A playing music's position is not part of it: the player saves that.
public struct SavedSession: Hashable, Sendable {
    /// A signal that was asserted.
    public struct Held: Hashable, Sendable {
        /// What an asserted signal's effect is. The raw values are part of the saved state's format.
        public enum Standing: String, Hashable, Sendable, CaseIterable {
            /// It has its effect.
            case active = "inForce"
            /// Suppressed as an alert at its begin, so its end has no effect either.
            case suppressed
            /// Its effect was dropped as stuck. It has none until the signal has been seen deasserted.
            case dropped
        }

        public var signal: SignalID
        public var standing: Standing
        /// When it began, on the clock of the session's events.
        public var began: Duration
        /// Whether it has the fault `stuck`.
        public var isStuck: Bool

        public init(signal: SignalID, standing: Standing, began: Duration, isStuck: Bool) {
            self.signal = signal
            self.standing = standing
            self.began = began
            self.isStuck = isStuck
        }
    }

    /// What the user wants.
    public var intent: Intent
    /// Why the intent last changed; nil if it is unknown. Saved sessions that differ only in it are equal.
    public var intentCause: IntentCause? {
        get { uncomparedCause.value }
        set { uncomparedCause.value = newValue }
    }
    private var uncomparedCause: Uncompared<IntentCause?>
    /// The current track's number, from 0.
    public var track: Int
    /// The level that the user has set for the music.
    public var volume: Level
    /// The asserted signals, in the policy's order.
    public var held: [Held]
    /// The episode in progress; nil if there was none.
    public var episode: Episode?
    /// Whether the music was playing. If so, the next boot rewinds it by `ResumeRewind`.
    public var wasPlaying: Bool
    /// Whether the user wants to record; nil if the session could not record, and `AutoRecord=` decides.
    public var wantsRecording: Bool?

    public init(
        intent: Intent, intentCause: IntentCause? = nil, track: Int, volume: Level, held: [Held], episode: Episode?,
        wasPlaying: Bool = false, wantsRecording: Bool? = nil
    ) {
        self.intent = intent
        uncomparedCause = Uncompared(intentCause)
        self.track = track
        self.volume = volume
        self.held = held
        self.episode = episode
        self.wasPlaying = wasPlaying
        self.wantsRecording = wantsRecording
    }
}
