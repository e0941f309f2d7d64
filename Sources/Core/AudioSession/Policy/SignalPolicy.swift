/// The way in which a session responds to one signal. It corresponds to a `[Signal NAME]` section of the configuration.
/// See <doc:Semantics#Signals>.
public struct SignalPolicy: Hashable, Sendable {
    /// The behaviour at the end of an interruption, which either recommends resuming (`auto`) or leaves it to the user
    /// (`manual`).
    public enum Resume: String, Hashable, Sendable, CaseIterable { case auto, manual }
    /// The behaviour of a stuck signal, which either keeps its effect (`hold`) or loses it (`release`).
    public enum WhenStuck: String, Hashable, Sendable, CaseIterable { case hold, release }

    public var id: SignalID
    public var effect: Effect
    /// The behaviour at the end of the signal.
    public var resume: Resume
    /// The longest interruption after which resuming is recommended, measured from its beginning to its end, including
    /// time without power, or nil if there is no limit.
    public var resumeWithin: Duration?
    /// True if the signal is a *system alert*, such as a ringing line as opposed to an accepted call. See
    /// `Policy.prefersNoInterruptionsFromSystemAlerts`.
    public var isAlert: Bool
    /// The effect of the fault `stuck` on the signal.
    public var whenStuck: WhenStuck
    /// The priority of the signal's own cue. While the signal blocks, it also silences all sounds of a lower priority.
    /// It is within `SoundPolicy.priorities`.
    public var priority: Int
    /// The sound that plays while the signal is active, or nil if there is none. The policy must contain a sound of
    /// this name.
    public var cue: SoundID?
    /// The page that asserts the signal while it sounds, or nil if something else does. If `cue` has the same name, what
    /// arrives is the cue.
    public var input: InputID?

    public init(
        id: SignalID, effect: Effect, resume: Resume = .auto, resumeWithin: Duration? = nil, isAlert: Bool = false,
        whenStuck: WhenStuck = .hold, priority: Int = 50, cue: SoundID? = nil,
        input: InputID? = nil
    ) {
        self.id = id
        self.effect = effect
        self.resume = resume
        self.resumeWithin = resumeWithin
        self.isAlert = isAlert
        self.whenStuck = whenStuck
        self.priority = priority
        self.cue = cue
        self.input = input
    }

    /// Returns true if resuming is recommended at the end of an interruption of this length.
    func recommendsResuming(after length: Duration) -> Bool {
        guard resume == .auto else { return false }
        guard let resumeWithin else { return true }
        return length <= resumeWithin
    }
}

/// The name of a signal, such as `phone-call`. It is the NAME in the configuration's `[Signal NAME]`.
public struct SignalID: NamedID {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The effect of a signal on the session while it is active.
public enum Effect: Hashable, Sendable {
    /// The music pauses. This is an interruption.
    case pause
    /// The music is attenuated to a level. In the mode `spokenAudio`, it pauses instead, because listeners miss speech
    /// that is ducked (Apple: `interruptSpokenAudioAndMixWithOthers`).
    case duck(Level)
    /// The microphone is muted. As on Apple's systems, this interrupts only a session that records and does not have
    /// the option `overrideMutedMicrophoneInterruption`.
    case muteMicrophone
    /// The state is saved at once, before all other work, because the ignition is off or the power is failing.
    case checkpoint
    /// The signal has no effect. It is only displayed and logged.
    case ignore
}

extension Effect {
    /// Every effect. The duck has the default level.
    package static let all: [Effect] = [.pause, .duck(.defaultDuck), .muteMicrophone, .checkpoint, .ignore]

    package var isDuck: Bool { if case .duck = self { true } else { false } }

    /// The name in the configuration and the journal, which is `pause`, `duck`, `mute-microphone`, `checkpoint` or
    /// `ignore`.
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
