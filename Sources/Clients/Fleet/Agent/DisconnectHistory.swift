import MQTT

/// The connections to the broker that were lost lately. Many losses suggest that another client has the same identifier: the
/// broker then disconnects each when the other connects, and few brokers give that as the reason. Pure.
struct DisconnectHistory: Hashable {
    /// How long a loss counts, and how many make a problem.
    private static let window = Duration.seconds(600)
    private static let suspicious = 3

    private struct Entry: Hashable {
        let loss: MQTTLoss
        let time: Duration
    }

    /// Those of the window, oldest first.
    private var entries: [Entry] = []

    /// A connection that the broker had accepted was lost.
    /// - Returns: whether this makes it a problem.
    mutating func add(_ loss: MQTTLoss, at now: Duration) -> Bool {
        advance(to: now)
        entries.append(Entry(loss: loss, time: now))
        return entries.count == DisconnectHistory.suspicious
    }

    mutating func advance(to now: Duration) { entries.removeAll { now - $0.time >= DisconnectHistory.window } }

    /// Whether the broker has ended any of them by something that MQTT does not allow.
    var haveMalformed: Bool { entries.contains { $0.loss.cause == .malformed } }

    /// What the losses suggest, for people; nil if there were few.
    func problem(ofBoard name: String) -> String? {
        guard entries.count >= DisconnectHistory.suspicious, let last = entries.last?.loss else { return nil }
        let guess = "is another board called \(name), too (Name= in mqtt.conf)?"
        return "the connection to the broker was lost \(entries.count) times in ten minutes: "
            + (last.cause == .perhapsRival ? guess : last.reason)
    }
}
