import AudioSession
import Configuration
import Spelling
import Vocabulary

/// The answer to a command, in words for people. Programs receive the answer itself.
public struct AnswerText {
    private let command: WrittenCommand
    private let snapshot: Snapshot?

    /// - Parameters:
    ///   - command: The command that was answered.
    ///   - snapshot: The state after the command, or nil if it is unknown.
    public init(_ command: WrittenCommand, _ snapshot: Snapshot?) {
        self.command = command
        self.snapshot = snapshot
    }

    /// Creates the text for an event with a command's name, such as `command seek 1:30`.
    /// - Returns: nil for any other event.
    init?(event: String, _ snapshot: Snapshot) {
        let words = event.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0] == ScenarioWord.command.rawValue,
            let command = try? WrittenCommand.parse(words[1], options: WrittenAnnouncement.Option.allCases)
        else {
            return nil
        }
        self.init(command, snapshot)
    }

    /// Returns the sentence for an answer, or nil for a success.
    public func sentence(_ answer: Answer) -> String? {
        switch answer {
        case .success: nil
        case .deferred: "Queued\(obstacle.map { " until \($0)" } ?? "")."
        case .noActionableNowPlayingItem: noAction
        case .noSuchContent: noContent
        case .commandFailed(let reason): "The command failed: \(reason)."
        }
    }

    /// The sentence for a command that names something that cannot be played.
    private var noContent: String {
        guard case .choose(let request) = command else { return "There is no such sound, or its file cannot be read." }
        return "Nothing in the library has the name ‘\(request.name)’, or none of its files can be played."
    }

    /// The sentence for a command that had nothing to act on.
    public var noAction: String {
        if let input, isSkip { return "Ignored: \(input) plays live, and no player is connected to it." }
        return switch command {
        case .command(.play), .command(.playPause), .choose:
            "There is no music to play. Playback starts when there is some."
        case .command(.pause): "Ignored: playback is stopped."
        case .command(.next), .command(.previous): "Ignored: there is no music."
        case .command(.hush): "Ignored: there is no announcement to cancel."
        case .command(.stopRecording): "Ignored: nothing is being recorded."
        default: "Ignored: nothing is playing."
        }
    }

    /// The selected input, or nil if the library is selected or the state is unknown.
    private var input: InputID? { if case .input(let input)? = snapshot?.source { input } else { nil } }

    /// True if the command asks for another track or position.
    private var isSkip: Bool {
        switch command {
        case .command(.next), .command(.previous), .command(.seek), .seek: true
        default: false
        }
    }

    /// What has to happen before a queued command takes effect, as a clause after “until”, or nil if it is unknown.
    private var obstacle: String? {
        guard let snapshot else { return nil }
        if case .command(.announce) = command, let sound = snapshot.sound { return "the sound \(sound) ends" }
        if case .command(.record) = command {
            if snapshot.faults.contains(.capture) { return "the microphone is available" }
            guard case .interrupted? = snapshot.quietCause else { return "nothing prevents recording" }
        }
        switch snapshot.quietCause {
        case .interrupted(let signals)?:
            return "\(signals.map(\.rawValue).enumeration) \(signals.count == 1 ? "ends" : "end")"
        case .announcement(let sound)?: return "the announcement \(sound) ends"
        case .deviceLost?: return "a sound device is available"
        case .resumeDelay?: return "ResumeDelay= has elapsed"
        case .nothingToPlay?: return "the library has been read"
        case .notPlaying?, .muteVolume?, .stalled?, .ducked?, nil: return nil
        }
    }
}
