import Fleet
import Glibc
import Spelling
import Systemd
import Threads

/// What the journal says of the fleet: one entry for each case, with a fixed MESSAGE_ID, which the catalog explains.
enum FleetJournal {
    enum Entry {
        case connected(String)
        case disconnected(String, String)
        case storageFailed(String)
        case news(FleetNews)
        case entriesLost(Int)
    }

    private static let toJournal = getenv("JOURNAL_STREAM") != nil

    typealias Fields = [(name: String, value: String)]

    private enum Item: Sendable {
        case entry(Fields)
        /// Plain text, with a line break at the end.
        case text(String)
    }

    /// Whoever reads the journal can be stuck, which must not stop the connection to the broker.
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

    /// Waits until everything has been written, but not for a reader that is stuck; before the process ends.
    static func flush() { queue.flush(within: .seconds(2)) }

    /// The journal dates an entry when it receives it.
    static func delayed(_ fields: Fields, by delay: Duration) -> Fields {
        guard delay >= .seconds(1) else { return fields }
        return fields + [(name: "TACET_DELAY_USEC", value: "\(delay.wholeNanoseconds / 1000)")]
    }

    private static func deliver(_ fields: Fields) {
        guard toJournal else { return StandardError.write((fields.first?.value ?? "") + "\n") }
        try? Journal.send(fields)
    }

    static func fields(_ entry: Entry) -> Fields {
        let (event, id, priority, message, fields) = contents(entry)
        // Names and payloads of other machines must neither control the terminal nor forge a line.
        let text = message.visibleLines(joinedBy: " ")
        let head = [
            ("MESSAGE", text), ("MESSAGE_ID", id), ("PRIORITY", "\(priority.rawValue)"), ("TACET_EVENT", event),
            ("SYSLOG_IDENTIFIER", "tacet-mqtt"),
        ]
        return head + fields
    }

    private static func contents(
        _ entry: Entry
    ) -> (event: String, id: String, priority: Journal.Priority, message: String, fields: [(String, String)]) {
        switch entry {
        case .connected(let address):
            ("broker-connected", "65718c9c36ef417f9644303be04b7941", .notice, "Connected to the broker \(address).", [])
        case .disconnected(let address, let reason):
            (
                "broker-lost", "c014aca54b294777ac590aa0a73c82a7", .warning,
                "Not connected to the broker \(address): \(reason)", [("TACET_REASON", reason)]
            )
        case .entriesLost(let count):
            (
                "fleet-entries-lost", "67e490f762db4b77bd9b0d6c30db77c2", .warning,
                "The journal did not accept entries in time, and \(count) of them \(count == 1 ? "is" : "are") lost.",
                [("TACET_COUNT", "\(count)")]
            )
        case .news(.brokerRefused(let what)):
            ("broker-refused", "af749505fde64772a0b1d603b03a2c49", .warning, what, [])
        case .storageFailed(let reason):
            ("fleet-storage-failed", "349740495321435a852e15acbd702afb", .error, "Fleet: \(reason).", [])
        case .news(.obeyed(let topic, let what, let id)):
            (
                "fleet-request", "3b78b7843de8436dab091781a8eaf80c", .info,
                "From the broker, \(topic): \(what)\(id.map { " (\($0))" } ?? "").", [("TACET_TOPIC", topic)]
            )
        case .news(.signal(let topic, let isOn)):
            contents(.news(.obeyed(topic: topic, what: isOn ? "on" : "off", id: nil)))
        case .news(.rejected(let topic, let reason)):
            (
                "fleet-request-rejected", "b963810e7c634618aa4a3b9330dc057d", .warning,
                "Not obeyed, from the broker, \(topic): \(reason).", [("TACET_TOPIC", topic), ("TACET_REASON", reason)]
            )
        case .news(.flood(let ignored, let unlogged)):
            (
                "fleet-flood", "c195ed15f275483e9bd2b105d4a546f9", .warning,
                [
                    ignored > 0 ? "\(ignored) messages from the broker came too fast and were ignored." : nil,
                    unlogged > 0
                        ? "\(unlogged) more messages from the broker have no entry of their own, so that they do not fill"
                            + " the journal." : nil,
                ].compactMap { $0 }.joined(separator: " "), []
            )
        case .news(.losesConnections(let problem)):
            ("broker-unstable", "c3aaff9169db45f48127e6669e331e33", .warning, problem, [])
        }
    }
}
