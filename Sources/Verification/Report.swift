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
    }

    /// The contract's section 10, in its order.
    public static let rules = [
        "nothing is heard of the programme while something blocks",
        "it is never louder than the lowest ducking level in force",
        "a user's pause or stop is undone by nobody but the user",
        "it plays when nothing blocks, the user wants it and the device is there: no dead end",
        "begins and ends of interruptions alternate",
        "after a power cut it is as before, for the same lines",
        "the order in which simultaneous edges are read does not matter",
    ]

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
