/// Limits what queries cost, because any user may send them, so that a flood of them neither delays commands nor occupies
/// the processor. This is a pure value. The caller passes in the time.
///
/// The cost of an answer is the processor time that it takes and its bytes, which dbus-daemon stores for a program that
/// does not read them. Each connection has an allowance, and so do all of them together. Another allowance is reserved
/// for connections that have not received an answer for a second, so that a program that sends queries occasionally gets
/// its answers even if another one sends them continuously.
struct BusRation {
    enum Verdict: Hashable {
        case answer, refuse
        /// The query is not even refused. A flood of refusals would keep the bus busy, and if a program did not read
        /// them, they would fill the queues of the bus.
        case ignore
    }

    /// The cost of an answer.
    struct Cost {
        var time = Duration.zero
        var bytes = 0

        /// The cost of reading a query and of the header of its answer.
        static let query = Cost(time: .microseconds(20), bytes: 512)
    }

    private static let isRecent = Duration.seconds(1)
    /// The maximum number of connections that are remembered. If more connections were answered or refused in the last
    /// second, all of them are discarded.
    private static let mostRecent = 1024

    /// An amount that is refilled steadily. A cost is only known afterwards, so the rest may be less than zero.
    private struct Bucket {
        let perSecond: Double
        let capacity: Double
        private(set) var left: Double

        init(perSecond: Double, capacity: Double) {
            self.perSecond = perSecond
            self.capacity = capacity
            left = capacity
        }

        mutating func refill(over seconds: Double) { left = min(capacity, left + perSecond * seconds) }
        mutating func spend(_ amount: Double) { left -= amount }
    }

    private struct Allowance {
        private var seconds: Bucket
        private var bytes: Bucket

        /// - Parameter share: the share of one processor. A whole one also has 1 MiB per second.
        init(share: Double) {
            seconds = Bucket(perSecond: share, capacity: share * 2)
            bytes = Bucket(perSecond: share * 0x10_0000, capacity: share * 0x200_0000)
        }

        var isLeft: Bool { seconds.left > 0 && bytes.left > 0 }

        mutating func refill(over time: Duration) {
            seconds.refill(over: time / .seconds(1))
            bytes.refill(over: time / .seconds(1))
        }

        mutating func spend(_ cost: Cost) {
            seconds.spend(cost.time / .seconds(1))
            bytes.spend(Double(cost.bytes))
        }
    }

    private struct Caller {
        var allowance = Allowance(share: 0.125)
        var refilled: Duration
        var answered: Duration?
        var refused: Duration?

        func isIdle(at now: Duration) -> Bool {
            [answered, refused].compactMap(\.self).allSatisfy { now - $0 >= isRecent }
        }
    }

    private var common = Allowance(share: 0.25)
    private var reserve = Allowance(share: 0.125)
    private var callers: [String: Caller] = [:]
    private var time: Duration
    /// True while the processor time of the thread is being measured for a query.
    var isCharging = false

    init(at now: Duration) { time = now }

    /// Decides how to treat a query from a connection. If the query is answered, call `note` with the cost of its answer.
    /// - Parameter isBehind: true if the bus does not accept the answers that there are already.
    mutating func judge(_ sender: String, isBehind: Bool = false, at now: Duration) -> Verdict {
        common.refill(over: now - time)
        reserve.refill(over: now - time)
        time = now
        var caller = callers[sender] ?? Caller(refilled: now)
        caller.allowance.refill(over: now - caller.refilled)
        caller.refilled = now
        let isNew = caller.answered.map { now - $0 >= Self.isRecent } ?? true
        if !isBehind, common.isLeft && caller.allowance.isLeft || isNew && (common.isLeft || reserve.isLeft) {
            caller.answered = now
            remember(caller, as: sender, at: now)
            note(.query, for: sender)
            return .answer
        }
        let isRefused = caller.refused.map { now - $0 >= Self.isRecent } ?? true
        if isRefused { caller.refused = now }
        remember(caller, as: sender, at: now)
        return isRefused ? .refuse : .ignore
    }

    /// Records the cost of an answer, or of a part of it.
    mutating func note(_ cost: Cost, for sender: String) {
        callers[sender]?.allowance.spend(cost)
        if common.isLeft { common.spend(cost) } else { reserve.spend(cost) }
    }

    private mutating func remember(_ caller: Caller, as sender: String, at now: Duration) {
        if callers.count >= Self.mostRecent, callers[sender] == nil {
            callers = callers.filter { !$0.value.isIdle(at: now) }
            if callers.count >= Self.mostRecent { callers = [:] }
        }
        callers[sender] = caller
    }
}
