import Fleet
import Glibc
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

    private static let toJournal = getenv("JOURNAL_STREAM") != nil

    typealias Fields = [(name: String, value: String)]

    private enum Item: Sendable {
        case entry(Fields)
        /// Plain text with a line break at the end.
        case text(String)
    }

    /// A queue, because a stuck reader of the journal must not stop the connection to the broker.
    private static let queue = LogQueue<Item>("mqtt-log") { item, delay in
        switch item {
        case .entry(let fields): deliver(delayed(fields, by: delay))
        case .text(let text): StandardError.write(text)
        }
    } describeLoss: {
        .entry(fields(.entriesLost($0)))
    }

    static func write(_ entry: Entry) {
        let fields = fields(entry)
        queue.add(.entry(fields), size: fields.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count })
    }

    /// Writes text for people to standard error.
    static func write(_ text: String) {
        let text = text.visibleLines() + "\n"
        queue.add(.text(text), size: text.utf8.count)
    }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    static func flush() { queue.flush(within: .seconds(2)) }

    /// Adds the delay to an entry, because the journal dates an entry when it receives it.
    static func delayed(_ fields: Fields, by delay: Duration) -> Fields {
        guard delay >= .seconds(1) else { return fields }
        return fields + [(name: JournalField.delay.name, value: "\(delay.wholeNanoseconds / 1000)")]
    }

    private static func deliver(_ fields: Fields) {
        guard toJournal else { return StandardError.write((fields.first?.value ?? "") + "\n") }
        try? Journal.send(fields)
    }

    static func fields(_ entry: Entry) -> Fields {
        let (event, priority, message, fields) = contents(entry)
        // Names and payloads from other machines must neither control the terminal nor forge a line.
        let text = message.visibleLines(joinedBy: " ")
        let head = [
            ("MESSAGE", text), ("MESSAGE_ID", event.messageID), ("PRIORITY", "\(priority.rawValue)"),
            (JournalField.event.name, event.rawValue),
            ("SYSLOG_IDENTIFIER", "tacet-mqtt"),
        ]
        return head + fields
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
                "The journal did not accept entries in time, and \(count) of them \(count == 1 ? "is" : "are") lost.",
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
