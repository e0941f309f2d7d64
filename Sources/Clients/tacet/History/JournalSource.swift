import Clocks
import Files
import Glibc
import Systemd
import Time
import Vocabulary

/// The source of the history.
enum JournalSource {
    /// The journal files in a folder, or this machine's journal if `directory` is nil.
    case journal(directory: String? = nil)
    /// A file that was exported from any machine's journal.
    case export(String)

    /// The entries that were read.
    struct Content {
        /// All entries of Tacet.
        var records: [JournalRecord] = []
        /// The number of damaged entries.
        var damaged = 0
        /// The ends of processes of any service.
        var exits: [ProcessExit] = []
    }

    /// - Parameter options: the options of `HistoryRange`.
    init(_ options: Options, subcommand: String) throws(UsageError) {
        switch (options.values["--file"], options.values["--directory"]) {
        case (_?, _?): throw UsageError("--file and --directory exclude each other", subcommand: subcommand)
        case (let file?, nil): self = .export(file)
        case (nil, let directory): self = .journal(directory: directory)
        }
    }

    /// - Parameter newest: the maximum number of entries to read from a journal.
    func read(newest: Int? = nil) throws -> Content {
        switch self {
        case .export(let path): try readFile(path)
        case .journal(let directory): try Self.readJournal(directory, newest)
        }
    }

    private func readFile(_ path: String) throws -> Content {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile.open(path, O_RDONLY, dash: STDIN_FILENO)
        } catch {
            throw HistoryError("cannot read \(path): \(error.words); \(Self.advice)")
        }
        return try parse(file, path == "-" ? "standard input" : path)
    }

    private static let advice = "create it with: journalctl -u tacet -o export >FILE"

    private func parse(_ file: borrowing OpenFile, _ name: String) throws(HistoryError) -> Content {
        var parser = ExportParser()
        do {
            while true {
                let piece = try file.readPiece()
                if piece.isEmpty { break }
                try parser.feed(piece)
            }
            try parser.finish()
        } catch let error as FileError {
            throw HistoryError("cannot read \(name): \(error.words)")
        } catch let error as ExportParser.NoExport {
            throw HistoryError("\(name):\(error.line): this is not an export of a journal; \(Self.advice)")
        } catch {
            throw HistoryError("cannot read \(name): \(error)")
        }
        return Content(records: parser.records, damaged: parser.damaged, exits: parser.exits)
    }

    // MARK: systemd's journal

    private static func readJournal(_ directory: String?, _ newest: Int?) throws(HistoryError) -> Content {
        var content = Content()
        do throws(SystemdError) {
            // The journal itself records the unit, whereas any program can call itself tacetd.
            content.damaged = try read(directory, [("_SYSTEMD_UNIT", "tacet.service")], newest) { entry in
                guard let event = entry.fields[JournalField.event.name]?.first else { return }
                content.records.append(
                    JournalRecord(
                        realtime: Int64(clamping: entry.realtime), monotonic: Int64(clamping: entry.monotonic),
                        boot: entry.boot, event: event, fields: entry.fields))
            }
            // A damaged entry from the service manager only reduces precision.
            _ = try read(directory, ProcessExit.selection, newest) { entry in
                let exit = ProcessExit(
                    monotonic: Int64(clamping: entry.monotonic), boot: entry.boot, fields: entry.fields)
                if let exit { content.exits.append(exit) }
            }
            return content
        } catch { throw unreadable(error, in: directory) }
    }

    /// - Returns: the number of damaged entries.
    private static func read(
        _ directory: String?, _ selection: [(String, String)], _ newest: Int?, _ take: (JournalReader.Entry) -> Void
    ) throws(SystemdError) -> Int {
        let reader = if let directory { try JournalReader(directory: directory) } else { try JournalReader() }
        for (field, value) in selection { try reader.select(field, value) }
        if let newest { try reader.skip(toNewest: newest) }
        var damaged = 0
        while true {
            switch try reader.next(longest: JournalRecord.longestValue, fields: JournalRecord.reads) {
            case .end: return damaged
            case .damaged: damaged += 1
            case .entry(let entry): take(entry)
            }
        }
    }

    static func unreadable(_ error: SystemdError, in directory: String? = nil) -> HistoryError {
        switch error.code {
        case ENOENT where directory == nil:
            HistoryError(
                "this machine has no journal: check that systemd-journald runs, or read the journal of another machine with "
                    + "--file FILE (\(advice))")
        case EACCES: HistoryError("\(error): run this as root or as a member of the group systemd-journal")
        default: HistoryError("\(error)")
        }
    }
}

extension JournalSource {
    /// Returns the current time. For a file, this is the time of its last moment, because it may be read much later.
    func now(in chronicle: Chronicle) -> Int64 {
        if case .export = self, let last = chronicle.moments.last {
            last.time
        } else {
            SystemClock.wallClock.wholeMicroseconds
        }
    }

    /// The current boot, dated by this machine's current clock, or nil if the history comes from a file.
    var presentBoot: Chronicle.Boot? {
        guard case .journal = self, let id = BootID.kernel else { return nil }
        // This is the same clock as the journal's, which excludes suspended time.
        let start = SystemClock.wallClock - SystemClock.monotonic.now
        return Chronicle.Boot(id: id, start: start.wholeMicroseconds)
    }
}

extension JournalSource {
    /// Returns problems that a person should be aware of in addition to the history.
    /// - Parameter isNothing: true if there is nothing to show.
    func problems(of content: Content, isNothing: Bool) -> [String] {
        var problems: [String] = []
        if content.damaged > 0 {
            let entries = content.damaged == 1 ? "entry" : "entries"
            problems.append("\(name): skipped \(content.damaged) damaged or truncated \(entries)")
        }
        switch self {
        case _ where !isNothing: break
        case _ where !content.records.isEmpty:
            problems.append("\(name): no entries in this time range; omit --since and --until to see all")
        case .journal:
            problems.append(
                "\(name) has no entries from Tacet: check that the service has run (systemctl status tacet) and that you "
                    + "can read its entries (as root or as a member of the group systemd-journal)")
        case .export: problems.append("\(name): no entries from Tacet; \(Self.advice)")
        }
        return problems
    }

    func complain(of content: Content, isNothing: Bool) {
        for problem in problems(of: content, isNothing: isNothing) { Terminal.complain("tacet: \(problem)") }
    }

    private var name: String {
        switch self {
        case .journal(nil): "the journal"
        case .journal(let directory?): "the journal in \(directory)"
        case .export("-"): "standard input"
        case .export(let path): path
        }
    }
}
