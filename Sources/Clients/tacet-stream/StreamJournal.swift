import Glibc
import Spelling
import Systemd
import Vocabulary

/// The program's entries in the journal. Each case has a fixed MESSAGE_ID, which the catalog explains.
enum StreamJournal {
    enum Entry {
        /// A stream is received.
        case playing(String)
        /// A stream cannot be received for the given reason.
        case failed(String, reason: String)
        case entriesLost(Int)
    }

    typealias Fields = [(name: String, value: String)]

    private static let toJournal = getenv("JOURNAL_STREAM") != nil

    /// A queue, because a stuck reader of the journal must not cause gaps in the audio.
    private static let queue = LogQueue<Fields>("stream-log") { fields, delay in
        deliver(delayed(fields, by: delay))
    } describeLoss: {
        fields(.entriesLost($0))
    }

    static func write(_ entry: Entry) {
        let fields = fields(entry)
        queue.add(fields, size: fields.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count })
    }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    static func flush() { queue.flush(within: .seconds(2)) }

    private static func delayed(_ fields: Fields, by delay: Duration) -> Fields {
        guard delay >= .seconds(1) else { return fields }
        return fields + [(name: JournalField.delay.name, value: "\(Int(delay / .microseconds(1)))")]
    }

    private static func deliver(_ fields: Fields) {
        guard toJournal else { return StandardError.write((fields.first?.value ?? "") + "\n") }
        try? Journal.send(fields)
    }

    private static func fields(_ entry: Entry) -> Fields {
        let (event, priority, message, fields) = contents(entry)
        let head = [
            ("MESSAGE", message.visibleLines(joinedBy: " ")), ("MESSAGE_ID", event.messageID),
            ("PRIORITY", "\(priority.rawValue)"), (JournalField.event.name, event.rawValue),
            ("SYSLOG_IDENTIFIER", "tacet-stream"),
        ]
        return head + fields
    }

    private static func contents(
        _ entry: Entry
    ) -> (event: StreamJournalEvent, priority: Journal.Priority, message: String, fields: [(String, String)]) {
        switch entry {
        case .playing(let input):
            (.playing, .info, "The stream of the input \(input) is received.", [(JournalField.source.name, input)])
        case .failed(let input, let reason):
            (
                .failed, .warning, "The stream of the input \(input) cannot be received: \(reason).",
                [(JournalField.source.name, input), (JournalField.reason.name, reason)]
            )
        case .entriesLost(let count):
            (
                .entriesLost, .warning,
                "The journal did not accept entries in time, and \(count) of them \(count == 1 ? "is" : "are") lost.",
                [(JournalField.count.name, "\(count)")]
            )
        }
    }
}
