/// The broker's answers to the board's subscriptions, each of which contains all filters. It has no side effects, and
/// the caller passes in the time.
struct SubscriptionState: Hashable, Sendable {
    /// The longest time that the broker may take to answer.
    static let timeout = Duration.seconds(30)

    private enum Answer: Hashable {
        /// The broker has answered, or may still do so in time.
        case granted
        case refused([String])
        case missing
        /// The subscription could not be sent.
        case failed(String)
    }

    private var answer = Answer.granted
    /// The filters of the newest subscription.
    private(set) var filters: [String] = []
    /// The number of subscriptions that the broker has not answered yet.
    private var open = 0
    /// The time by which the broker must have answered one of the subscriptions, or nil if no answer is expected or the
    /// time is already over.
    private(set) var deadline: Duration?

    mutating func asked(_ filters: [String], at now: Duration) {
        self.filters = filters
        open += 1
        deadline = deadline ?? now + Self.timeout
    }

    mutating func answered(_ granted: [Bool]) {
        close()
        // A broker may answer for fewer filters than the subscription contains.
        let refused = filters.enumerated().filter { !($0.offset < granted.count && granted[$0.offset]) }.map(\.element)
        answer = refused.isEmpty ? .granted : .refused(refused)
    }

    mutating func failed(_ problem: String) {
        close()
        answer = .failed(problem)
    }

    /// Notes the end of the connection. Each connection begins with a subscription, and a problem remains until the
    /// broker answers it.
    mutating func disconnected() {
        open = 0
        deadline = nil
    }

    private mutating func close() {
        open = max(0, open - 1)
        if open == 0 { deadline = nil }
    }

    /// - Returns: true if the time for an answer has just ended.
    mutating func advance(to now: Duration) -> Bool {
        guard let deadline, deadline <= now else { return false }
        self.deadline = nil
        answer = .missing
        return true
    }

    /// The problem, for people, or nil if there is none.
    var problem: String? {
        switch answer {
        case .granted: nil
        case .refused(let filters):
            "the broker does not allow this board to subscribe to \(filters.joined(separator: ", "))"
        case .missing: "the broker does not answer the subscription, so its requests may not reach this board"
        case .failed(let problem): problem
        }
    }
}
