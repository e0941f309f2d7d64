/// The reasons why players cannot be controlled. It is a pure value.
struct PlayerProblems: Hashable, Sendable {
    /// The problems of each player, by the place that has them, such as a bus, a program or an order.
    private var problems: [String: [String: String]] = [:]
    /// The problems that were last reported to Tacet.
    private var reported: [String: String] = [:]
    /// The players whose problems Tacet has not accepted, so that they are reported again later.
    private var postponed: Set<String> = []

    mutating func set(_ problem: String?, of player: String, at place: String) {
        problems[player, default: [:]][place] = problem
        if problems[player]?.isEmpty == true { problems[player] = nil }
    }

    mutating func remove(_ player: String) { problems[player] = nil }

    /// Forgets what has been reported to Tacet.
    mutating func forgetReports() { reported = [:] }

    /// Reports the problem of a player again, but only after `resumeReports`.
    mutating func postpone(_ player: String) {
        reported[player] = nil
        postponed.insert(player)
    }

    mutating func resumeReports() { postponed = [] }

    /// Returns the problems to report of these players, where an empty text means that there is none.
    mutating func takeNews(of players: some Sequence<String>) -> [(player: String, problem: String)] {
        players.compactMap { player in
            let problem = problems[player]?.min { $0.key < $1.key }?.value ?? ""
            guard reported[player] != problem, !postponed.contains(player) else { return nil }
            reported[player] = problem
            return (player, problem)
        }
    }
}
