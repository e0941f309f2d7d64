/// Limits the time for queries, which any user may send, so that a flood of them does not delay commands. It is a pure
/// value, to which the time is passed.
///
/// Queries take at most half of the time, however slow the processor is. Another quarter is for connections that have
/// not received an answer for a second, so that a program that sends a query from time to time gets its answer beside
/// one that sends them all the time.
struct BusRation {
    enum Verdict: Hashable {
        case answer, refuse
        /// Do not even refuse the query. A flood of refusals would keep the bus busy, and a program that does not read
        /// them would fill it.
        case ignore
    }

    private static let isRecent = Duration.seconds(1)
    /// The maximum number of connections that are remembered. If more were answered or refused in the last second, all
    /// are discarded.
    private static let mostRecent = 1024

    /// The time that may be spent.
    private struct Bucket {
        /// The share of each second that is added, and the limit of the sum.
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

    /// Decides about a query of a connection. If it is answered, call `note` afterwards.
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
    /// - Parameter spent: the time that it took.
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
