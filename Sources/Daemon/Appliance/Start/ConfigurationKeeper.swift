import Configuration
import Files
import Glibc
import Threads

/// Keeps a working configuration for a later start whose own configuration has mistakes. It uses a separate thread,
/// because a card may take seconds. The thread exists only while it writes. Any thread can call it.
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
            // On most starts, the configuration has not changed and is not written again, which spares the card.
            if let old = try? KeptConfiguration.read(from: directory, of: kept.source), old.hasSameText(as: kept) {
                return
            }
            do throws(FileError) { try kept.write(to: directory) } catch { ConfigurationKeeper.complain("\(error)") }
        }
    }

    /// The writer. Its outcome indicates whether there was a thread.
    private let writer = MailboxThread<Writer.Request, Bool>(
        "tacet-keep", lifetime: .whileBusy, unavailable: false
    ) { Writer() }

    /// The folder that the service manager has created (systemd.exec(5)), or nil outside a service.
    static var serviceDirectory: String? {
        getenv("STATE_DIRECTORY").flatMap { String(cString: $0).split(separator: ":").first.map(String.init) }
    }

    /// Returns the folders in which a configuration is kept. These are the folder of its state and, if that is
    /// elsewhere, the service's own folder, for a start that cannot determine where the state is.
    static func directories(_ state: String, _ service: String?) -> [String] {
        [state] + [service].compactMap { $0 }.filter { $0 != state }
    }

    /// Keeps a configuration. If the previous one is still being written, the newest one follows it.
    func keep(_ kept: KeptConfiguration, in directories: [String]) {
        writer.send(Writer.Request(kept: kept, directories: directories))
        if writer.takeOutcome() == false {
            ConfigurationKeeper.complain("the system cannot start another thread: raise TasksMax=")
        }
    }

    /// Waits until everything has been kept. Only tests use this.
    func waitUntilKept() {
        while !writer.isIdle { _ = writer.takeOutcome(within: nil) }
    }

    private static func complain(_ why: String) {
        JournalWriter.write(
            JournalEntry(
                .configurationNotKept,
                "The configuration works, but cannot be copied for a later start: \(why)",
                priority: .warning))
    }
}
