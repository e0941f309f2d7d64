import Clocks
import Glibc
import Synchronization
import Threads

/// The way in which a line is read whose chip cannot report edges, such as an I2C expander without an interrupt.
public struct LinePolling: Hashable, Sendable {
    /// The time between two readings, unless the bus is too slow for it.
    public var interval: Duration
    /// The reason why the chip does not report edges, in the words of the system.
    public var reason: String

    public init(interval: Duration, reason: String) {
        self.interval = interval
        self.reason = reason
    }
}

/// Lines of a chip that cannot report edges. A separate thread reads their levels regularly, because a bus may take any
/// amount of time, and queues each change like an edge.
final class PolledLines: HeldLines {
    let polling: LinePolling?
    private let poll: Poll
    private let thread: NativeThread

    /// Requests the lines, reads them once, and starts to poll them.
    init(
        _ lines: [LineSetting], of path: String, consumer: String, _ polling: LinePolling
    ) throws(GPIOError) {
        self.polling = polling
        let request = try LineRequest(levelsOf: lines, of: path, consumer: consumer, asInputs: true)
        let levels = PolledLevels(of: path, lines.map(\.offset), try request.levels(), every: polling.interval)
        let poll = Poll(levels, request)
        self.poll = poll
        guard let thread = NativeThread("poll-lines", { poll.run() }) else {
            throw .system(EAGAIN, "poll the lines of", path)
        }
        self.thread = thread
    }

    /// Ends the thread, which releases the lines when the reading in progress ends. Usually this takes no time, so that
    /// a successor can request them at once.
    deinit {
        poll.end()
        _ = thread.join(within: .milliseconds(100))
    }

    var descriptors: [Int32] { [poll.news.descriptor] }

    func levels() throws(GPIOError) -> [Bool] { try poll.levels() }
    func readEdges(limit: Int) throws(GPIOError) -> [ChipEdge] { try poll.takeEdges() }
}

/// The state that the thread shares with the reader.
// The conformance is unchecked because of the request. This is safe because only the thread uses it after `init`.
private final class Poll: @unchecked Sendable {
    /// Rung when there are changes or a loss to take.
    let news = WakeUp()
    private let bell = WakeUp()
    private let state: Mutex<PolledLevels>
    private var request: LineRequest?

    init(_ levels: PolledLevels, _ request: LineRequest) {
        state = Mutex(levels)
        self.request = request
    }

    // MARK: The reader

    func end() { bell.ring() }

    func levels() throws(GPIOError) -> [Bool] {
        let now = SystemClock.monotonic.now
        return try state.withLock { state in Result { () throws(GPIOError) in try state.levels(at: now) } }.get()
    }

    func takeEdges() throws(GPIOError) -> [ChipEdge] {
        news.wait(.zero)
        return try state.withLock { state in Result { () throws(GPIOError) in try state.takeEdges() } }.get()
    }

    // MARK: The thread

    func run() {
        var length = Duration.zero
        while !bell.wait(state.withLock { $0.pause(after: length) }), let request {
            let began = SystemClock.monotonic.now
            state.withLock { $0.begin(at: began) }
            let result = Result { () throws(GPIOError) in try request.levels() }
            let now = SystemClock.monotonic.now
            length = now - began
            let (hasNews, isLost) = state.withLock { state in (state.finish(result, at: now), state.loss != nil) }
            if hasNews { news.ring() }
            if isLost { break }
        }
        request = nil
    }
}
