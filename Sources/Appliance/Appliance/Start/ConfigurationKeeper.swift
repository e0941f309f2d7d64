import Configuration
import Files
import Glibc
import Synchronization
import Threads

/// Keeps a configuration that works for a start whose own has mistakes, on a thread that ends when it is done: a card may
/// take seconds.
final class ConfigurationKeeper: Sendable {
    private struct Desk {
        var newest: Task?
        var isRunning = false
    }

    private struct Task: Sendable {
        let kept: KeptConfiguration
        let directories: [String]
    }

    private let desk = Mutex(Desk())

    /// As the service manager has made it (systemd.exec(5)); nil outside a service.
    static var serviceDirectory: String? {
        getenv("STATE_DIRECTORY").flatMap { String(cString: $0).split(separator: ":").first.map(String.init) }
    }

    /// Where a configuration is kept: with its state and, if that is elsewhere, in the service's own folder, for a start
    /// that cannot read where the state is.
    static func directories(_ state: String, _ service: String?) -> [String] {
        [state] + [service].compactMap { $0 }.filter { $0 != state }
    }

    /// If the one before is still being written, the newest one follows it.
    func keep(_ kept: KeptConfiguration, in directories: [String]) {
        let isToStart = desk.withLock { desk in
            desk.newest = Task(kept: kept, directories: directories)
            defer { desk.isRunning = true }
            return !desk.isRunning
        }
        guard isToStart, NativeThread("tacet-keep", { [self] in run() }) == nil else { return }
        desk.withLock { $0.isRunning = false }
        ConfigurationKeeper.complain("the system has no more threads: raise TasksMax")
    }

    private func run() {
        while let task = next() {
            for directory in task.directories { write(task.kept, to: directory) }
        }
    }

    private func next() -> Task? {
        desk.withLock { desk in
            defer { desk.newest = nil }
            desk.isRunning = desk.newest != nil
            return desk.newest
        }
    }

    private func write(_ kept: KeptConfiguration, to directory: String) {
        // Every start comes here: most have nothing to write, and spare the card.
        if let old = try? KeptConfiguration.read(from: directory, of: kept.source), old.hasSameText(as: kept) { return }
        do throws(FileError) { try kept.write(to: directory) } catch { ConfigurationKeeper.complain("\(error)") }
    }

    private static func complain(_ why: String) {
        JournalWriter.write(
            JournalEntry(
                .configurationNotKept,
                "The configuration works, but cannot be kept for a start whose own has mistakes: \(why)",
                priority: .warning))
    }
}
