/// Limits the time for queries, which any user may send, so that a flood of them does not delay commands. This is a
/// pure value. The caller passes in the time.
///
/// Queries take at most half of the time, however slow the processor is. Another quarter is reserved for connections
/// that have not received an answer for a second, so that a program that sends queries occasionally gets its answers
/// even if another one sends them continuously.
struct BusRation {
    enum Verdict: Hashable {
        case answer, refuse
        /// The query is not even refused. A flood of refusals would keep the bus busy, and if a program did not read
        /// them, they would fill the queues of the bus.
        case ignore
    }

    private static let isRecent = Duration.seconds(1)
    /// The maximum number of connections that are remembered. If more connections were answered or refused in the last
    /// second, all of them are discarded.
    private static let mostRecent = 1024

    /// A budget of time for queries.
    private struct Bucket {
        /// The share of each second that is added to the budget, and the maximum of the budget.
        let share: Double
        let capacity: Duration
        private(set) var left: Duration

        init(share: Double, capacity: Duration) {
            self.share = share
            self.capacity = capacity
            left = capacity
        }

        mutating func refill(over time: Duration) { left = min(capacity, left + time * share) }
        mutating func spend(_ time: Duration) { left -= time }
    }

    private var common = Bucket(share: 0.5, capacity: .milliseconds(500))
    private var reserve = Bucket(share: 0.25, capacity: .milliseconds(250))
    /// The time at which each connection was last answered or refused.
    private var heard: [String: Duration] = [:]
    private var time: Duration

    init(at now: Duration) { time = now }

    /// Decides how to treat a query from a connection. If the query is answered, call `note` afterwards.
    mutating func judge(_ sender: String, at now: Duration) -> Verdict {
        common.refill(over: now - time)
        reserve.refill(over: now - time)
        time = now
        let isNew = heard[sender].map { now - $0 >= Self.isRecent } ?? true
        if common.left > .zero || reserve.left > .zero && isNew { return .answer }
        guard isNew else { return .ignore }
        remember(sender, at: now)
        return .refuse
    }

    /// Records that a query was answered.
    /// - Parameter spent: the time that the answer took.
    mutating func note(_ spent: Duration, for sender: String, at now: Duration) {
        if common.left > .zero { common.spend(spent) } else { reserve.spend(spent) }
        remember(sender, at: now)
    }

    private mutating func remember(_ sender: String, at now: Duration) {
        if heard.count >= Self.mostRecent {
            heard = heard.filter { now - $0.value < Self.isRecent }
            if heard.count >= Self.mostRecent { heard = [:] }
        }
        heard[sender] = now
    }
}
