import Synchronization
import Threads
import Verification

/// An exploration on a thread of its own, or, if there is none to be had, on the caller's.
// Unchecked because an explorer numbers sessions as it encounters them. This is safe: only the thread uses it, until it has
// ended.
final class ConcurrentExploration: @unchecked Sendable {
    private let explorer: Explorer
    private let cancellation: Cancellation
    private var result: ExplorationReport?
    private var thread: NativeThread?

    private final class Cancellation: Sendable {
        let isRequested = Atomic(false)
    }

    /// - Parameter explorer: makes it; it must end when the function that it is given returns true.
    init(_ explorer: (_ isCancelled: @escaping () -> Bool) -> Explorer) {
        let cancellation = Cancellation()
        self.cancellation = cancellation
        self.explorer = explorer { cancellation.isRequested.load(ordering: .relaxed) }
        thread = NativeThread("tacet-explorer") { [self] in result = self.explorer.explore() }
    }

    /// Waits for the end.
    func report() -> ExplorationReport {
        while let thread, !thread.join(within: .seconds(60)) {}
        return result ?? explorer.explore()
    }

    /// Ends it early, because its result is not needed any more.
    func cancel() {
        cancellation.isRequested.store(true, ordering: .relaxed)
        while let thread, !thread.join(within: .seconds(60)) {}
    }
}
