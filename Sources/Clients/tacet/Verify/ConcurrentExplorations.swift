import Synchronization
import Threads
import Verification

/// Explorations that two threads carry out in their order. If the system cannot start another thread, the caller's
/// thread carries out all of them.
// Unchecked because explorers are not sendable. This is safe, because each is created, used and released by one thread,
// and the functions that create them only read what they have captured.
final class ConcurrentExplorations: @unchecked Sendable {
    /// Creates an explorer, which must end when the argument returns true.
    typealias Creation = (_ isCancelled: @escaping () -> Bool) -> Explorer

    private let explorations: [Creation]
    /// The reports, and the number of explorations that have begun.
    private let state: Mutex<(reports: [ExplorationReport?], begun: Int)>
    /// The index of the first exploration that is known not to be complete or to have found a violation. The result
    /// does not depend on later ones.
    private let last: Atomic<Int>

    private init(_ explorations: [Creation]) {
        self.explorations = explorations
        state = Mutex((Array(repeating: nil, count: explorations.count), 0))
        last = Atomic(explorations.count - 1)
    }

    /// Returns the reports of explorations up to the first that is not complete or has found a violation. The result
    /// does not depend on which thread is faster, unless a limit of the budget is reached.
    static func reports(of explorations: [Creation]) -> [ExplorationReport] {
        let all = ConcurrentExplorations(explorations)
        let thread = explorations.count > 1 ? NativeThread("tacet-explorer") { all.work() } : nil
        all.work()
        while let thread, !thread.join(within: .seconds(60)) {}
        return all.state.withLock { $0.reports.prefix(all.last.load(ordering: .relaxed) + 1).compactMap { $0 } }
    }

    /// Carries out explorations until none is left.
    private func work() {
        while let index = begin() {
            // An explorer keeps its states, so each is created after the previous one has been released.
            let create = explorations[index]
            let report = create { self.last.load(ordering: .relaxed) < index }.explore()
            state.withLock { $0.reports[index] = report }
            if !report.isComplete || report.violation != nil { last.min(index, ordering: .relaxed) }
        }
    }

    private func begin() -> Int? {
        state.withLock { state in
            guard state.begun <= last.load(ordering: .relaxed) else { return nil }
            defer { state.begun += 1 }
            return state.begun
        }
    }
}
