/// How a session responds to one signal: a `[Signal NAME]` section of the configuration. See <doc:Semantics#Signals>.
public struct SignalPolicy: Hashable, Sendable {
    /// Whether the end of an interruption recommends resuming (`auto`) or leaves it to the user (`manual`).
    public enum Resume: String, Hashable, Sendable, CaseIterable { case auto, manual }
    /// Whether a stuck signal keeps its effect (`hold`) or loses it (`release`).
    public enum WhenStuck: String, Hashable, Sendable, CaseIterable { case hold, release }

    public var id: SignalID
    public var effect: Effect
    /// Whether the signal's end recommends resuming.
    public var resume: Resume
    /// An interruption that lasts longer than this, from its begin to its end and including time without power, ends
    /// without recommending to resume. nil: no limit.
    public var resumeWithin: Duration?
    /// Whether the signal is a *system alert*: a ringing line, as opposed to an accepted call. See
    /// `Policy.prefersNoInterruptionsFromSystemAlerts`.
    public var isAlert: Bool
    /// What the fault `stuck` does to the signal's effect.
    public var whenStuck: WhenStuck
    /// Which sounds the signal silences while it blocks (those of a lower priority), and the priority of its own cue;
    /// within `SoundPolicy.priorities`.
    public var priority: Int
    /// The sound that plays while the signal is active; nil: none. The policy must have a sound of this name.
    public var cue: SoundID?

    public init(
        id: SignalID, effect: Effect, resume: Resume = .auto, resumeWithin: Duration? = nil, isAlert: Bool = false,
        whenStuck: WhenStuck = .hold, priority: Int = 50, cue: SoundID? = nil
    ) {
        self.id = id
        self.effect = effect
        self.resume = resume
        self.resumeWithin = resumeWithin
        self.isAlert = isAlert
        self.whenStuck = whenStuck
        self.priority = priority
        self.cue = cue
    }

    /// Whether an interruption of this length recommends resuming at its end.
    func recommendsResuming(after length: Duration) -> Bool {
        guard resume == .auto else { return false }
        guard let resumeWithin else { return true }
        return length <= resumeWithin
    }
}

/// The name of a signal, such as `phone-call`: the NAME in the configuration's `[Signal NAME]`.
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

/// What a signal does to the session while it is active.
public enum Effect: Hashable, Sendable {
    /// The music pauses: an interruption.
    case pause
    /// The music is attenuated to a level. In the mode `spokenAudio` it pauses instead, because ducked speech is
    /// missed speech (Apple: `interruptSpokenAudioAndMixWithOthers`).
    case duck(Level)
    /// The microphone is muted. This interrupts only a session that records and lacks the option
    /// `overrideMutedMicrophoneInterruption` (as on Apple's systems).
    case muteMicrophone
    /// The state is saved at once, ahead of all other work: the ignition is off, or the power is failing.
    case checkpoint
    /// No effect; the signal is only shown and logged.
    case ignore
}

extension Effect {
    /// Every effect; a duck is to the default level.
    package static let all: [Effect] = [.pause, .duck(.defaultDuck), .muteMicrophone, .checkpoint, .ignore]

    package var isDuck: Bool { if case .duck = self { true } else { false } }

    /// The name in the configuration and the journal: `pause`, `duck`, `mute-microphone`, `checkpoint`, `ignore`.
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
