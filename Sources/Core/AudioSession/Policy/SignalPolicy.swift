/// What one signal means to the session.
public struct SignalPolicy: Hashable, Sendable {
    public enum Resume: String, Hashable, Sendable, CaseIterable { case auto, manual }
    public enum WhenStuck: String, Hashable, Sendable, CaseIterable { case hold, release }

    public var id: SignalID
    public var effect: Effect
    /// Whether the signal's end recommends resuming.
    public var resume: Resume
    /// An interruption that lasted longer than this ends without the recommendation. nil: no limit.
    public var resumeWithin: Duration?
    /// A *system alert*: a ringing line, as opposed to an accepted call
    /// (Apple: `setPrefersNoInterruptionsFromSystemAlerts(_:)`).
    public var isAlert: Bool
    /// Whether the fault `stuck` drops the signal's effect.
    public var whenStuck: WhenStuck

    public init(
        id: SignalID, effect: Effect, resume: Resume = .auto, resumeWithin: Duration? = nil, isAlert: Bool = false,
        whenStuck: WhenStuck = .hold
    ) {
        self.id = id
        self.effect = effect
        self.resume = resume
        self.resumeWithin = resumeWithin
        self.isAlert = isAlert
        self.whenStuck = whenStuck
    }

    /// Whether an interruption of this length recommends resuming when it ends.
    func recommendsResuming(after length: Duration) -> Bool {
        guard resume == .auto else { return false }
        guard let resumeWithin else { return true }
        return length <= resumeWithin
    }
}

/// The name of a signal, as the configuration's `[Signal NAME]` gives it: `phone-call`.
public struct SignalID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }
    public init(stringLiteral name: String) { rawValue = name }

    public var description: String { rawValue }
    public static func < (a: SignalID, b: SignalID) -> Bool { a.rawValue < b.rawValue }
}

/// What a signal does to the session while it is in force.
public enum Effect: Hashable, Sendable {
    /// The programme pauses: an interruption.
    case pause
    /// The programme is turned down to a level. In the mode `spokenAudio` it pauses instead: speech that is ducked is
    /// speech that is missed (Apple: `interruptSpokenAudioAndMixWithOthers`).
    case duck(Level)
    /// The microphone is mute. It interrupts only a session that records and does not override it
    /// (Apple: `overrideMutedMicrophoneInterruption`).
    case muteMicrophone
    /// The state is saved at once, ahead of everything else: the ignition is off, the power is failing.
    case checkpoint
    /// None, but it is shown and logged.
    case ignore
}

extension Effect {
    /// As the configuration and the journal write it: `pause`, `duck`, `mute-microphone`, `checkpoint`, `ignore`.
    public var name: String {
        switch self {
        case .pause: "pause"
        case .duck: "duck"
        case .muteMicrophone: "mute-microphone"
        case .checkpoint: "checkpoint"
        case .ignore: "ignore"
        }
    }
}
