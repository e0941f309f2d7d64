import Clocks
import Glibc
import Synchronization
import Threads

/// Writes log entries on its own thread, so that the threads that log never wait for a journal's socket or a pipe that
/// is full because its reader is stuck.
///
/// Entries are written in order. If too many entries wait, the newest ones are dropped and counted, and an entry with
/// their number replaces them once there is room. Any thread can use it. The thread runs until the process ends, so
/// create only one queue in a process.
public final class LogQueue<Entry: Sendable>: Sendable {
    /// The maximum number of waiting entries, and of their bytes. A board with problems writes a few hundred entries
    /// per hour.
    private static var mostEntries: Int { 1024 }
    private static var mostBytes: Int { 1 << 20 }

    private struct Waiting {
        let entry: Entry
        let size: Int
        let since: Duration
    }

    private struct State {
        var waiting: [Waiting] = []
        var bytes = 0
        /// The number of entries that have been dropped since the queue last had room.
        var lost = 0
        var hasThread = false
        var isWriting = false
    }

    private let name: String
    private let write: @Sendable (Entry, Duration) -> Void
    private let describeLoss: @Sendable (Int) -> Entry
    private let state = Mutex(State())
    private let bell = WakeUp()
    /// Signalled when everything has been written.
    private let rest = WakeUp()

    /// Creates a queue.
    /// - Parameters:
    ///   - name: the name of the thread, of at most 15 bytes.
    ///   - write: writes an entry, which may take any time. It receives the time for which the entry waited.
    ///   - describeLoss: returns an entry that reports the number of lost entries.
    public init(
        _ name: String, write: @escaping @Sendable (Entry, Duration) -> Void,
        describeLoss: @escaping @Sendable (Int) -> Entry
    ) {
        self.name = name
        self.write = write
        self.describeLoss = describeLoss
    }

    /// Adds an entry without waiting.
    /// - Parameter size: the approximate number of bytes that the entry takes.
    public func add(_ entry: Entry, size: Int) {
        let now = SystemClock.monotonic.now
        state.withLock { state in
            guard state.waiting.count < Self.mostEntries, state.bytes + size <= Self.mostBytes else {
                state.lost += 1
                return
            }
            admitLoss(&state, at: now)
            state.waiting.append(Waiting(entry: entry, size: size, since: now))
            state.bytes += size
        }
        bell.ring()
        start()
    }

    /// Waits until everything has been written. Call it before the process ends.
    /// - Returns: false if the time was up first.
    @discardableResult
    public func flush(within timeout: Duration) -> Bool {
        let end = SystemClock.monotonic.now + timeout
        while true {
            if state.withLock({ !$0.isWriting && $0.waiting.isEmpty && $0.lost == 0 }) { return true }
            let left = end - SystemClock.monotonic.now
            guard left > .zero else { return false }
            rest.wait(left)
        }
    }

    /// Inserts an entry with the number of lost entries at the position of these entries.
    private func admitLoss(_ state: inout State, at now: Duration) {
        guard state.lost > 0 else { return }
        state.waiting.append(Waiting(entry: describeLoss(state.lost), size: 0, since: now))
        state.lost = 0
    }

    // MARK: The thread

    private func start() {
        let isToStart = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isToStart else { return }
        // Block all signals in the new thread, because other threads handle them.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // If the thread cannot be started, the next entry tries again.
        if NativeThread(name, { [self] in run() }) == nil { state.withLock { $0.hasThread = false } }
    }

    private func run() {
        while true {
            guard let next = next() else {
                rest.ring()
                bell.wait(nil)
                continue
            }
            write(next.entry, SystemClock.monotonic.now - next.since)
        }
    }

    private func next() -> Waiting? {
        let now = SystemClock.monotonic.now
        return state.withLock { state in
            if state.waiting.isEmpty { admitLoss(&state, at: now) }
            state.isWriting = !state.waiting.isEmpty
            guard state.isWriting else { return nil }
            let next = state.waiting.removeFirst()
            state.bytes -= next.size
            return next
        }
    }
}
