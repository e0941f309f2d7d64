/// Rations what anybody may ask, so that a flood of questions does not keep orders waiting. Pure; the time is passed in.
///
/// Questions take at most half of the time, however slow the processor is. Another quarter is for connections that have
/// not been answered for a second: a program that asks now and then gets its answer beside one that asks all the time.
struct BusRation {
    private static let isRecent = Duration.seconds(1)
    /// If more connections than this were answered in the last second, all are forgotten.
    private static let mostRecent = 1024

    /// Time that may be spent.
    private struct Bucket {
        /// How much a second adds, and how much there can be.
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
    /// When each connection was last answered.
    private var answered: [String: Duration] = [:]
    private var time: Duration

    init(at now: Duration) { time = now }

    /// - Returns: whether a connection's question may be answered now.
    mutating func admits(_ sender: String, at now: Duration) -> Bool {
        common.refill(over: now - time)
        reserve.refill(over: now - time)
        time = now
        return common.left > .zero || reserve.left > .zero && isNew(sender, at: now)
    }

    /// A question was answered.
    /// - Parameter spent: the time that it took.
    mutating func note(_ spent: Duration, for sender: String, at now: Duration) {
        if common.left > .zero { common.spend(spent) } else { reserve.spend(spent) }
        if answered.count >= Self.mostRecent {
            answered = answered.filter { now - $0.value < Self.isRecent }
            if answered.count >= Self.mostRecent { answered = [:] }
        }
        answered[sender] = now
    }

    private func isNew(_ sender: String, at now: Duration) -> Bool {
        answered[sender].map { now - $0 >= Self.isRecent } ?? true
    }
}
