import ResumeStore
import Synchronization
import Threads

/// Writes the state on a thread of its own, as a card may take seconds: the newest one wins, and nobody waits.
///
/// A thread of its own, and not the one that decodes, so that a slow card does not use up what was read ahead.
final class StateWriter: Sendable {
    private struct Desk {
        var newest: SavedState?
        /// What was to be written last, whether or not it could be.
        var last: SavedState?
        /// Whether one is being written, or has failed and is tried again.
        var isBusy = false
        var quits = false
        var outcome: Outcome?
    }

    enum Outcome: Hashable, Sendable {
        case written
        case failed(StateError)
    }

    /// After a write that failed, the next try.
    private static let retry = Duration.seconds(10)

    private let store: ResumeStore
    private let desk: Mutex<Desk>
    private let bell = WakeUp()
    private let news = WakeUp()

    /// - Parameter last: what another has written elsewhere.
    init(_ store: ResumeStore, last: SavedState? = nil) {
        self.store = store
        desk = Mutex(Desk(last: last))
        if NativeThread("tacet-state", { [self] in run() }) == nil {
            desk.withLock { $0.outcome = .failed(.noThread) }
            news.ring()
        }
    }

    // MARK: For control

    /// Readable when there is an outcome.
    var descriptor: Int32 { news.descriptor }

    func write(_ state: SavedState) {
        desk.withLock { desk in
            desk.newest = state
            desk.last = state
        }
        bell.ring()
    }

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

    /// Whether all has been written, or cannot be.
    var isIdle: Bool { desk.withLock { $0.newest == nil && !$0.isBusy } }

    /// Ends the thread once all has been written.
    func quit() {
        desk.withLock { $0.quits = true }
        bell.ring()
    }

    // MARK: The thread

    private func run() {
        var unwritten: SavedState?
        while true {
            let (newest, quits) = desk.withLock { desk in
                defer { desk.newest = nil }
                desk.isBusy = desk.newest != nil
                return (desk.newest, desk.quits)
            }
            if let state = newest ?? (quits ? nil : unwritten) {
                unwritten = write(state) ? nil : state
            } else if quits {
                return
            }
            let hasMore = desk.withLock { $0.newest != nil || $0.quits }
            if !hasMore { bell.wait(unwritten == nil ? nil : Self.retry) }
        }
    }

    private func write(_ state: SavedState) -> Bool {
        var outcome = Outcome.written
        do throws(StateError) { try store.save(state) } catch { outcome = .failed(error) }
        desk.withLock { desk in
            desk.isBusy = false
            desk.outcome = outcome
        }
        news.ring()
        return outcome == .written
    }
}
