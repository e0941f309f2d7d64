import Clocks
import Configuration
import Glibc
import Signals
import Systemd
import Threads

/// Watches the levels of one reader in an event loop, and reports their edges and losses.
///
/// It looks for missing devices again when something appears in their folder, and every few seconds.
final class LevelWatch {
    /// The time for which devices that report more edges than can be handled are ignored, so that the other sources get
    /// their turn.
    private static let rest = Duration.milliseconds(20)
    /// A number of edges that is higher than any contact causes at once.
    private static let flood = 256

    /// The time within which the change of a level arrives, if it was not lost.
    private static let lateness = Duration.milliseconds(50)

    /// The interval at which the levels are read again once a change was lost, because it can happen again.
    private static let vigilance = Duration.seconds(1)

    let reader: any LevelReader<WireID>
    private let loop: EventLoop
    private var sources: [EventSource] = []
    private var retry: EventTimer?
    private var resting: EventTimer?
    private var rereading: EventTimer?
    private var hasLostChanges = false
    private var folders: [EventSource] = []
    private var backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
    private let onChanges: ([LevelChange<WireID>]) -> Void

    /// Acquires the devices.
    /// - Parameters:
    ///   - folders: The folders in which new devices appear.
    ///   - onChanges: Called with level changes in order.
    ///   - deadline: The time until which to wait for missing devices. At boot, a driver or its permissions may be
    ///     late, and nothing must be played before the levels have been read.
    init(
        _ reader: any LevelReader<WireID>, in loop: EventLoop, folders: [String] = [],
        waitingUntil deadline: Duration = .zero, onChanges: @escaping ([LevelChange<WireID>]) -> Void
    ) throws(SystemdError) {
        self.reader = reader
        self.onChanges = onChanges
        self.loop = loop
        _ = reader.acquire()
        while reader.isIncomplete, SystemClock.monotonic.now < deadline {
            poll(nil, 0, 50)
            _ = reader.acquire()
        }
        retry = try loop.timer { [unowned self] in lookForMissing() }
        resting = try loop.timer { [unowned self] in for source in sources { source.isEnabled = true } }
        rereading = try loop.timer { [unowned self] in reread() }
        // If the system has no watches left, or if there is no such folder yet, only the timer finds new devices.
        self.folders = folders.compactMap { folder in
            try? loop.whenFolderChanges(folder) { [unowned self] in lookAgain() }
        }
        // The reader and the sources refer to an object that owns them, so they must not retain it.
        reader.onNews = { [unowned self] in read() }
        try watch()
    }

    /// Releases the devices, so that a successor can acquire them.
    func letGo() {
        sources = []
        folders = []
        resting?.deadline = nil
        rereading?.deadline = nil
        reader.release()
        retry?.deadline = nil
    }

    /// Reads the levels again and drops the changes up to now.
    func refresh() {
        if hasLosses(reader.readChanges(readsLevels: true)) { try? watch() }
    }

    /// Looks for missing devices again, because one may have appeared.
    func lookAgain() {
        guard reader.isIncomplete else { return }
        backoff.restart()
        retry?.deadline = SystemClock.monotonic.now + .milliseconds(50)
    }

    private func lookForMissing() {
        let found = reader.acquire()
        try? watch()
        if !found.isEmpty { onChanges(found) }
    }

    /// Reads the levels again, and repairs those whose changes were lost.
    func reread() {
        let changes = reader.reread()
        if changes.contains(where: \.isRepaired) { hasLostChanges = true }
        report(changes)
        let pause = reader.isSuspicious ? Self.lateness : hasLostChanges ? Self.vigilance : nil
        rereading?.deadline = pause.map { SystemClock.monotonic.now + $0 }
    }

    private func read() { report(reader.readChanges()) }

    private func report(_ changes: [LevelChange<WireID>]) {
        // If a device repeatedly appears and disappears, it is requested less and less often.
        if hasLosses(changes) { try? watch() }
        if changes.count >= Self.flood {
            for source in sources { source.isEnabled = false }
            resting?.deadline = SystemClock.monotonic.now + Self.rest
        }
        if !changes.isEmpty { onChanges(changes) }
    }

    private func hasLosses(_ changes: [LevelChange<WireID>]) -> Bool {
        changes.contains { if case .missing = $0.state { true } else { false } }
    }

    /// Watches the reader's descriptors, which change when a device is acquired or lost.
    private func watch() throws(SystemdError) {
        sources = []
        for descriptor in reader.descriptors {
            sources.append(try loop.whenReadable(descriptor, priority: .important) { [unowned self] in read() })
        }
        retry?.deadline = reader.isIncomplete ? SystemClock.monotonic.now + backoff.next() : nil
    }
}
