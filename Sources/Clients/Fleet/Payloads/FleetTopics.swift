import Vocabulary

/// The topics of a board, of its groups, and of the whole fleet.
public struct FleetTopics: Hashable, Sendable {
    /// The name that addresses every board.
    public static let everyBoard = "all"
    /// The default beginning of all topics.
    static let usualPrefix = "tacet"
    /// The maximum length of the name of a signal, in bytes. The name is repeated in problems, which are published.
    static let longestSignal = 100

    public let prefix: String
    public let board: String
    public let groups: [String]

    public init(prefix: String, board: String, groups: [String] = []) {
        self.prefix = prefix
        self.board = board
        self.groups = groups
    }

    /// The meaning of a topic for the board.
    enum Purpose: Hashable {
        case command, announce
        /// - Parameter scope: the board, a group or `all`, each of which has a separate level.
        case signal(name: String, scope: String)
        /// A message on Ruter's audio topic.
        case ruterAudio
    }

    private var scopes: [String] { [board] + groups + [FleetTopics.everyBoard] }

    /// Returns the topics to subscribe to.
    /// - Parameter signals: the names of the signals, or nil for all signals.
    func filters(signals: Set<String>?) -> [String] {
        let names = signals.map { $0.filter(FleetTopics.canBeSignal).sorted() } ?? ["+"]
        return scopes.flatMap { scope in
            ([FleetTopic.command.rawValue, FleetTopic.announce.rawValue]
                + names.map { "\(FleetTopic.signal.rawValue)/\($0)" }).map { "\(prefix)/\(scope)/\($0)" }
        }
    }

    private static func canBeSignal(_ name: String) -> Bool {
        (1...longestSignal).contains(name.utf8.count) && !name.utf8.contains { "+#/".utf8.contains($0) }
    }

    /// - Returns: the meaning of the topic, or nil for a topic that does not concern this board.
    func purpose(of topic: String) -> Purpose? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.count > 2, levels[0] == prefix, scopes.contains(levels[1]) else { return nil }
        let scope = levels[1]
        switch (FleetTopic(rawValue: levels[2]), levels.dropFirst(3).first, levels.count) {
        case (.command, nil, _): return .command
        case (.announce, nil, _): return .announce
        case (.signal, let name?, 4) where FleetTopics.canBeSignal(name):
            return .signal(name: name, scope: scope)
        default: return nil
        }
    }

    /// One of the board's own topics.
    public func own(_ topic: FleetTopic) -> String { "\(prefix)/\(board)/\(topic.rawValue)" }

    /// Returns true if any board publishes to this topic, or follows it, other than for answers.
    func use(_ topic: String) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count > 2, levels[0] == prefix, let kind = FleetTopic(rawValue: String(levels[2])) else {
            return false
        }
        return kind != .answer
    }

    func isOwn(_ topic: String) -> Bool { FleetTopic.allCases.contains { own($0) == topic } }
}
