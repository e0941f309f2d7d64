/// Everything that survives a power cut, in plain values: the contents of the state file, without their meaning.
///
/// Times are ages at `savedAt`, so that they are valid on any clock of a later boot.
public struct SavedState: Hashable, Sendable {
    /// A signal that was asserted.
    public struct Held: Hashable, Sendable {
        public var signal: String
        /// `inForce`, `suppressed` or `dropped`.
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
        /// The user's last `play`, `pause` or `stop` during it.
        public var lastCommand: String?
        /// The user's last `record` or `stopRecording` during it.
        public var recordingWord: String?
        public var recommendsResuming: Bool

        public init(reason: String, lastCommand: String?, recordingWord: String? = nil, recommendsResuming: Bool) {
            self.reason = reason
            self.lastCommand = lastCommand
            self.recordingWord = recordingWord
            self.recommendsResuming = recommendsResuming
        }
    }

    /// Why it was quiet, for people to read: a boot does not depend on it.
    public struct Quiet: Hashable, Sendable {
        /// How long it had been quiet; zero if that was not measured.
        public var age: Duration
        /// Why the music was paused or stopped, in the session's words; nil if that does not apply.
        public var pauseCause: String?

        public init(age: Duration, pauseCause: String?) {
            self.age = age
            self.pauseCause = pauseCause
        }
    }

    /// A setting that a remote control has changed: it counts as long as the configured value stays what it was.
    public struct Choice: Hashable, Sendable {
        public var configured: String
        public var chosen: String

        public init(configured: String, chosen: String) {
            self.configured = configured
            self.chosen = chosen
        }
    }

    /// The daemon run that saved the state, so that the next run knows how that one ended.
    public struct Run: Hashable, Sendable {
        /// The kernel's boot ID, as the journal writes it: 32 hexadecimal digits.
        public var boot: String
        /// The time of the save since that boot: unlike the wall clock, this clock is never wrong.
        public var time: Duration
        /// Whether a stop of the daemon had been requested.
        public var isStopping: Bool

        public init(boot: String, time: Duration, isStopping: Bool) {
            self.boot = boot
            self.time = time
            self.isStopping = isStopping
        }
    }

    /// Time since 1970 by the wall clock, which can be wrong.
    public var savedAt: Duration
    /// `playing`, `paused` or `stopped`.
    public var intent: String
    /// The current track's path; nil without one.
    public var track: String?
    /// The track's index in the playing order, from 0, which is needed because a list can contain a track twice.
    public var trackNumber: Int
    /// Where the music would resume; if it was silent, its rewind is already included.
    public var position: Duration
    /// The position from which the music last continued, or to which it last jumped: no rewind goes back further.
    public var continuedFrom: Duration
    /// Whether the music was playing; if so, a boot rewinds it.
    public var wasPlaying: Bool
    /// In decibels, −120…0.
    public var volume: Double
    /// The seed of a shuffled music's order.
    public var shuffleSeed: UInt64
    /// What repeats, and whether the list is shuffled; nil: as configured.
    public var repeats: Choice?
    public var shuffle: Choice?
    public var held: [Held]
    public var episode: Episode?
    /// Whether recording was wanted; nil if nothing could record.
    public var wantsRecording: Bool?
    /// Nil if something was audible.
    public var quiet: Quiet?
    /// Nil if the state was saved by a version that did not record it, or not by a daemon.
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
