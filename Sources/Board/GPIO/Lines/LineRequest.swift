import CGPIOD
import Glibc
import Time

/// The exclusive use of some lines of one chip, until this object is deallocated. Levels are electrical, so true is
/// high. Use it from one thread only.
public final class LineRequest {
    /// The path of the chip's device.
    public let path: String
    /// The line numbers, in the order of the request.
    public let offsets: [Int]
    /// The non-blocking descriptors to poll for edges (`POLLIN`). With libgpiod 2, there is one for all lines, and with
    /// libgpiod 1 one for each line. After the chip has disappeared, they report `POLLERR`. The list is empty for a
    /// request without edges.
    public let descriptors: [Int32]
    private let handle: UnsafeMutablePointer<cgpiod_request>

    /// The maximum number of edges to read at once.
    private static let portion = 64

    deinit { cgpiod_release(handle) }

    /// Makes the lines inputs and lets the kernel queue their edges.
    ///
    /// - Parameters:
    ///   - lines: the lines to request. If one of them is not available, the whole request fails.
    ///   - path: the path of the chip's device.
    ///   - consumer: the name that other programs see as the user of the lines. The kernel keeps at most 31 bytes.
    public convenience init(edgesOf lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) {
        try self.init(lines, path, consumer, CGPIOD_EDGES)
    }

    /// Requests lines to read their levels once, without edges. Use this only for free lines that are inputs.
    ///
    /// Even then, a request is not always harmless. Some drivers (including the Raspberry Pi's) turn a pin into a plain
    /// input when its line is released, and a pin that serves as a UART or for sound looks like a free input.
    ///
    /// - Parameter asInputs: true to make the lines inputs.
    public convenience init(
        levelsOf lines: [LineSetting], of path: String, consumer: String, asInputs: Bool = false
    ) throws(GPIOError) {
        try self.init(lines, path, consumer, asInputs ? CGPIOD_INPUT : CGPIOD_AS_IS)
    }

    private init(
        _ lines: [LineSetting], _ path: String, _ consumer: String, _ mode: Int32
    ) throws(GPIOError) {
        let wanted = lines.map { cgpiod_wanted(offset: UInt32(clamping: $0.offset), bias: $0.bias.code) }
        guard let handle = cgpiod_request_lines(path, wanted, wanted.count, consumer, mode) else {
            let names = lines.map { "\($0.offset)" }.joined(separator: ", ")
            throw .system(errno, "request", "line\(lines.count == 1 ? "" : "s") \(names) of \(path)")
        }
        self.path = path
        self.handle = handle
        offsets = lines.map(\.offset)
        descriptors = (0..<cgpiod_descriptors(handle)).map { cgpiod_descriptor(handle, $0) }
    }

    /// Returns the current level of each line, in the order of the request.
    ///
    /// - Throws: `unavailable` after the chip has disappeared.
    public func levels() throws(GPIOError) -> [Bool] {
        var levels = [Bool](repeating: false, count: offsets.count)
        guard cgpiod_levels(handle, &levels) >= 0 else { throw .system(errno, "read the lines of", path) }
        return levels
    }

    /// Returns the edges that the kernel has queued, without waiting for more. The edges of each line are in order.
    ///
    /// When the kernel's queue is full, edges are lost. libgpiod 1 keeps the oldest 16 edges of each line. libgpiod 2
    /// keeps the newest 64 times the number of lines in the request. After a burst, read the levels as well.
    ///
    /// - Parameter limit: the number of edges after which a descriptor is no longer read. The remaining edges stay
    ///   queued.
    /// - Throws: `unavailable` after the chip has disappeared.
    public func readEdges(limit: Int = 1024) throws(GPIOError) -> [ChipEdge] {
        var edges: [ChipEdge] = []
        var portion = [cgpiod_edge](repeating: cgpiod_edge(), count: Self.portion)
        for index in descriptors.indices {
            let before = edges.count
            while edges.count - before < limit {
                let count = Int(cgpiod_read_edges(handle, index, &portion, portion.count))
                guard count >= 0 else { throw .system(errno, "read the edges of", path) }
                if count == 0 { break }
                edges += portion.prefix(count).map {
                    ChipEdge(offset: Int($0.offset), level: $0.level, time: .nanoseconds($0.time))
                }
            }
        }
        return edges
    }
}

/// A change in the electrical level of a line, as reported by the kernel.
public struct ChipEdge: Hashable, Sendable {
    /// The number of the line on its chip, counted from 0.
    public var offset: Int
    /// The level after the edge, which is high if true.
    public var level: Bool
    /// The time of the kernel's interrupt, on CLOCK_MONOTONIC.
    public var time: Duration

    public init(offset: Int, level: Bool, time: Duration) {
        self.offset = offset
        self.level = level
        self.time = time
    }
}
