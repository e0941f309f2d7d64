/// What an exploration found.
public struct Report: Sendable, CustomStringConvertible {
    public struct Violation: Sendable {
        /// The number of the rule in the contract's section 10.
        public let rule: Int
        public let what: String
        /// The shortest way there, a step each.
        public let path: [String]
    }

    public let states: Int
    public let transitions: Int
    public let violation: Violation?

    public var description: String {
        guard let violation else { return "\(states) states, \(transitions) transitions: all rules hold" }
        let path = violation.path.map { "    \($0)\n" }.joined()
        return
            "rule \(violation.rule) is broken after \(states) states: \(violation.what). The shortest way there:\n\(path)"
    }
}
