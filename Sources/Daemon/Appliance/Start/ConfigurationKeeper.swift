import Configuration
import Files
import Glibc
import Threads

/// Keeps a working configuration for a start whose own has mistakes, on a thread of its own because a card can take
/// seconds. The thread exists only while it writes. Any thread can call it.
final class ConfigurationKeeper: Sendable {
    private struct Writer: MailboxWorker {
        struct Request {
            let kept: KeptConfiguration
            let directories: [String]
        }

        func handle(_ request: Request) -> MailboxReply<Bool> {
            for directory in request.directories { write(request.kept, to: directory) }
            return .done(true)
        }

        private func write(_ kept: KeptConfiguration, to directory: String) {
            // This happens at every start; usually there is nothing to write, which spares the card.
            if let old = try? KeptConfiguration.read(from: directory, of: kept.source), old.hasSameText(as: kept) {
                return
            }
            do throws(FileError) { try kept.write(to: directory) } catch { ConfigurationKeeper.complain("\(error)") }
        }
    }

    /// Its outcome is whether there was a thread.
    private let writer = MailboxThread<Writer.Request, Bool>(
        "tacet-keep", lifetime: .whileBusy, unavailable: false
    ) { Writer() }

    /// The folder that the service manager has created (systemd.exec(5)); nil outside a service.
    static var serviceDirectory: String? {
        getenv("STATE_DIRECTORY").flatMap { String(cString: $0).split(separator: ":").first.map(String.init) }
    }

    /// Where a configuration is kept: with its state and, if that is elsewhere, in the service's own folder, for a start
    /// that cannot read where the state is.
    static func directories(_ state: String, _ service: String?) -> [String] {
        [state] + [service].compactMap { $0 }.filter { $0 != state }
    }

    /// If the previous one is still being written, the newest one follows it.
    func keep(_ kept: KeptConfiguration, in directories: [String]) {
        writer.send(Writer.Request(kept: kept, directories: directories))
        if writer.takeOutcome() == false {
            ConfigurationKeeper.complain("the system has no more threads: raise TasksMax")
        }
    }

    /// Waits until everything has been kept. For tests.
    func waitUntilKept() {
        while !writer.isIdle { _ = writer.takeOutcome(within: nil) }
    }

    private static func complain(_ why: String) {
        JournalWriter.write(
            JournalEntry(
                .configurationNotKept,
                "The configuration works, but cannot be kept for a start whose own has mistakes: \(why)",
                priority: .warning))
    }
}
