import DiskLab
import ResumeStore

/// Models `StateWriter` and its thread on the world's clock. The newest state replaces a pending one, and a write takes
/// time.
struct LabWriter {
    struct Job {
        let index: Int
        let end: Duration
        let isWritten: Bool
    }

    private let file: StateFile
    private var newest: Int?
    private var isUrgent = false
    private var job: Job?
    private var pausesUntil: Duration?
    /// The durations of the last three jobs, in order.
    private(set) var times: [Duration] = []
    private(set) var count = 0

    init(_ store: ResumeStore) { file = StateFile(store) }

    var deadline: Duration? { job?.end ?? (newest == nil ? nil : pausesUntil) }

    mutating func write(_ index: Int, urgently: Bool) {
        newest = index
        isUrgent = isUrgent || urgently
    }

    /// Returns the number of the state to write now, or nil if there is none.
    mutating func nextTask(at now: Duration) -> Int? {
        guard job == nil, let index = newest else { return nil }
        if let end = pausesUntil, end > now, !isUrgent { return nil }
        newest = nil
        isUrgent = false
        return index
    }

    mutating func start(_ state: SavedState, _ index: Int, at now: Duration, taking time: Duration) {
        count += 1
        times = times.suffix(2) + [time]
        job = Job(index: index, end: now + time, isWritten: (try? file.write(state)) != nil)
    }

    /// Returns the job that has finished by now, or nil if there is none.
    mutating func finish(at now: Duration) -> Job? {
        guard let done = job, done.end <= now else { return nil }
        job = nil
        pausesUntil = done.isWritten ? nil : now + .seconds(10)
        if !done.isWritten { newest = newest ?? done.index }
        return done
    }
}
