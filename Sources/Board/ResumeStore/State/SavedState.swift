/// All that survives the power, in plain values: what a file holds, without the meaning.
///
/// Instants are ages at `savedAt`, so that they hold on any clock of a later boot.
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

    /// The interruption that lasted.
    public struct Episode: Hashable, Sendable {
        public var reason: String
        /// The user's last `play`, `pause` or `stop` during it.
        public var lastWord: String?
        public var recommendsResuming: Bool

        public init(reason: String, lastWord: String?, recommendsResuming: Bool) {
            self.reason = reason
            self.lastWord = lastWord
            self.recommendsResuming = recommendsResuming
        }
    }

    /// Why it was quiet, for people: what a boot does does not depend on it.
    public struct Quiet: Hashable, Sendable {
        /// For how long it had been.
        public var age: Duration
        /// Why the programme was not to play, in the appliance's words; nil where that is no question.
        public var rest: String?

        public init(age: Duration, rest: String?) {
            self.age = age
            self.rest = rest
        }
    }

    /// The run of the daemon that saved it, so that its successor knows how that run ended.
    public struct Run: Hashable, Sendable {
        /// The kernel's boot ID, as the journal writes it: 32 hexadecimal digits.
        public var boot: String
        /// When it was saved, since that boot: unlike the wall clock, this clock is never wrong.
        public var time: Duration
        /// Whether somebody had asked the daemon to stop.
        public var isStopping: Bool

        public init(boot: String, time: Duration, isStopping: Bool) {
            self.boot = boot
            self.time = time
            self.isStopping = isStopping
        }
    }

    /// Time since 1970 by the wall clock, which need not be right.
    public var savedAt: Duration
    /// `playing`, `paused` or `stopped`.
    public var intent: String
    /// The current track's path; nil without one.
    public var track: String?
    /// Its place in the order in which tracks are played, from 0: a list may have a track twice.
    public var trackNumber: Int
    /// Where it would resume: that of a silent programme includes its rewind.
    public var position: Duration
    /// The position from which the programme last continued, or to which it last jumped: no rewind goes back further.
    public var continuedFrom: Duration
    /// Whether the programme played: then a boot rewinds it.
    public var wasPlaying: Bool
    /// In decibels, −120…0.
    public var volume: Double
    /// What the order of a shuffled programme follows from.
    public var shuffleSeed: UInt64
    public var held: [Held]
    public var episode: Episode?
    /// nil while something is heard.
    public var quiet: Quiet?
    /// nil: saved by a version that did not record it, or by no daemon.
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
