/// Everything that survives a power cut, in plain values. These are the contents of the state file, which are not
/// interpreted here.
///
/// Times are ages at `savedAt`, so that they are valid on any clock of a later boot.
public struct SavedState: Hashable, Sendable {
    /// A signal that was asserted.
    public struct Held: Hashable, Sendable {
        public var signal: String
        /// One of `inForce`, `suppressed` and `dropped`.
        public var standing: String
        public var age: Duration
        public var isStuck: Bool

        public init(signal: String, standing: String, age: Duration, isStuck: Bool) {
            self.signal = signal
            self.standing = standing
            self.age = age
            self.isStuck = isStuck
        }
    }

    /// The interruption that was in progress.
    public struct Episode: Hashable, Sendable {
        public var reason: String
        /// The user's last `play`, `pause` or `stop` during the interruption.
        public var lastCommand: String?
        /// The user's last `record` or `stopRecording` during the interruption.
        public var recordingWord: String?
        public var recommendsResuming: Bool

        public init(reason: String, lastCommand: String?, recordingWord: String? = nil, recommendsResuming: Bool) {
            self.reason = reason
            self.lastCommand = lastCommand
            self.recordingWord = recordingWord
            self.recommendsResuming = recommendsResuming
        }
    }

    /// An input, which is a place where audio arrives live.
    public struct Input: Hashable, Sendable {
        public var name: String
        /// One of `playing`, `paused` and `stopped`.
        public var intent: String
        /// True if the user has paused or stopped the input.
        public var isHeldByUser: Bool
        public var isSounding: Bool
        /// True if a choice has passed over the input while it sounded.
        public var isPassedOver: Bool
        /// The user's last `play`, `pause` or `stop` of the input during the interruption in progress.
        public var lastCommand: String?

        public init(
            name: String, intent: String, isHeldByUser: Bool, isSounding: Bool, isPassedOver: Bool = false,
            lastCommand: String?
        ) {
            self.name = name
            self.intent = intent
            self.isHeldByUser = isHeldByUser
            self.isSounding = isSounding
            self.isPassedOver = isPassedOver
            self.lastCommand = lastCommand
        }
    }

    /// A player that Tacet keeps paused.
    public struct Player: Hashable, Sendable {
        public var name: String
        /// One of `hold` and `command`.
        public var pause: String
        /// The user's last `play`, `pause` or `stop` since Tacet paused the player.
        public var lastCommand: String?

        public init(name: String, pause: String, lastCommand: String?) {
            self.name = name
            self.pause = pause
            self.lastCommand = lastCommand
        }
    }

    /// The reason why it was quiet, for people to read. A boot does not depend on it.
    public struct Quiet: Hashable, Sendable {
        /// The time for which it had been quiet, or zero if that was not measured.
        public var age: Duration
        /// The reason why the music was paused or stopped, in the words of the session, or nil if it was not.
        public var pauseCause: String?

        public init(age: Duration, pauseCause: String?) {
            self.age = age
            self.pauseCause = pauseCause
        }
    }

    /// A setting that a remote control has changed. It applies as long as the configured value does not change.
    public struct Mode: Hashable, Sendable {
        public var configured: String
        public var chosen: String

        public init(configured: String, chosen: String) {
            self.configured = configured
            self.chosen = chosen
        }
    }

    /// The tracks that the user has chosen in place of the library's list.
    public struct ChosenList: Hashable, Sendable {
        /// The place at which the library was left.
        public struct Left: Hashable, Sendable {
            /// The path of the track, or nil if there was none.
            public var track: String?
            public var trackNumber: Int
            public var position: Duration

            public init(track: String?, trackNumber: Int, position: Duration) {
                self.track = track
                self.trackNumber = trackNumber
                self.position = position
            }
        }

        /// The name of the track, folder or playlist, as the user has written it.
        public var name: String
        /// One of `continue`, `stop` and `repeat`.
        public var then: String
        public var left: Left

        public init(name: String, then: String, left: Left) {
            self.name = name
            self.then = then
            self.left = left
        }
    }

    /// The run of the daemon that saved the state. The next run uses it to determine how that run ended.
    public struct Run: Hashable, Sendable {
        /// The kernel's boot ID in the format of the journal, which is 32 hexadecimal digits.
        public var boot: String
        /// The time of the save since that boot. Unlike the wall clock, this clock is never wrong.
        public var time: Duration
        /// True if a stop of the daemon had been requested.
        public var isStopping: Bool

        public init(boot: String, time: Duration, isStopping: Bool) {
            self.boot = boot
            self.time = time
            self.isStopping = isStopping
        }
    }

    /// The time since 1970 by the wall clock, which may be wrong.
    public var savedAt: Duration
    /// One of `playing`, `paused` and `stopped`.
    public var intent: String
    /// The path of the current track, or nil if there is none.
    public var track: String?
    /// The index of the track in the playing order, counted from 0. It is necessary because a list can contain a track
    /// twice.
    public var trackNumber: Int
    /// The position at which the music would resume. If the music was silent, the rewind is already included.
    public var position: Duration
    /// The position from which the music last continued, or to which it last jumped. The music is never rewound beyond
    /// this position.
    public var continuedFrom: Duration
    /// True if the music was playing. In that case, a boot rewinds it.
    public var wasPlaying: Bool
    /// The volume in decibels, from −120 to 0.
    public var volume: Double
    /// The seed of the order of a shuffled list.
    public var shuffleSeed: UInt64
    /// The repeat mode and the shuffle mode, or nil for the configured one.
    public var repeats: Mode?
    public var shuffle: Mode?
    public var held: [Held]
    public var episode: Episode?
    /// The choice in progress, or nil if there is none. `track`, `trackNumber` and the positions are those of the choice.
    public var choice: ChosenList?
    /// The inputs that have ever sounded. Those that sounded come first, in the order in which they began.
    public var inputs: [Input] = []
    /// The players that Tacet keeps paused.
    public var players: [Player] = []
    /// True if recording was wanted, or nil if the session could not record.
    public var wantsRecording: Bool?
    /// The reason for the silence, or nil if something was audible.
    public var quiet: Quiet?
    /// The run that saved the state, or nil if a version that did not record it, or a program other than the daemon,
    /// saved the state.
    public var run: Run?

    public init(
        savedAt: Duration, intent: String, track: String?, trackNumber: Int = 0, position: Duration,
        continuedFrom: Duration = .zero, wasPlaying: Bool = false, volume: Double, shuffleSeed: UInt64,
        held: [Held], episode: Episode?, run: Run? = nil
    ) {
        self.savedAt = savedAt
        self.intent = intent
        self.track = track
        self.trackNumber = trackNumber
        self.position = position
        self.continuedFrom = continuedFrom
        self.wasPlaying = wasPlaying
        self.volume = volume
        self.shuffleSeed = shuffleSeed
        self.held = held
        self.episode = episode
        self.run = run
    }
}
