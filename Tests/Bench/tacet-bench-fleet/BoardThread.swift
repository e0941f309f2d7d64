import Clocks
import Glibc
import Synchronization
import Threads

/// Runs some boards on a separate thread.
final class BoardThread: Sendable {
    /// The state of the boards at the thread's last check.
    struct Report: Sendable {
        var connected = 0
        var evacuating = 0
        var hearings: [SimulatedBoard.Hearing] = []
        var failure: String?
    }

    private let report = Mutex(Report())
    private let mustEnd = Atomic(false)
    private let thread: Mutex<NativeThread?>

    /// - Parameter make: Creates the boards on the thread.
    init(_ make: @escaping @Sendable () throws -> [SimulatedBoard]) {
        thread = Mutex(nil)
        let started = NativeThread("boards") { [self] in
            do { try run(make()) } catch { report.withLock { $0.failure = "\(error)" } }
        }
        thread.withLock { $0 = started }
    }

    var current: Report { report.withLock { $0 } }

    func end() {
        mustEnd.store(true, ordering: .relaxed)
        _ = thread.withLock { $0?.join(within: .seconds(60)) }
    }

    private func run(_ boards: [SimulatedBoard]) throws {
        for board in boards { try board.step() }
        var deadlines = boards.map(\.deadline)
        var nextRound = Duration.zero
        while !mustEnd.load(ordering: .relaxed) {
            var ready = boards.map {
                pollfd(fd: $0.descriptor, events: Int16($0.awaitsWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
            }
            let wait = (deadlines.min() ?? .zero) - SystemClock.monotonic.now
            _ = poll(&ready, nfds_t(ready.count), max(0, min(100, Int32(clamping: Int64(wait / .milliseconds(1)) + 1))))
            let now = SystemClock.monotonic.now
            // A regular round keeps connections alive.
            let isRound = nextRound <= now
            if isRound { nextRound = now + .seconds(1) }
            for (index, board) in boards.enumerated()
            where isRound || ready[index].revents != 0 || deadlines[index] <= now {
                try board.step()
                deadlines[index] = board.deadline
            }
            let evacuating = boards.count { $0.isEvacuating }
            let connected = boards.count { $0.isConnected }
            let hearings = boards.flatMap { $0.takeHearings() }
            report.withLock {
                ($0.connected, $0.evacuating) = (connected, evacuating)
                $0.hearings += hearings
            }
        }
    }
}
