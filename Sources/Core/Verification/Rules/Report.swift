import AudioSession

/// What an exploration found.
public struct Report: Sendable, CustomStringConvertible {
    public struct Violation: Sendable {
        /// The number of the rule in the contract's section 10.
        public let rule: Int
        public let what: String
        /// The shortest way there.
        public let steps: [Step]
        /// The same in words, a step each.
        public let path: [String]
        /// For each step that ends a `ResumeDelay`, the step with which the delay began, both by their place in `steps`.
        public let delays: [Int: Int]
    }

    /// The rules of the contract's section 10 that are checked, by their numbers there.
    public static let rules: [(number: Int, text: String)] = [
        (1, "no programme audio while a blocking interruption is active"),
        (2, "never louder than the lowest active ducking level"),
        (3, "nothing but the user ever undoes a user's pause or stop"),
        (4, "if no episode is in progress, the intent is playing and there are a track and a device, it plays"),
        (5, "began and ended alternate"),
        (6, "a restart from the saved state gives the same directive for the same lines"),
        (7, "the order in which simultaneous edges are read does not matter"),
        (14, "after an end without shouldResume, only the user's play is heard again"),
    ]

    /// A rule's text by its number.
    public static func text(ofRule number: Int) -> String { rules.first { $0.number == number }?.text ?? "" }

    public let states: Int
    public let transitions: Int
    /// Whether these are all: there were no more than the limit.
    public let isComplete: Bool
    public let violation: Violation?
    /// Complete only where there is no violation.
    public let findings: Findings

    public var description: String {
        guard let violation else {
            return "\(states) states, \(transitions) transitions: "
                + (isComplete ? "all rules hold" : "no rule is broken so far")
        }
        let path = violation.path.map { "    \($0)\n" }.joined()
        return
            "rule \(violation.rule) is broken after \(states) states: \(violation.what). The shortest way there:\n\(path)"
    }
}

/// What each signal can do, as far as an exploration has seen it.
public struct Findings: Sendable {
    public struct Signal: Hashable, Sendable {
        /// It was asserted, and neither suppressed nor dropped.
        public internal(set) var isEverInForce = false
        /// With it something else could be heard than without it.
        public internal(set) var changesSound = false
        /// Silence was its doing alone, it ended, the user had said nothing, and it played on …
        public internal(set) var resumes = false
        /// … or was paused.
        public internal(set) var pauses = false
    }

    private let policy: Policy
    /// In the policy's order.
    public internal(set) var signals: [Signal]

    public init(_ policy: Policy) {
        self.policy = policy
        signals = Array(repeating: Signal(), count: policy.signals.count)
    }

    /// With what another exploration has found, of some of the signals, too.
    public mutating func add(_ other: Findings) {
        for (signal, found) in zip(other.policy.signals, other.signals) {
            guard let index = policy.signals.firstIndex(where: { $0.id == signal.id }) else { continue }
            signals[index].isEverInForce = signals[index].isEverInForce || found.isEverInForce
            signals[index].changesSound = signals[index].changesSound || found.changesSound
            signals[index].resumes = signals[index].resumes || found.resumes
            signals[index].pauses = signals[index].pauses || found.pauses
        }
    }
}
