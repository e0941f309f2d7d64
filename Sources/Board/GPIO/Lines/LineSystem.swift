import Clocks
import Files
import Glibc

/// The system calls of a `LineReader`. Tests replace them to make them fail.
protocol LineSystem {
    /// The current time on CLOCK_MONOTONIC.
    var now: Duration { get }
    func scan() -> Board
    func realPath(_ path: String) -> String
    func request(_ lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) -> any HeldLines
    /// Requests lines whose chip cannot report edges.
    func poll(
        _ lines: [LineSetting], of path: String, consumer: String, _ polling: LinePolling
    ) throws(GPIOError) -> any HeldLines
}

/// Requested lines. See `LineRequest`.
protocol HeldLines: AnyObject {
    var descriptors: [Int32] { get }
    /// The way in which the lines are polled, or nil if their chip reports edges.
    var polling: LinePolling? { get }
    func levels() throws(GPIOError) -> [Bool]
    func readEdges(limit: Int) throws(GPIOError) -> [ChipEdge]
}

extension LineRequest: HeldLines {
    var polling: LinePolling? { nil }
}

struct Kernel: LineSystem {
    var now: Duration { SystemClock.monotonic.now }

    func scan() -> Board { Board.scan() }
    func realPath(_ path: String) -> String { Folder.realPath(path) }

    func request(_ lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) -> any HeldLines {
        try LineRequest(edgesOf: lines, of: path, consumer: consumer)
    }

    func poll(
        _ lines: [LineSetting], of path: String, consumer: String, _ polling: LinePolling
    ) throws(GPIOError) -> any HeldLines {
        try PolledLines(lines, of: path, consumer: consumer, polling)
    }
}
