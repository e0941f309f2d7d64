import Glibc
import Spelling
import Systemd

/// Writes entries to the journal; or to standard error, if that is not connected to the journal. Thread-safe.
public enum JournalWriter {
    /// systemd names the journal's stream by its device and inode (systemd.exec(5)). A daemon started by a person or a test
    /// writes to its terminal.
    public static let toJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()

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

    private static func writePlainly(_ entry: JournalEntry) {
        let line = Array((plainText(entry, showsPriority: isatty(STDERR_FILENO) == 0) + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// An entry as text. File names in it can neither control the terminal nor forge another entry.
    ///
    /// - Parameter showsPriority: whether it begins with the priority, for systemd.
    static func plainText(_ entry: JournalEntry, showsPriority: Bool) -> String {
        let level = showsPriority ? "<\(entry.priority.rawValue)>" : ""
        let fields = entry.fields.map { " \($0.field.rawValue)=\($0.value.visible)" }.joined()
        // Some messages have several lines. Only the first line of an entry is not indented.
        return "\(level)\(entry.message.visibleLines(joinedBy: "\n    ")) [\(entry.event.rawValue)\(fields)]"
    }
}
