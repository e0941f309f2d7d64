/// The condition under which an output is asserted. Each value is a row of the table that the parser of the
/// configuration, the manual and the verification use.
public enum OutputMeaning: Hashable, Sendable {
    /// Asserted while anything is played or about to be, from `lead` before the first audible frame until `lag` after
    /// the last. Music and sounds wait for the lead.
    case amplifier(lead: Duration = defaultLead, lag: Duration = defaultLag)
    /// Asserted while a fact is true.
    case follows(OutputFact)

    public static let defaultLead = Duration.milliseconds(50)
    public static let defaultLag = Duration.seconds(1)
    /// Every meaning, in the order of the manual. The amplifier has the default times.
    public static let all = [.amplifier()] + OutputFact.allCases.map(OutputMeaning.follows)

    /// The name in the configuration, in the journal, on the bus and in pictures, such as `amplifier` or `playing`.
    public var name: String {
        switch self {
        case .amplifier: "amplifier"
        case .follows(let fact): fact.rawValue
        }
    }

    /// The condition under which the output is asserted, for tacet.conf(5), such as `while the music plays`.
    package var summary: String {
        switch self {
        case .amplifier: "while anything is played, from Lead= before it until Lag= after it"
        case .follows(let fact): fact.row.summary
        }
    }

    /// The keys of the configuration that only an output with this meaning may have.
    package var keys: [String] {
        switch self {
        case .amplifier: ["Lead", "Lag"]
        case .follows: []
        }
    }

    /// The time between the assertion of the output and the first audible frame, or nil if playback does not wait for
    /// the output.
    public var lead: Duration? { if case .amplifier(let lead, _) = self { lead } else { nil } }
}

/// The facts about the session and the program that an output can follow. The raw value of each is also a meaning.
public enum OutputFact: String, Hashable, Sendable, CaseIterable {
    case playing, ducked, interrupted, recording, sounding, silent, healthy

    fileprivate struct Row {
        let summary: String
        let holds: (Session) -> Bool
    }

    fileprivate var row: Row {
        switch self {
        // This fact is true even at the level `mute`.
        case .playing: Row(summary: "while the music plays") { $0.directive != .silent }
        case .ducked:
            Row(summary: "while the music is turned down") {
                if case .play(let level) = $0.directive { level < .full } else { false }
            }
        case .interrupted: Row(summary: "while the music is interrupted", holds: \.isInterrupted)
        case .recording: Row(summary: "while the microphone is recorded", holds: \.isRecording)
        case .sounding:
            Row(summary: "while a sound plays or waits until the music has faded") { $0.dueRequest != nil }
        case .silent:
            Row(
                summary: """
                    as soon as nothing is to be heard, and not only after the fade-out, for the mute input of an \
                    amplifier or a converter
                    """
            ) { $0.dueRequest == nil && ($0.directive == .silent || $0.directive == .play(.mute)) }
        case .healthy:
            Row(
                summary: """
                    while there is no fault and Tacet makes progress, for a relay that drops if Tacet loses a wire, \
                    hangs or crashes
                    """
            ) { $0.faults.isEmpty }
        }
    }

    /// Returns the facts that are true after an event.
    ///
    /// - Parameter isHealthy: false if anything is wrong besides the faults of the session.
    public static func holding(in session: Session, isHealthy: Bool = true) -> Set<OutputFact> {
        Set(allCases.filter { $0.row.holds(session) && ($0 != .healthy || isHealthy) })
    }
}

extension Set<OutputFact> {
    /// A Boolean value that indicates whether anything is played or about to be.
    package var isAudible: Bool { contains(.playing) || contains(.sounding) }
}
