import HelperLog
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

    /// A stuck reader of the journal must not cause gaps in the audio.
    private static let log = HelperLog(thread: "stream-log") { fields(.entriesLost($0)) }

    static func write(_ entry: Entry) { log.write(fields(entry), limiter: RepetitionLimiter(burst: 6)) }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    static func flush() { log.flush() }

    private static func fields(_ entry: Entry) -> HelperLog.Fields {
        let (event, priority, message, fields) = contents(entry)
        return HelperLog.fields(
            of: "tacet-stream", event.rawValue, id: event.messageID, priority, message, fields)
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
                HelperLog.lossMessage(count),
                [(JournalField.count.name, "\(count)")]
            )
        }
    }
}
