/// What a board's output reports or switches: an `[Output NAME]` section of the configuration. See <doc:Semantics#Outputs>.
public struct OutputPolicy: Hashable, Sendable {
    public var id: OutputID
    public var meaning: OutputMeaning

    public init(id: OutputID, meaning: OutputMeaning) {
        self.id = id
        self.meaning = meaning
    }
}

/// When an output is asserted.
public enum OutputMeaning: Hashable, Sendable {
    /// While anything is heard or about to be: from `lead` before the first audible frame until `lag` after the last. Sound
    /// waits for the lead.
    case amplifier(lead: Duration, lag: Duration)
    /// While the programme plays, even at the level `mute`.
    case playing
    /// While the programme plays below its full level.
    case ducked
    /// While an episode is in progress.
    case interrupted
    /// While the microphone is recorded.
    case recording
    /// While a sound is due.
    case sounding
    /// While there is no fault and the program makes progress.
    case healthy
}

extension OutputMeaning {
    /// The default lead and lag of an amplifier.
    public static let defaultLead = Duration.milliseconds(50)
    public static let defaultLag = Duration.seconds(1)

    /// The name in the configuration: `amplifier`, `playing`, `ducked`, `interrupted`, `recording`, `sounding`, `healthy`.
    public var name: String {
        switch self {
        case .amplifier: "amplifier"
        case .playing: "playing"
        case .ducked: "ducked"
        case .interrupted: "interrupted"
        case .recording: "recording"
        case .sounding: "sounding"
        case .healthy: "healthy"
        }
    }
}

/// The name of an output, such as `amplifier`: the NAME in the configuration's `[Output NAME]`.
public struct OutputID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }
    public init(stringLiteral name: String) { rawValue = name }

    public var description: String { rawValue }
    public static func < (a: OutputID, b: OutputID) -> Bool { a.rawValue < b.rawValue }
}

/// Everything that outputs follow.
public struct OutputFacts: Hashable, Sendable {
    /// Whether the directive is to play.
    public var isPlaying: Bool
    /// Whether the directive is to play below full level.
    public var isDucked: Bool
    /// Whether an episode is in progress.
    public var isInterrupted: Bool
    /// Whether a sound is due.
    public var isSounding: Bool
    public var isRecording: Bool
    /// Whether there is no fault and the program makes progress.
    public var isHealthy: Bool

    /// Nothing is heard, and nothing is known to be well.
    public init() {
        isPlaying = false
        isDucked = false
        isInterrupted = false
        isSounding = false
        isRecording = false
        isHealthy = false
    }

    /// - Parameters:
    ///   - session: the session after an event.
    ///   - isHealthy: whether nothing is wrong beside the session's faults.
    public init(_ session: Session, isHealthy: Bool = true) {
        let directive = session.directive
        isPlaying = directive != .silent
        isDucked = if case .play(let level) = directive { level < .full } else { false }
        isInterrupted = session.isInterrupted
        isSounding = session.dueRequest != nil
        isRecording = session.isRecording
        self.isHealthy = isHealthy && session.faults.isEmpty
    }

    /// Whether anything is heard or about to be.
    public var isAudible: Bool { isPlaying || isSounding }
}
