/// How a signal's electrical level is to be read. All times may be zero; nil where there is no limit.
public struct LinePolicy: Hashable, Sendable {
    /// What a line counts as once it has been lost for `lostGrace`.
    public enum WhenLost: String, Hashable, Sendable, CaseIterable {
        /// Its last level.
        case hold
        case release
        /// Asserted: a wire of unknown state must not be taken for a quiet one.
        case assert
    }

    /// Whether the low level means asserted.
    public var isActiveLow = false
    /// A level counts once it has been stable for this long. A shorter one never happened.
    public var debounce = Duration.milliseconds(30)
    /// A deassertion counts this much later, unless the line asserts again meanwhile: a ringing line pulses, and
    /// music must not pump with it.
    public var releaseDelay = Duration.zero
    /// More raw edges than this within `chatterWindow` are chatter. The slowest bell (16⅔ Hz, one pulse a period) has 33
    /// a second, and 24 in a double ring: it counts as asserted even if `debounce` ignores each of its pulses.
    public var chatterLimit = 20
    public var chatterWindow = Duration.seconds(1)
    /// Asserted for longer than this is a fault.
    public var stuckAfter: Duration?
    /// A lost line keeps its last level this long before `whenLost` applies.
    public var lostGrace = Duration.seconds(5)
    public var whenLost = WhenLost.hold

    public init() {}
}
