import MQTT

/// The recent losses of the connection to the broker. Many losses suggest that another client has the same identifier,
/// because the broker then disconnects each client when the other connects. Few brokers state that reason. It has no
/// side effects.
struct DisconnectHistory: Hashable {
    /// The time for which a loss is remembered, and the number of losses that indicates a problem.
    private static let window = Duration.seconds(600)
    private static let suspicious = 3

    private struct Entry: Hashable {
        let loss: MQTTLoss
        let time: Duration
    }

    /// The losses within the window, oldest first.
    private var entries: [Entry] = []

    /// Adds the loss of a connection that the broker had accepted.
    /// - Returns: true if this loss reaches the number that indicates a problem.
    mutating func add(_ loss: MQTTLoss, at now: Duration) -> Bool {
        advance(to: now)
        entries.append(Entry(loss: loss, time: now))
        return entries.count == DisconnectHistory.suspicious
    }

    mutating func advance(to now: Duration) { entries.removeAll { now - $0.time >= DisconnectHistory.window } }

    /// True if the broker caused any of the losses by sending something that MQTT does not allow.
    var haveMalformed: Bool { entries.contains { $0.loss.cause == .malformed } }

    /// Returns the likely cause of the losses, for people, or nil if there were few.
    func problem(ofBoard name: String) -> String? {
        guard entries.count >= DisconnectHistory.suspicious, let last = entries.last?.loss else { return nil }
        let reason =
            switch last.cause {
            case .rival:
                "another client takes this board's session (is another board also called \(name)? If not, see A"
                    + " BROKER in tacet-mqtt(8))"
            case .perhapsRival: "is another board called \(name) as well (Name= in mqtt.conf)?"
            case .malformed, .other: last.reason
            }
        return "the connection to the broker was lost \(entries.count) times in ten minutes: \(reason)"
    }
}
