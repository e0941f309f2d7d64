import Glibc
import Spelling
import Systemd
import Vocabulary

/// Writes entries to the journal, or to standard error if that is not connected to the journal. It is thread-safe.
/// Callers do not wait for either of them, because a separate thread writes (`LogQueue`).
public enum JournalWriter {
    /// True if standard error is connected to the journal. systemd identifies the journal's stream by its device and
    /// inode (systemd.exec(5)). A daemon that a person or a test has started writes to its terminal.
    public static let toJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()

    private enum Item: Sendable {
        case entry(JournalEntry)
        /// Plain text that ends with a line break.
        case text(String)
    }

    private static let queue = LogQueue<Item>("tacet-log") { item, delay in
        switch item {
        case .entry(let entry): deliver(entry.written(after: delay))
        case .text(let text): StandardError.write(text)
        }
    } describeLoss: {
        .entry(.entriesLost($0))
    }

    public static func write(_ entry: JournalEntry) { queue.add(.entry(entry), size: entry.size) }

    /// Writes text for people to standard error.
    public static func write(_ text: String) {
        let text = text.visibleLines() + "\n"
        queue.add(.text(text), size: text.utf8.count)
    }

    /// Waits until everything has been written, but not for a reader that is stuck. Call this before the process ends.
    public static func flush() { queue.flush(within: .seconds(2)) }

    private static func deliver(_ entry: JournalEntry) {
        guard toJournal else { return writePlainly(entry) }
        do throws(SystemdError) {
            let own = [
                ("MESSAGE", entry.message), ("MESSAGE_ID", entry.event.messageID),
                ("PRIORITY", String(entry.priority.rawValue)), ("SYSLOG_IDENTIFIER", "tacetd"),
                (JournalField.event.name, entry.event.rawValue),
            ]
            try Journal.send(own + entry.fields.map { ($0.field.name, $0.value) })
        } catch {
            writePlainly(entry)
        }
    }

    private static func writePlainly(_ entry: JournalEntry) {
        StandardError.write(plainText(entry, showsPriority: isatty(STDERR_FILENO) == 0) + "\n")
    }

    /// Returns an entry as text. File names in it can neither control the terminal nor forge another entry.
    ///
    /// - Parameter showsPriority: True if the text begins with the priority for systemd.
    static func plainText(_ entry: JournalEntry, showsPriority: Bool) -> String {
        let level = showsPriority ? "<\(entry.priority.rawValue)>" : ""
        let fields = entry.fields.map { " \($0.field.rawValue)=\($0.value.visible)" }.joined()
        // Some messages have several lines. In an entry, all lines except the first are indented.
        return "\(level)\(entry.message.visibleLines(joinedBy: "\n    ")) [\(entry.event.rawValue)\(fields)]"
    }
}

extension JournalEntry {
    /// The approximate number of bytes that the entry takes.
    fileprivate var size: Int { fields.reduce(128 + message.utf8.count) { $0 + 64 + $1.value.utf8.count } }

    /// Returns the entry with its delay, because the journal dates an entry when it receives it.
    func written(after delay: Duration) -> JournalEntry {
        delay >= .seconds(1) ? with(.delay, delay) : self
    }

    static func entriesLost(_ count: Int) -> JournalEntry {
        JournalEntry(
            .entriesLost,
            "The journal did not accept Tacet's entries in time, and \(count) of them \(count == 1 ? "is" : "are") lost.",
            priority: .warning
        ).with(.count, String(count))
    }
}
