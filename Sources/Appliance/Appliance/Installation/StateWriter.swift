import ResumeStore
import Synchronization
import Systemd
import Threads

/// Writes the state on a thread of its own, as a card may take seconds: the newest one wins, and nobody waits.
///
/// A thread of its own, and not the one that decodes, so that a slow card does not use up what was read ahead. There is
/// never more than one state to be written, so that an urgent one waits for nothing but the one that is being written.
package final class StateWriter: Sendable {
    private struct Desk {
        /// What is to be written.
        var newest: SavedState?
        /// Whether it, or one that it has replaced, is not to wait for the next try.
        var isUrgent = false
        /// What was to be written last, whether or not it could be.
        var last: SavedState?
        /// Since when one is being written.
        var busySince: Duration?
        /// When one was written last.
        var writtenAt: Duration?
        /// After a failure, when the next try is.
        var pausesUntil: Duration?
        /// Whether somebody has asked the daemon to stop.
        var isStopping = false
        var quits = false
        var outcome: Outcome?
    }

    enum Outcome: Hashable, Sendable {
        case written
        case failed(StateError)
    }

    private enum Task {
        case write(SavedState)
        /// For so long; nil: until there is something to do.
        case wait(Duration?)
        case end
    }

    /// After a write that failed, the next try is so much later; an urgent state is tried at once.
    package static let pause = Duration.seconds(10)
    /// A write that takes longer is told of.
    static let patience = Duration.seconds(10)

    /// The writer before may still have the folder, until it has written its last state.
    private static let lockPatience = Duration.seconds(1)

    private let store: ResumeStore
    private let boot: String?
    private let pause: Duration
    private let desk: Mutex<Desk>
    private let bell = WakeUp()
    private let news = WakeUp()

    /// - Parameters:
    ///   - lock: on the store's folder; nil: it is taken before the first write.
    ///   - last: what another has written elsewhere.
    ///   - boot: the present boot, which each state names; nil: unknown.
    ///   - pause: after a write that failed.
    package init(
        _ store: ResumeStore, lock: StateLock? = nil, last: SavedState? = nil, boot: String? = nil,
        pause: Duration = StateWriter.pause
    ) {
        self.store = store
        self.boot = boot
        self.pause = pause
        desk = Mutex(Desk(last: last))
        if NativeThread("tacet-state", { [self] in run(lock) }) == nil {
            desk.withLock { $0.outcome = .failed(.noThread) }
            news.ring()
        }
    }

    // MARK: For control

    /// Readable when there is an outcome.
    var descriptor: Int32 { news.descriptor }

    /// - Parameter urgently: a disk that has just failed is tried once more, at once.
    package func write(_ state: SavedState, urgently: Bool) {
        let time = EventClock.monotonic.now
        let isToBeTried = desk.withLock { desk in
            var state = state
            state.run = boot.map { SavedState.Run(boot: $0, time: time, isStopping: desk.isStopping) }
            desk.newest = state
            desk.last = state
            desk.isUrgent = desk.isUrgent || urgently
            return desk.pausesUntil == nil || urgently
        }
        // Otherwise it is found when the pause is over.
        if isToBeTried { bell.ring() }
    }

    /// Every state that is written from now on says that somebody has asked the daemon to stop: whatever ends it then, it
    /// was not killed.
    package func noteStop() { desk.withLock { $0.isStopping = true } }

    /// What became of what was written last, if it has not been taken before.
    func takeOutcome() -> Outcome? {
        news.wait(.zero)
        return desk.withLock { desk in
            defer { desk.outcome = nil }
            return desk.outcome
        }
    }

    /// What was to be written last; nil where nothing has been yet.
    var last: SavedState? { desk.withLock { $0.last } }

    /// When one was last written as a whole, on the monotonic clock; nil where none has been yet.
    var writtenAt: Duration? { desk.withLock { $0.writtenAt } }

    /// Whether all has been written, or cannot be.
    package var isIdle: Bool {
        desk.withLock { $0.busySince == nil && ($0.newest == nil || $0.pausesUntil != nil && !$0.isUrgent) }
    }

    /// For how long one has been being written; nil where none is.
    var delay: Duration? { desk.withLock { $0.busySince }.map { EventClock.monotonic.now - $0 } }

    /// Ends the thread once all has been written, or could not be.
    package func quit() {
        desk.withLock { $0.quits = true }
        bell.ring()
    }

    // MARK: The thread

    /// - Parameter lock: is released at its end.
    private func run(_ lock: StateLock?) {
        let file = StateFile(store)
        var lock = lock
        while true {
            switch nextTask() {
            case .write(let state): write(state, to: file, under: &lock)
            case .wait(let time): bell.wait(time)
            case .end: return
            }
        }
    }

    private func nextTask() -> Task {
        let now = EventClock.monotonic.now
        return desk.withLock { desk in
            guard let state = desk.newest else { return desk.quits ? .end : .wait(nil) }
            if let end = desk.pausesUntil, end > now, !desk.isUrgent, !desk.quits { return .wait(end - now) }
            desk.newest = nil
            desk.isUrgent = false
            desk.busySince = now
            return .write(state)
        }
    }

    private func write(_ state: SavedState, to file: StateFile, under lock: inout StateLock?) {
        var outcome = Outcome.written
        do throws(StateError) {
            if lock == nil { lock = try StateLock.take(store.directory, patience: StateWriter.lockPatience) }
            try file.write(state)
        } catch { outcome = .failed(error) }
        desk.withLock { desk in
            desk.busySince = nil
            desk.outcome = outcome
            if outcome == .written { desk.writtenAt = EventClock.monotonic.now }
            desk.pausesUntil = outcome == .written ? nil : EventClock.monotonic.now + pause
            // It is tried again, unless there is a newer one, or nobody to wait for it.
            if outcome != .written, !desk.quits { desk.newest = desk.newest ?? state }
        }
        news.ring()
    }
}
