/// The connections to the broker that were lost lately. Many losses suggest that another client has the same identifier: the
/// broker then disconnects each when the other connects, and few brokers give that as the reason. Pure.
struct LossHistory: Hashable {
    /// How long a loss counts, and how many make a problem.
    static let window = Duration.seconds(600)
    static let suspicious = 3

    private var losses: [Duration] = []

    /// A connection that the broker had accepted was lost.
    /// - Returns: whether this makes it a problem.
    mutating func add(at now: Duration) -> Bool {
        losses = recent(at: now) + [now]
        return losses.count == LossHistory.suspicious
    }

    /// How many losses there were lately; nil if they are no problem.
    func problem(at now: Duration) -> Int? {
        let count = recent(at: now).count
        return count >= LossHistory.suspicious ? count : nil
    }

    private func recent(at now: Duration) -> [Duration] { losses.filter { now - $0 < LossHistory.window } }
}
