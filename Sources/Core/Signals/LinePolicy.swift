/// How to interpret a line's electrical level. All durations are zero or more.
public struct LinePolicy: Hashable, Sendable {
    /// What a line counts as after it has been lost for `lostGrace`.
    public enum WhenLost: String, Hashable, Sendable, CaseIterable {
        /// Keeps its last effect.
        case hold
        /// Deasserted.
        case release
        /// Asserted: fail-safe, because a line of unknown state must not be mistaken for a deasserted one.
        case assert
    }

    /// Whether the low level means asserted.
    public var isActiveLow = false
    /// A level takes effect once it has been stable for this long. A shorter one is ignored.
    public var debounce = Duration.milliseconds(30)
    /// A deassertion takes effect this long after `debounce`, unless the line asserts again meanwhile: a ringing line
    /// pulses, and the music must not pump with it.
    public var releaseDelay = Duration.zero
    /// More raw edges than this within `chatterWindow` are chatter. The slowest bell (16⅔ Hz, one pulse per period) has 33
    /// edges per second, and 24 in a double ring, so it counts as asserted even if `debounce` ignores each of its pulses.
    public var chatterLimit = 20
    /// The time in which chatter is counted, and for which the line must be quiet before chatter ends.
    public var chatterWindow = Duration.seconds(1)
    /// Assertion for longer than this is a fault; nil: no limit.
    public var stuckAfter: Duration?
    /// A lost line keeps its last effect for this long before `whenLost` applies.
    public var lostGrace = Duration.seconds(5)
    /// What a lost line counts as after `lostGrace`.
    public var whenLost = WhenLost.hold

    /// The default policy, which the properties can change.
    public init() {}
}
