/// How to interpret the electrical level of a line. No duration is negative.
public struct LinePolicy: Hashable, Sendable {
    /// How a line counts after it has been lost for `lostGrace`.
    public enum WhenLost: String, Hashable, Sendable, CaseIterable {
        /// The line keeps its last effect.
        case hold
        /// The line counts as deasserted.
        case release
        /// The line counts as asserted. This is fail-safe, because a line in an unknown state must not be mistaken for
        /// a deasserted one.
        case assert
    }

    /// True if the low level means asserted.
    public var isActiveLow = false
    /// The time for which a level must have been stable before it takes effect. A shorter level is ignored.
    public var debounce = Duration.milliseconds(30)
    /// The time after `debounce` at which a deassertion takes effect, unless the line is asserted again meanwhile. A
    /// ringing line pulses, and the music must not pump with it.
    public var releaseDelay = Duration.zero
    /// The limit for level changes within `chatterWindow`. More changes are chatter. The slowest bell (16⅔ Hz, one
    /// pulse per period) has 33 changes per second, and 24 in a double ring, so it counts as asserted even if
    /// `debounce` ignores each of its pulses.
    public var chatterLimit = 20
    /// The time in which level changes are counted, and for which the line must be quiet before chatter ends.
    public var chatterWindow = Duration.seconds(1)
    /// The time after which an assertion is a fault, or nil if there is no limit.
    public var stuckAfter: Duration?
    /// The time for which a lost line keeps its last effect before `whenLost` applies.
    public var lostGrace = Duration.seconds(5)
    /// How a lost line counts after `lostGrace`.
    public var whenLost = WhenLost.hold

    /// Creates the default policy, which the properties can change.
    public init() {}
}
