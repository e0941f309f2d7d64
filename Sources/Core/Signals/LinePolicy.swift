/// The rules by which the electrical level of a line is interpreted. Durations must not be negative.
public struct LinePolicy: Hashable, Sendable {
    /// The effect that a line has after it has been lost for `lostGrace`.
    public enum WhenLost: String, Hashable, Sendable, CaseIterable {
        /// The line keeps its last effect.
        case hold
        /// The line is treated as deasserted.
        case release
        /// The line is treated as asserted. This is fail-safe, because a line in an unknown state must not be mistaken
        /// for a deasserted one.
        case assert
    }

    /// True if the low level means asserted.
    public var isActiveLow = false
    /// True if a second line has the opposite contact of a changeover contact.
    public var hasComplement = false
    /// The time between two readings if the chip of the line cannot report edges. A conditioner does not need it.
    public var poll = defaultPoll
    /// The time for which a level must have been stable before it takes effect. A shorter level is ignored.
    public var debounce = Duration.milliseconds(30)
    /// The time for which a deassertion must last, after `debounce`, before it takes effect. It bridges the gaps
    /// between the pulses of a ringing line, so that the music does not start and stop with each pulse.
    public var releaseDelay = Duration.zero
    /// The limit for level changes within `chatterWindow`. More changes are chatter. The slowest bell (16⅔ Hz, one
    /// pulse per period) causes 33 changes per second, or 24 in a double ring, so it is treated as asserted even if
    /// `debounce` ignores each of its pulses.
    public var chatterLimit = 20
    /// The time in which level changes are counted, and for which the line must be quiet before chatter ends.
    public var chatterWindow = Duration.seconds(1)
    /// The time after which an assertion is a fault, or nil if there is no limit.
    public var stuckAfter: Duration?
    /// The time for which a lost line keeps its last effect before `whenLost` applies.
    public var lostGrace = Duration.seconds(5)
    /// The effect that a lost line has after `lostGrace`.
    public var whenLost = WhenLost.hold

    /// The default of `poll`.
    public static let defaultPoll = Duration.milliseconds(20)

    /// Creates the default policy, which the properties can change.
    public init() {}
}
