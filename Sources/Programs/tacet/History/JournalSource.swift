import Files
import Glibc
import Systemd

/// Where the history comes from: this machine's journal, or a file that was made from another one's.
enum JournalSource {
    case journal
    case export(String)

    /// By its identifier, whatever the unit is called.
    private static let command = ["journalctl", "--output=export", "--all", "--quiet", "--identifier=tacetd"]

    /// - Returns: all of Tacet's records, and how many were damaged.
    func read() throws -> (records: [JournalRecord], damaged: Int) {
        switch self {
        case .export(let path): try readFile(path)
        case .journal: try readJournal()
        }
    }

    private func readFile(_ path: String) throws -> (records: [JournalRecord], damaged: Int) {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile.open(path, O_RDONLY, dash: STDIN_FILENO)
        } catch {
            throw HistoryError("cannot read \(path): \(error.words); \(Self.advice)")
        }
        return try parse(file, path == "-" ? "standard input" : path)
    }

    private static let advice = "make it with: journalctl -t tacetd -o export >FILE"

    private func parse(_ file: borrowing OpenFile, _ name: String) throws(HistoryError) -> (
        records: [JournalRecord], damaged: Int
    ) {
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
            throw HistoryError("\(name):\(error.line): this is no export of a journal; \(Self.advice)")
        } catch {
            throw HistoryError("cannot read \(name): \(error)")
        }
        return (parser.records, parser.damaged)
    }

    // MARK: journalctl

    private func readJournal() throws -> (records: [JournalRecord], damaged: Int) {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw HistoryError("cannot make a pipe: \(Self.words(errno))") }
        let output = OpenFile(owning: ends[0], "journalctl")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child: pid_t
        do {
            // Its other end is the child's alone, or there would never be an end.
            let input = OpenFile(owning: ends[1], "journalctl")
            child = try Self.spawn(output: input.descriptor)
        }
        let result = Result { try parse(output, "what journalctl says") }
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // It says by itself what went wrong.
        guard status == 0 else { throw HistoryError("journalctl failed, and so the journal cannot be read") }
        return try result.get()
    }

    private static func spawn(output: CInt) throws(HistoryError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawnp(&child, command[0], &actions, nil, &arguments, environ)
        guard result == 0 else {
            throw HistoryError(
                "cannot run journalctl: \(words(result)); to read another machine's journal: --file FILE, \(advice)")
        }
        return child
    }

    private static func words(_ code: CInt) -> String { String(cString: strerror(code)) }
}

extension JournalSource {
    /// The present boot, by this machine's clock as it is set now; nil: the journal is a file's.
    var presentBoot: Chronicle.Boot? {
        guard case .journal = self, let id = BootID.kernel else { return nil }
        // The journal's own clock does not count the time in which the system was suspended.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let monotonic = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        return Chronicle.Boot(id: id, start: HistoryRange.now - monotonic)
    }
}

extension JournalSource {
    func complain(of damaged: Int) {
        guard damaged > 0 else { return }
        let what = damaged == 1 ? "an entry is" : "\(damaged) entries are"
        Terminal.complain("tacet: \(name): \(what) damaged or cut short, and left out")
    }

    func complain(ofNothingAmong count: Int) {
        guard count == 0 else {
            return Terminal.complain("tacet: \(name): nothing in that time; leave out --since and --until to see all")
        }
        switch self {
        case .journal:
            Terminal.complain(
                "tacet: the journal has no entries of Tacet: has the service run (systemctl status tacet), and may you "
                    + "read it (as root, or in the group systemd-journal)?")
        case .export:
            Terminal.complain(
                "tacet: \(name): there are no entries of Tacet in it; make it with: journalctl -t tacetd -o export >FILE"
            )
        }
    }

    private var name: String {
        switch self {
        case .journal: "the journal"
        case .export("-"): "standard input"
        case .export(let path): path
        }
    }
}
