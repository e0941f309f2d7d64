import AudioSession

/// The result of an exploration.
public struct ExplorationReport: Sendable, CustomStringConvertible {
    public struct Violation: Sendable {
        /// The number of the rule in `ExplorationReport.rules`.
        public let rule: Int
        /// The way in which the rule is broken.
        public let what: String
        /// A shortest path to the violation.
        public let steps: [Step]
        /// The description of each step.
        public let path: [String]
        /// For each step that ends a `ResumeDelay`, the step that started the delay, both as indices in `steps`.
        public let delays: [Int: Int]
    }

    /// The rules that are checked, with their numbers. These are the rules in the documentation of AudioSession
    /// (Semantics, Invariants). An `AmplifierExplorer` checks rule 12.
    public static let rules: [(number: Int, text: String)] = [
        (1, "no music plays while a blocking interruption is active"),
        (2, "the music is never louder than the lowest active ducking level, nor its volume than MaximumVolume"),
        (3, "only the user undoes a pause or a stop by the user, of playback and of recording"),
        (
            4,
            "\(musicPlays); a wanted recording runs whenever nothing interrupts it and its device is available"
        ),
        (5, "the notifications began and ended alternate"),
        (6, "a restart from the saved state gives the same directive for the same lines"),
        (7, "the order in which simultaneous edges are read does not matter"),
        (8, "no sound plays while a signal of a higher priority than its request blocks"),
        (9, "while a sound plays, the music is as low as the request for the sound requires"),
        (10, "a cue that is not done is due, unless something of a higher priority blocks or is due"),
        (
            11,
            "an announcement is played to its end at most once and never begins after its Expire, unless it begins again "
                + "or continues"
        ),
        (12, "an amplifier is on before anything is played and for as long as anything is played"),
        (13, "nothing is recorded during an interruption, and only silence while the microphone is muted"),
        (14, "after an end without shouldResume, music and recording resume only when the user has asked for it"),
        (15, "only one source plays, which is the input that began last, an automatic input only if no other sounds"),
        (16, "a player is paused while something takes its place, and only a player that Tacet has paused is resumed"),
    ]

    private static let musicPlays =
        "music plays whenever nothing interrupts it, no sound pauses it, the user wants it, and a track and a device "
        + "are available"

    /// The texts of the rules that differ if a policy records during interruptions, by their numbers.
    private static let rulesOfContinuousRecording = [
        4: "\(musicPlays); a wanted recording runs whenever its device is available, and only the user stops it",
        13:
            "interruptions do not pause a recording (During=interruptions), but it is silent while the microphone is muted",
        14: "after an end without shouldResume, music resumes only when the user has asked for it",
    ]

    /// Returns the rules, with the texts that apply to a policy.
    public static func rules(under policy: Policy) -> [(number: Int, text: String)] {
        guard policy.recordsDuringInterruptions else { return rules }
        return rules.map { ($0.number, rulesOfContinuousRecording[$0.number] ?? $0.text) }
    }

    /// Returns the text of the rule with this number under a policy, or an empty text if there is none.
    public static func text(ofRule number: Int, under policy: Policy) -> String {
        rules(under: policy).first { $0.number == number }?.text ?? ""
    }

    public let states: Int
    public let transitions: Int
    /// True if every reachable state was visited, because the limit was not reached.
    public let isComplete: Bool
    public let violation: Violation?
    /// The findings, which are complete only if `isComplete` is true and there is no violation.
    public let findings: Findings

    public var description: String {
        guard let violation else {
            return "\(states) states, \(transitions) transitions: "
                + (isComplete ? "all rules hold" : "no rule is broken so far")
        }
        let path = violation.path.map { "    \($0)\n" }.joined()
        return
            "rule \(violation.rule) is broken after \(states) states: \(violation.what). The shortest path to it:\n\(path)"
    }
}

/// The observed effects of each signal during an exploration.
public struct Findings: Sendable {
    public struct Signal: Hashable, Sendable {
        /// True if the signal was ever asserted, and neither suppressed nor dropped.
        public internal(set) var isEverActive = false
        /// True if the signal ever changed what was played.
        public internal(set) var changesSound = false
        /// True if the music ever resumed after an episode that this signal alone caused, without a command from the
        /// user.
        public internal(set) var resumes = false
        /// True if the music was ever paused at the end of such an episode.
        public internal(set) var pauses = false

        mutating func formUnion(_ other: Signal) {
            isEverActive = isEverActive || other.isEverActive
            changesSound = changesSound || other.changesSound
            resumes = resumes || other.resumes
            pauses = pauses || other.pauses
        }
    }

    private let policy: Policy
    /// The findings about each signal, in the order of the policy.
    public internal(set) var signals: [Signal]

    public init(_ policy: Policy) {
        self.policy = policy
        signals = Array(repeating: Signal(), count: policy.signals.count)
    }

    /// Applies the findings about each signal to those that are treated like it.
    mutating func share(among symmetry: SignalSymmetry) {
        for signal in symmetry.followers.members.reversed() {
            signals[symmetry.before[signal]].formUnion(signals[signal])
        }
        for signal in symmetry.followers.members { signals[signal] = signals[symmetry.before[signal]] }
    }

    /// Applies the findings about signals to those that they represented in the exploration.
    public mutating func share(_ representatives: [SignalID: SignalID]) {
        for (signal, representative) in representatives {
            guard let index = policy.signals.firstIndex(where: { $0.id == signal }),
                let source = policy.signals.firstIndex(where: { $0.id == representative })
            else { continue }
            signals[index].formUnion(signals[source])
        }
    }

    /// Adds the findings of another exploration, which may have covered only some of the signals.
    public mutating func add(_ other: Findings) {
        for (signal, found) in zip(other.policy.signals, other.signals) {
            guard let index = policy.signals.firstIndex(where: { $0.id == signal.id }) else { continue }
            signals[index].formUnion(found)
        }
    }
}
