/// The part of a session that survives a power cut. From it, a boot derives the same directive if the lines have not
/// changed.
///
/// It does not contain the position of the music, which the player saves.
public struct SavedSession: Hashable, Sendable {
    /// A signal that was asserted.
    public struct Held: Hashable, Sendable {
        /// The effect that an asserted signal has. The raw values are part of the format of the saved state.
        public enum Standing: String, Hashable, Sendable, CaseIterable {
            /// The signal has its effect.
            case active = "inForce"
            /// The signal was suppressed as an alert when it began, so its end also has no effect.
            case suppressed
            /// The effect was dropped because the signal was stuck. The signal has no effect until it has been
            /// deasserted.
            case dropped
        }

        public var signal: SignalID
        public var standing: Standing
        /// The time at which the signal began, on the clock of the session's events.
        public var began: Duration
        /// True if the signal has the fault `stuck`.
        public var isStuck: Bool

        public init(signal: SignalID, standing: Standing, began: Duration, isStuck: Bool) {
            self.signal = signal
            self.standing = standing
            self.began = began
            self.isStuck = isStuck
        }
    }

    /// The user's intent for the music.
    public var intent: Intent
    /// The reason why the intent last changed, or nil if it is unknown. Comparisons ignore it.
    public var intentCause: IntentCause? {
        get { uncomparedCause.value }
        set { uncomparedCause.value = newValue }
    }
    private var uncomparedCause: Uncompared<IntentCause?>
    /// The number of the current track, counted from 0.
    public var track: Int
    /// The level that the user has set for the music.
    public var volume: Level
    /// The asserted signals, in the order of the policy.
    public var held: [Held]
    /// The episode in progress, or nil if there was none.
    public var episode: Episode?
    /// True if the music was playing. In that case, the next boot rewinds it by `ResumeRewind`.
    public var wasPlaying: Bool
    /// True if the user wants to record, or nil if the session could not record, so that `AutoRecord=` decides.
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
