import Fleet
import HelperLog
import Spelling
import Systemd
import Time
import Vocabulary

/// The entries of the fleet in the journal. Each case has a fixed MESSAGE_ID, which the catalog explains.
enum FleetJournal {
    enum Entry {
        case storageFailed(String)
        case news(FleetNews)
        case entriesLost(Int)
    }

    /// A stuck reader of the journal must not stop the connection to the broker.
    private static let log = HelperLog(thread: "mqtt-log") { fields(.entriesLost($0)) }

    static func write(_ entry: Entry) { log.write(fields(entry)) }

    /// Writes text for people to standard error.
    static func write(_ text: String) { log.write(text) }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    static func flush() { log.flush() }

    static func fields(_ entry: Entry) -> HelperLog.Fields {
        let (event, priority, message, fields) = contents(entry)
        return HelperLog.fields(
            of: "tacet-mqtt", event.rawValue, id: event.messageID, priority, message, fields)
    }

    private static func contents(
        _ entry: Entry
    ) -> (event: FleetJournalEvent, priority: Journal.Priority, message: String, fields: [(String, String)]) {
        switch entry {
        case .news(.connected(let address)):
            (.brokerConnected, .notice, "Connected to the broker \(address).", [])
        case .news(.disconnected(let address, let reason)):
            (
                .brokerLost, .warning,
                "Not connected to the broker \(address): \(reason)", [(JournalField.reason.name, reason)]
            )
        case .entriesLost(let count):
            (
                .entriesLost, .warning,
                HelperLog.lossMessage(count),
                [(JournalField.count.name, "\(count)")]
            )
        case .news(.brokerRefused(let what)):
            (.brokerRefused, .warning, what, [])
        case .storageFailed(let reason):
            (.storageFailed, .error, "tacet-mqtt has a problem with its files: \(reason).", [])
        case .news(.executed(let topic, let what, let id)):
            (
                .request, .info,
                "Received from the broker on \(topic): \(what)\(id.map { " (\($0))" } ?? "").",
                [(JournalField.topic.name, topic)]
            )
        case .news(.signal(let topic, let isOn)):
            contents(.news(.executed(topic: topic, what: isOn ? "on" : "off", id: nil)))
        case .news(.rejected(let topic, let reason)):
            (
                .requestRejected, .warning,
                "A request from the broker on \(topic) was not executed: \(reason).",
                [(JournalField.topic.name, topic), (JournalField.reason.name, reason)]
            )
        case .news(.flood(let ignored, let unlogged)):
            (
                .flood, .warning,
                [
                    ignored > 0 ? "\(ignored) messages from the broker came too fast and were ignored." : nil,
                    unlogged > 0
                        ? "\(unlogged) more messages from the broker or connections to it were not logged separately, so"
                            + " that they do not fill the journal." : nil,
                ].compactMap { $0 }.joined(separator: " "), []
            )
        case .news(.losesConnections(let problem)):
            (.brokerUnstable, .warning, problem.sentenceCased, [])
        }
    }
}
