import Clocks
import Configuration
import Files
import Glibc
import Synchronization
import Threads
import Time

/// The time and the memory that explorations may use together.
///
/// Several threads may ask it.
final class ExplorationBudget: Sendable {
    struct Limits: Hashable, Sendable {
        /// nil: no limit.
        var time: Duration? = .seconds(60)
        /// Of the whole process, in bytes; nil: no limit.
        var memory: Int64? = 1 << 30
    }

    enum Limit: Hashable, Sendable { case time, memory }

    let limits: Limits
    private let clock: @Sendable () -> Duration
    private let memory: @Sendable () -> Int64
    /// How often an exploration says how far it has come, and whom it tells.
    private let interval: Duration
    private let report: @Sendable (String) -> Void
    private let started: Duration
    private let state: Mutex<State>

    private struct State {
        var subject = ""
        /// When the present exploration must end; nil: never.
        var deadline: Duration?
        var reached: Limit?
        var nextReport: Duration
    }

    /// - Parameters:
    ///   - interval: the time between two calls of `report`.
    ///   - report: gets one line about how far the explorations have come.
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
    ///   - subject: what it explores, for people.
    ///   - share: the part of the whole time after which it must end, 0…1.
    func begin(_ subject: String, until share: Double) {
        // What the previous exploration used no longer counts.
        Heap.trim()
        state.withLock {
            $0.subject = subject
            $0.deadline = limits.time.map { started + $0 * share }
            $0.reached = nil
        }
    }

    /// The limit that the exploration has reached; nil if none.
    var reached: Limit? { state.withLock(\.reached) }

    /// Whether an exploration has to end, because a limit is reached.
    /// - Parameter states: how many it has found.
    func isSpent(states: Int) -> Bool {
        let now = clock()
        // The rest is for the tables that double once more before the next question.
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

    /// The memory of this process that is not swapped out; 0 if the system does not say.
    @Sendable static func residentBytes() -> Int64 {
        let words = OpenFile.firstLine(of: "/proc/self/statm")?.split(separator: " ") ?? []
        guard words.count > 1, let pages = Int64(words[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}

extension ExplorationBudget.Limits {
    /// What has ended an exploration, and how to give it more.
    func words(for limit: ExplorationBudget.Limit) -> String {
        switch limit {
        case .time: "--time-limit=\(time.map(TimeSpan.format) ?? "infinity") is reached"
        case .memory: "--memory-limit=\(memory.map(ByteSize.format) ?? "infinity") is reached"
        }
    }
}
