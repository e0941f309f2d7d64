/// All that is wrong with a scenario, one mistake a line: `FILE:LINE: what (what would be right)`.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Mistake: Hashable, Sendable, CustomStringConvertible {
        public let file: String
        public let line: Int
        public let what: String

        public var description: String { "\(file):\(line): \(what)" }
    }

    public let mistakes: [Mistake]
    public var description: String { mistakes.map(\.description).joined(separator: "\n") }
}
