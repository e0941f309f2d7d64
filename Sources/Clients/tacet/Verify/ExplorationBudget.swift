import Clocks
import Configuration
import Files
import Glibc
import Synchronization
import Threads
import Time

/// The time and memory that explorations may use together.
///
/// Several threads may use it at the same time.
final class ExplorationBudget: Sendable {
    struct Limits: Hashable, Sendable {
        /// The time, or nil if there is no limit.
        var time: Duration? = .seconds(60)
        /// The memory of the whole process, in bytes, or nil if there is no limit.
        var memory: Int64? = 1 << 30
    }

    enum Limit: Hashable, Sendable { case time, memory }

    let limits: Limits
    private let clock: @Sendable () -> Duration
    private let memory: @Sendable () -> Int64
    /// The interval at which an exploration reports its progress.
    private let interval: Duration
    private let report: @Sendable (String) -> Void
    private let started: Duration
    private let state: Mutex<State>

    private struct State {
        var subject = ""
        /// The time at which the current exploration must end, or nil if there is none.
        var deadline: Duration?
        var reached: Limit?
        var nextReport: Duration
    }

    /// - Parameters:
    ///   - interval: the time between two calls to `report`.
    ///   - report: receives one line about the progress of the explorations.
    ///   - clock: a clock that never goes back.
    ///   - memory: the bytes that the process uses.
    init(
        _ limits: Limits = Limits(), every interval: Duration = .seconds(1),
        report: @escaping @Sendable (String) -> Void = { _ in },
        clock: @escaping @Sendable () -> Duration = { SystemClock.monotonic.now },
        memory: @escaping @Sendable () -> Int64 = ExplorationBudget.residentBytes
    ) {
        self.limits = limits
        self.interval = interval
        self.report = report
        self.clock = clock
        self.memory = memory
        started = clock()
        state = Mutex(State(nextReport: clock() + interval))
    }

    /// Begins another exploration.
    /// - Parameters:
    ///   - subject: the subject of the exploration, for people.
    ///   - share: the part of the whole time after which it must end, 0…1.
    func begin(_ subject: String, until share: Double) {
        // Memory that the previous exploration used must not count against this one.
        Heap.trim()
        state.withLock {
            $0.subject = subject
            $0.deadline = limits.time.map { started + $0 * share }
            $0.reached = nil
        }
    }

    /// The limit that the exploration has reached, or nil if there is none.
    var reached: Limit? { state.withLock(\.reached) }

    /// Returns true if an exploration has to end because a limit is reached.
    /// - Parameter states: the number of states that it has found.
    func isSpent(states: Int) -> Bool {
        let now = clock()
        // The rest is reserved for the tables, which may double once more before the next check.
        let isFull = limits.memory.map { memory() > $0 / 8 * 7 } ?? false
        let (limit, words) = state.withLock { state -> (Limit?, String?) in
            if let deadline = state.deadline, now >= deadline {
                state.reached = .time
            } else if isFull {
                state.reached = .memory
            }
            guard now >= state.nextReport else { return (state.reached, nil) }
            state.nextReport = now + interval
            return (state.reached, "exploring \(state.subject): \(states) states")
        }
        if let words { report("\(words), \(Int((now - started) / .seconds(1))) s") }
        return limit != nil
    }

    /// Returns the memory of this process that is not swapped out, or 0 if the system does not report it.
    @Sendable static func residentBytes() -> Int64 {
        let words = OpenFile.firstLine(of: "/proc/self/statm")?.split(separator: " ") ?? []
        guard words.count > 1, let pages = Int64(words[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}

extension ExplorationBudget.Limits {
    /// Returns the limit that has ended an exploration, and advice on how to raise it.
    func words(for limit: ExplorationBudget.Limit) -> String {
        switch limit {
        case .time: "--time-limit=\(time.map(TimeSpan.format) ?? "infinity") is reached"
        case .memory: "--memory-limit=\(memory.map(ByteSize.format) ?? "infinity") is reached"
        }
    }
}
