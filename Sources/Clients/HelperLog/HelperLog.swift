import Clocks
import Glibc
import Spelling
import Synchronization
import Systemd
import Time
import Vocabulary

/// The log of a program that works for Tacet. Entries go to the journal, or as text to standard error if the program was
/// not started by systemd. Any thread can use it, and none waits for a reader that is stuck. Create only one in a process.
public final class HelperLog: Sendable {
    public typealias Fields = [(name: String, value: String)]

    private enum Item: Sendable {
        case entry(Fields)
        /// Plain text with a line break at the end.
        case text(String)
    }

    private let queue: LogQueue<Item>
    /// The limits of each kind of entry.
    private let limiters = Mutex<[[String]: RepetitionLimiter]>([:])

    /// - Parameters:
    ///   - thread: the name of the thread that writes, of at most 15 bytes.
    ///   - describeLoss: returns an entry that reports the number of lost entries.
    public init(thread: String, describeLoss: @escaping @Sendable (Int) -> Fields) {
        queue = LogQueue(thread) { item, delay in
            switch item {
            case .entry(let fields): Self.deliver(Self.delayed(fields, by: delay))
            case .text(let text): StandardError.write(text)
            }
        } describeLoss: {
            .entry(describeLoss($0))
        }
    }

    /// Writes an entry.
    /// - Parameter limiter: the limit for entries of the same event about the same player or input, or nil if all of them
    ///   are logged.
    public func write(_ fields: Fields, limiter: RepetitionLimiter? = nil) {
        let now = SystemClock.monotonic.now
        let written = if let limiter { limit(fields, to: limiter, at: now) } else { Optional(fields) }
        guard let fields = written else { return }
        queue.add(.entry(fields), size: fields.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count })
    }

    /// - Returns: the entry to write, or nil if it has been repeated too often.
    func limit(_ fields: Fields, to limiter: RepetitionLimiter, at now: Duration) -> Fields? {
        let subjects: Set<String> = [
            JournalField.event.name, JournalField.player.name, JournalField.source.name,
        ]
        let kind = fields.filter { subjects.contains($0.name) }.map(\.value)
        let verdict = limiters.withLock { $0[kind, default: limiter].happens(at: now) }
        guard verdict != .dropped else { return nil }
        guard let remark = verdict.remark(limiter.pace) else { return fields }
        return fields.map { $0.name == "MESSAGE" ? ($0.name, "\($0.value) \(remark)") : $0 }
    }

    /// Writes text for people to standard error.
    public func write(_ text: String) {
        let text = text.visibleLines() + "\n"
        queue.add(.text(text), size: text.utf8.count)
    }

    /// Waits until everything has been written, but not for a reader that is stuck. Call it before the process ends.
    public func flush() { queue.flush(within: .seconds(2)) }

    /// Writes text for people to standard error, at once. A service must not use this, because the reader may be stuck.
    public static func complain(_ text: String) {
        let line = Array((text.visibleLines() + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    // MARK: Entries

    /// Returns the fields of an entry.
    /// - Parameters:
    ///   - program: the name of the program, such as `tacet-mqtt`.
    ///   - event: the name of the event.
    ///   - id: the MESSAGE_ID of the event.
    ///   - message: the text for people. Names and payloads in it may come from strangers.
    ///   - fields: the other fields.
    public static func fields(
        of program: String, _ event: String, id: String, _ priority: Journal.Priority, _ message: String,
        _ fields: [(String, String)]
    ) -> Fields {
        // What strangers have sent must neither control the terminal nor forge a line.
        let head = [
            ("MESSAGE", message.visibleLines(joinedBy: " ")), ("MESSAGE_ID", id), ("PRIORITY", "\(priority.rawValue)"),
            (JournalField.event.name, event), ("SYSLOG_IDENTIFIER", program),
        ]
        return head + fields
    }

    /// Returns the text about entries that are lost.
    public static func lossMessage(_ count: Int) -> String {
        "The journal did not accept entries in time, and \(count) of them \(count == 1 ? "is" : "are") lost."
    }

    /// Adds the delay to an entry, because the journal dates an entry when it receives it.
    static func delayed(_ fields: Fields, by delay: Duration) -> Fields {
        guard delay >= .seconds(1) else { return fields }
        return fields + [(name: JournalField.delay.name, value: "\(delay.wholeNanoseconds / 1000)")]
    }

    // MARK: Delivery

    private static let toJournal = getenv("JOURNAL_STREAM") != nil

    private static func deliver(_ fields: Fields) {
        guard toJournal else { return StandardError.write((fields.first?.value ?? "") + "\n") }
        try? Journal.send(fields)
    }
}
