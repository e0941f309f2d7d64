/// What the broker says of the board's subscriptions, each of which has all filters. Pure; the time is passed in.
struct SubscriptionState: Hashable, Sendable {
    /// How long the broker may take to answer.
    static let timeout = Duration.seconds(30)

    private enum Answer: Hashable {
        /// The broker has answered, or still has the time to.
        case granted
        case refused([String])
        case missing
        /// The subscription could not be sent.
        case failed(String)
    }

    private var answer = Answer.granted
    /// Those of the newest subscription.
    private(set) var filters: [String] = []
    /// How many subscriptions the broker has still to answer.
    private var open = 0
    /// The time by which it must have answered one of them; nil if it need not, or has not.
    private(set) var deadline: Duration?

    mutating func asked(_ filters: [String], at now: Duration) {
        self.filters = filters
        open += 1
        deadline = deadline ?? now + Self.timeout
    }

    mutating func answered(_ granted: [Bool]) {
        close()
        // A broker can answer for fewer than it was asked for.
        let refused = filters.enumerated().filter { !($0.offset < granted.count && granted[$0.offset]) }.map(\.element)
        answer = refused.isEmpty ? .granted : .refused(refused)
    }

    mutating func failed(_ problem: String) {
        close()
        answer = .failed(problem)
    }

    /// Each connection begins with a subscription. What was wrong stays wrong until that is answered.
    mutating func disconnected() {
        open = 0
        deadline = nil
    }

    private mutating func close() {
        open = max(0, open - 1)
        if open == 0 { deadline = nil }
    }

    /// - Returns: true if the time for an answer is over just now.
    mutating func advance(to now: Duration) -> Bool {
        guard let deadline, deadline <= now else { return false }
        self.deadline = nil
        answer = .missing
        return true
    }

    /// What is wrong, for people; nil if nothing is.
    var problem: String? {
        switch answer {
        case .granted: nil
        case .refused(let filters): "the broker does not let this board subscribe to \(filters.joined(separator: ", "))"
        case .missing: "the broker does not answer the subscription, so its requests may not reach this board"
        case .failed(let problem): problem
        }
    }
}
