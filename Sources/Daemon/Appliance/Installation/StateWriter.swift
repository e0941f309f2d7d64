import Clocks
import ResumeStore
import Synchronization
import Threads

/// Writes the state on a separate thread, because a card may take seconds. The newest state replaces a pending one, and
/// callers never wait.
///
/// It does not use the thread that decodes, so that a slow card does not use up the read-ahead. At most one state is
/// pending, so an urgent one waits only for the state that is being written. Any thread can call it, except for
/// `takeOutcome`, which only one thread may call.
package final class StateWriter: Sendable {
    enum Outcome: Hashable, Sendable {
        case written
        case failed(StateError)
    }

    /// The facts that several threads share.
    private struct Facts {
        /// The state that was last passed to `write`, whether or not it was written successfully.
        var last: SavedState?
        /// The time at which a state was last written.
        var writtenAt: Duration?
        /// True if the daemon has been requested to stop.
        var isStopping = false
    }

    private struct Writer: MailboxWorker {
        let file: StateFile
        let directory: String
        let pause: Duration
        let facts: SharedFacts
        /// The lock, which is released with the worker at the end of the thread.
        var lock: StateLock?

        mutating func handle(_ state: SavedState) -> MailboxReply<Outcome> {
            do throws(StateError) {
                if lock == nil { lock = try StateLock.take(directory, timeout: StateWriter.lockTimeout) }
                try file.write(state)
            } catch { return .retry(.failed(error), after: pause) }
            facts.value.withLock { $0.writtenAt = SystemClock.bootTime.now }
            return .done(.written)
        }
    }

    private final class SharedFacts: Sendable {
        let value: Mutex<Facts>

        init(_ facts: Facts) { value = Mutex(facts) }
    }

    /// The pause after a failure. An urgent state ends it.
    package static let pause = Duration.seconds(10)
    /// The time after which a write is reported as slow.
    static let timeout = Duration.seconds(10)

    /// The time to wait for the previous writer, which may hold the folder until it has written its last state.
    private static let lockTimeout = Duration.seconds(1)

    private let boot: String?
    private let facts: SharedFacts
    private let writer: MailboxThread<SavedState, Outcome>

    /// - Parameters:
    ///   - lock: The lock on the store's folder, or nil if it is acquired before the first write.
    ///   - last: The state that another writer has written elsewhere.
    ///   - boot: The current boot, which is recorded in each state, or nil if it is unknown.
    ///   - pause: The pause after a failure.
    package init(
        _ store: ResumeStore, lock: StateLock? = nil, last: SavedState? = nil, boot: String? = nil,
        pause: Duration = StateWriter.pause
    ) {
        self.boot = boot
        let facts = SharedFacts(Facts(last: last))
        self.facts = facts
        // Almost every write succeeds, so this wakes nobody unless the previous write has failed.
        writer = MailboxThread(
            "tacet-state", isNews: { $0 != .written || $1.map { $0 != .written } ?? true },
            unavailable: .failed(.noThread)
        ) {
            Writer(file: StateFile(store), directory: store.directory, pause: pause, facts: facts, lock: lock)
        }
    }

    /// A descriptor that is readable when an outcome is available, unless it is another success.
    var descriptor: Int32 { writer.descriptor }

    /// - Parameter urgently: True if a disk that has just failed is tried again at once.
    package func write(_ state: SavedState, urgently: Bool) {
        let time = SystemClock.monotonic.now
        let state = facts.value.withLock { facts in
            var state = state
            state.run = boot.map { SavedState.Run(boot: $0, time: time, isStopping: facts.isStopping) }
            facts.last = state
            return state
        }
        writer.send(state, urgently: urgently)
    }

    /// Makes every state from now on record that the daemon has been requested to stop. A daemon that ends after that
    /// was not killed.
    package func noteStop() { facts.value.withLock { $0.isStopping = true } }

    /// Returns the outcome of the last write unless it has already been returned.
    func takeOutcome() -> Outcome? { writer.takeOutcome() }

    /// The state that was last passed to `write`, or nil before the first call.
    var last: SavedState? { facts.value.withLock { $0.last } }

    /// The time at which a state was last written completely, on CLOCK_BOOTTIME, or nil if none has been written yet.
    var writtenAt: Duration? { facts.value.withLock { $0.writtenAt } }

    /// True if everything has been written or cannot be written.
    package var isIdle: Bool { writer.isIdle }

    /// The time that the current write has taken so far, or nil if nothing is being written.
    var delay: Duration? { writer.busyTime }

    /// Ends the thread after everything has been written or has failed.
    package func quit() { writer.end() }
}
