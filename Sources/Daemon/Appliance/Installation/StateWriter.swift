import Clocks
import ResumeStore
import Synchronization
import Threads

/// Writes the state on a thread of its own, because a card can take seconds. The newest state wins, and callers never wait.
///
/// This is not the thread that decodes, so that a slow card does not use up what was read ahead. At most one state waits,
/// so an urgent one waits only for the state that is being written. Any thread can call it; `takeOutcome` is for one.
package final class StateWriter: Sendable {
    enum Outcome: Hashable, Sendable {
        case written
        case failed(StateError)
    }

    /// What several threads see.
    private struct Facts {
        /// What was to be written last, whether or not that succeeded.
        var last: SavedState?
        /// When a state was last written.
        var writtenAt: Duration?
        /// Whether somebody has requested the daemon to stop.
        var isStopping = false
    }

    private struct Writer: MailboxWorker {
        let file: StateFile
        let directory: String
        let pause: Duration
        let facts: SharedFacts
        /// Released with the worker, at the end of the thread.
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
    /// A write that takes longer is reported.
    static let timeout = Duration.seconds(10)

    /// The previous writer can hold the folder until it has written its last state.
    private static let lockTimeout = Duration.seconds(1)

    private let boot: String?
    private let facts: SharedFacts
    private let writer: MailboxThread<SavedState, Outcome>

    /// - Parameters:
    ///   - lock: on the store's folder; nil: it is taken before the first write.
    ///   - last: what another writer has written elsewhere.
    ///   - boot: the present boot, which each state names; nil: unknown.
    ///   - pause: after a failure.
    package init(
        _ store: ResumeStore, lock: StateLock? = nil, last: SavedState? = nil, boot: String? = nil,
        pause: Duration = StateWriter.pause
    ) {
        self.boot = boot
        let facts = SharedFacts(Facts(last: last))
        self.facts = facts
        writer = MailboxThread("tacet-state", unavailable: .failed(.noThread)) {
            Writer(file: StateFile(store), directory: store.directory, pause: pause, facts: facts, lock: lock)
        }
    }

    /// Readable when there is an outcome.
    var descriptor: Int32 { writer.descriptor }

    /// - Parameter urgently: a disk that has just failed is tried again at once.
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

    /// From now on every state records that somebody has requested the daemon to stop. However it ends then, it was not
    /// killed.
    package func noteStop() { facts.value.withLock { $0.isStopping = true } }

    /// The outcome of the last write, unless it has been taken already.
    func takeOutcome() -> Outcome? { writer.takeOutcome() }

    /// What was to be written last; nil before the first `write`.
    var last: SavedState? { facts.value.withLock { $0.last } }

    /// When a state was last written completely, on CLOCK_BOOTTIME; nil if none has been yet.
    var writtenAt: Duration? { facts.value.withLock { $0.writtenAt } }

    /// Whether everything has been written, or cannot be.
    package var isIdle: Bool { writer.isIdle }

    /// How long the present write has been taking; nil if there is none.
    var delay: Duration? { writer.busyTime }

    /// Ends the thread once everything has been written, or has failed.
    package func quit() { writer.end() }
}
