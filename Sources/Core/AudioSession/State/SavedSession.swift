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

    /// What is saved about an input that is not a page.
    public struct Input: Hashable, Sendable {
        public var input: InputID
        public var intent: Intent
        /// True if the user has paused or stopped the input.
        public var isHeldByUser: Bool
        /// True if the input sounded.
        public var isSounding: Bool
        /// True if a choice has passed over the input while it sounded.
        public var isPassedOver: Bool
        /// The user's last command about the input in the episode in progress, or nil if there is none.
        public var lastCommand: Episode.LastCommand?

        public init(
            input: InputID, intent: Intent, isHeldByUser: Bool = false, isSounding: Bool = false,
            isPassedOver: Bool = false, lastCommand: Episode.LastCommand? = nil
        ) {
            self.input = input
            self.intent = intent
            self.isHeldByUser = isHeldByUser
            self.isSounding = isSounding
            self.isPassedOver = isPassedOver
            self.lastCommand = lastCommand
        }
    }

    /// A player that Tacet keeps paused.
    public struct Player: Hashable, Sendable {
        /// The reason why Tacet keeps a player paused. The raw values are part of the format of the saved state.
        public enum Pause: String, Hashable, Sendable, CaseIterable {
            /// Something is heard in its place. The player resumes afterwards.
            case hold
            /// Its input is paused or stopped. The player resumes when the user plays.
            case command
        }

        public var player: PlayerID
        public var pause: Pause
        /// The user's last command to the player's source since the player was paused, or nil if there is none.
        public var lastCommand: Episode.LastCommand?

        public init(player: PlayerID, pause: Pause, lastCommand: Episode.LastCommand? = nil) {
            self.player = player
            self.pause = pause
            self.lastCommand = lastCommand
        }
    }

    /// The user's intent for the library's music.
    public var intent: Intent
    /// The reason why the intent last changed, or nil if it is unknown. Comparisons ignore it.
    public var intentCause: IntentCause? {
        get { uncomparedCause.value }
        set { uncomparedCause.value = newValue }
    }
    private var uncomparedCause: Uncompared<IntentCause?>
    /// The number of the library's current track, counted from 0. It is the track with which the library continues after
    /// a choice.
    public var track: Int
    /// The level that the user has set for the music.
    public var volume: Level
    /// The asserted signals, in the order of the policy.
    public var held: [Held]
    /// The episode in progress, or nil if there was none.
    public var episode: Episode?
    /// True if the library's music was playing. In that case, the next boot rewinds it by `ResumeRewind`.
    public var wasPlaying: Bool
    /// True if the user wants to record, or nil if the session could not record, so that `AutoRecord=` decides.
    public var wantsRecording: Bool?
    /// The inputs. Those that sounded come first, in the order in which they began.
    public var inputs: [Input]
    /// The players that Tacet keeps paused, in the order of the policy.
    public var players: [Player]
    /// The choice in progress, or nil if there is none.
    public var choice: Choice?

    public init(
        intent: Intent, intentCause: IntentCause? = nil, track: Int, volume: Level, held: [Held], episode: Episode?,
        wasPlaying: Bool = false, wantsRecording: Bool? = nil, inputs: [Input] = [], players: [Player] = [],
        choice: Choice? = nil
    ) {
        self.intent = intent
        uncomparedCause = Uncompared(intentCause)
        self.track = track
        self.volume = volume
        self.held = held
        self.episode = episode
        self.wasPlaying = wasPlaying
        self.wantsRecording = wantsRecording
        self.inputs = inputs
        self.players = players
        self.choice = choice
    }
}
