import Threads
import Verification

/// An exploration on a thread of its own, or, if there is none to be had, on the caller's.
// Unchecked because an explorer numbers sessions as it encounters them. This is safe: only the thread uses it, until it has
// ended.
final class ConcurrentExploration: @unchecked Sendable {
    private let explorer: Explorer
    private var result: ExplorationReport?
    private var thread: NativeThread?

    init(_ explorer: Explorer) {
        self.explorer = explorer
        thread = NativeThread("tacet-explorer") { [self] in result = self.explorer.explore() }
    }

    /// Waits for the end.
    func report() -> ExplorationReport {
        while let thread, !thread.join(within: .seconds(60)) {}
        return result ?? explorer.explore()
    }
}
