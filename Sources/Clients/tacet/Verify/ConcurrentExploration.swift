import Synchronization
import Threads
import Verification

/// An exploration on a separate thread or, if none can be created, on the caller's thread.
// Unchecked because an explorer numbers sessions as it encounters them. This is safe, because only the thread uses it
// until the thread has ended.
final class ConcurrentExploration: @unchecked Sendable {
    private let explorer: Explorer
    private let cancellation: Cancellation
    private var result: ExplorationReport?
    private var thread: NativeThread?

    private final class Cancellation: Sendable {
        let isRequested = Atomic(false)
    }

    /// - Parameter explorer: a function that creates the explorer, which must end when its argument returns true.
    init(_ explorer: (_ isCancelled: @escaping () -> Bool) -> Explorer) {
        let cancellation = Cancellation()
        self.cancellation = cancellation
        self.explorer = explorer { cancellation.isRequested.load(ordering: .relaxed) }
        thread = NativeThread("tacet-explorer") { [self] in result = self.explorer.explore() }
    }

    /// Waits for the end and returns the report.
    func report() -> ExplorationReport {
        while let thread, !thread.join(within: .seconds(60)) {}
        return result ?? explorer.explore()
    }

    /// Ends the exploration early, because its result is not needed any more.
    func cancel() {
        cancellation.isRequested.store(true, ordering: .relaxed)
        while let thread, !thread.join(within: .seconds(60)) {}
    }
}
