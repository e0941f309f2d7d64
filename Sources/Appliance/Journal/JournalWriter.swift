import Glibc
import Systemd

/// Writes entries to the journal; where there is none, or a person looks on, to standard error. Any thread may.
public enum JournalWriter {
    /// A daemon that a person started by hand talks to that person.
    private static let toJournal = Journal.isThere && isatty(STDERR_FILENO) == 0

    public static func write(_ entry: JournalEntry) {
        guard toJournal else { return writePlainly(entry) }
        do throws(SystemdError) {
            let own = [
                ("MESSAGE", entry.message), ("MESSAGE_ID", entry.event.messageID),
                ("PRIORITY", String(entry.priority.rawValue)), ("SYSLOG_IDENTIFIER", "tacetd"),
                ("TACET_EVENT", entry.event.rawValue),
            ]
            try Journal.send(own + entry.fields.map { ("TACET_" + $0.field.rawValue, $0.value) })
        } catch {
            writePlainly(entry)
        }
    }

    /// The priority in front is for systemd, which may read along.
    private static func writePlainly(_ entry: JournalEntry) {
        let level = isatty(STDERR_FILENO) == 0 ? "<\(entry.priority.rawValue)>" : ""
        let fields = entry.fields.map { " \($0.field.rawValue)=\($0.value)" }.joined()
        let line = Array("\(level)\(entry.message) [\(entry.event.rawValue)\(fields)]\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
