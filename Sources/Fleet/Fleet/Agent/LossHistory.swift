/// The connections to the broker that were lost lately. Many losses suggest that another client has the same identifier: the
/// broker then disconnects each when the other connects, and few brokers give that as the reason. Pure.
struct LossHistory: Hashable {
    /// How long a loss counts, and how many make a problem.
    private static let window = Duration.seconds(600)
    private static let suspicious = 3

    /// When those of the window were, oldest first.
    private var losses: [Duration] = []

    /// A connection that the broker had accepted was lost.
    /// - Returns: whether this makes it a problem.
    mutating func add(at now: Duration) -> Bool {
        advance(to: now)
        losses.append(now)
        return losses.count == LossHistory.suspicious
    }

    mutating func advance(to now: Duration) { losses.removeAll { now - $0 >= LossHistory.window } }

    /// What the losses suggest, for people; nil if there were few.
    func problem(ofBoard name: String) -> String? {
        guard losses.count >= LossHistory.suspicious else { return nil }
        return "the connection to the broker was lost \(losses.count) times in ten minutes: is another board called"
            + " \(name), too (Name= in mqtt.conf)?"
    }
}
