import Glibc

/// The levels of lines that are polled, and the changes that have not been taken yet. The type is pure, so the caller
/// passes the time.
struct PolledLevels {
    /// The number of readings that must fail in a row before the lines count as lost. A disturbance on the bus may spoil
    /// a few.
    static let mostFailures = 5
    /// The time after which a reading that does not return counts as a loss.
    static let timeout = Duration.seconds(1)
    /// The part of the time for which a slow bus is left to others.
    private static let rest = 3
    /// The maximum number of changes that wait. The oldest are dropped, because only the last one of each line matters.
    private static let mostEdges = 1024

    let path: String
    private let offsets: [Int]
    private let interval: Duration
    private var last: [Bool]
    private var edges: [ChipEdge] = []
    private var failures = 0
    /// The reason why the lines are lost, or nil if they can be read.
    private(set) var loss: GPIOError?
    /// The time at which the reading in progress began, or nil if there is none.
    private var began: Duration?

    /// - Parameters:
    ///   - offsets: the lines, in the order in which their levels are read.
    ///   - levels: the levels that have been read first.
    ///   - interval: the time between two readings.
    init(of path: String, _ offsets: [Int], _ levels: [Bool], every interval: Duration) {
        self.path = path
        self.offsets = offsets
        self.interval = interval
        last = levels
    }

    /// Records that a reading begins.
    mutating func begin(at now: Duration) { began = now }

    /// Records the result of a reading.
    /// - Returns: true if there are changes or a loss to take.
    mutating func finish(_ result: Result<[Bool], GPIOError>, at now: Duration) -> Bool {
        began = nil
        switch result {
        case .success(let levels):
            failures = 0
            let before = edges.count
            for (index, level) in levels.enumerated() where level != last[index] {
                last[index] = level
                edges.append(ChipEdge(offset: offsets[index], level: level, time: now))
            }
            let hasNews = edges.count > before
            if edges.count > Self.mostEdges { edges.removeFirst(edges.count - Self.mostEdges) }
            return hasNews
        case .failure(let error):
            failures += 1
            // A chip that has been removed does not come back under this request.
            guard failures >= Self.mostFailures || error.code == ENODEV else { return false }
            loss = error
            return true
        }
    }

    /// Returns the time to wait after a reading. A slow bus is read less often, so that others can use it.
    func pause(after length: Duration) -> Duration { max(interval - length, length * Self.rest) }

    /// Returns the levels that were read last.
    /// - Throws: if the lines are lost, or if a reading has not returned for too long.
    func levels(at now: Duration) throws(GPIOError) -> [Bool] {
        if let loss { throw loss }
        if let began, now - began > Self.timeout { throw .system(ETIMEDOUT, "poll the lines of", path) }
        return last
    }

    /// Removes and returns the changes that have not been taken.
    /// - Throws: the loss of the lines after the last change has been taken.
    mutating func takeEdges() throws(GPIOError) -> [ChipEdge] {
        if edges.isEmpty, let loss { throw loss }
        defer { edges = [] }
        return edges
    }
}
