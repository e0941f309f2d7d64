/// How a signal's electrical level is to be read. All times may be zero; nil where there is no limit.
public struct LinePolicy: Hashable, Sendable {
    public enum WhenLost: String, Hashable, Sendable, CaseIterable { case hold, release }

    /// Whether the low level means asserted.
    public var isActiveLow = false
    /// A level counts once it has been stable for this long. A shorter one never happened.
    public var debounce = Duration.milliseconds(30)
    /// A deassertion counts this much later, unless the line asserts again meanwhile: a ringing line pulses, and
    /// music must not pump with it.
    public var releaseDelay = Duration.zero
    /// More raw edges than this within `chatterWindow` are chatter.
    public var chatterLimit = 40
    public var chatterWindow = Duration.seconds(1)
    /// Asserted for longer than this is a fault.
    public var stuckAfter: Duration?
    /// For how long a lost line's last level is held.
    public var lostGrace = Duration.seconds(5)
    public var whenLost = WhenLost.hold

    public init() {}
}
