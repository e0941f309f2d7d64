import CGPIOD
import Glibc

/// Lines of one chip that are ours, until it goes. Levels are electrical: true is high. For one thread.
public final class LineRequest {
    /// Of the chip.
    public let path: String
    /// Of its lines, in the order of the request.
    public let offsets: [Int]
    /// To wait on (`POLLIN`) for edges, without blocking: one for all lines with libgpiod 2, one for each with 1. Once
    /// the chip is gone, they say `POLLERR`. None for lines that are only looked at.
    public let descriptors: [Int32]
    private let handle: UnsafeMutablePointer<cgpiod_request>

    /// As many as are read at once.
    private static let portion = 64

    deinit { cgpiod_release(handle) }

    /// Makes lines inputs, and has the kernel queue their edges.
    ///
    /// - Parameters:
    ///   - path: of the chip's device.
    ///   - lines: all of them, or none if one cannot be had.
    ///   - consumer: what others see as their user; at most 31 bytes of it.
    public convenience init(edgesOf lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) {
        try self.init(lines, path, consumer, edges: true)
    }

    /// Takes lines to read their levels and let go of them. Of a line that is free, and an input.
    ///
    /// That is not always harmless: some drivers (those of the Raspberry Pi among them) make a pin a mere input when its
    /// line is let go of, and a pin that serves as a UART or for sound looks like a free input.
    public convenience init(levelsOf lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) {
        try self.init(lines, path, consumer, edges: false)
    }

    private init(
        _ lines: [LineSetting], _ path: String, _ consumer: String, edges: Bool
    ) throws(GPIOError) {
        let wanted = lines.map { line in
            cgpiod_wanted(
                offset: UInt32(clamping: line.offset), bias: line.bias.code,
                debounce_us: UInt(clamping: (line.debounce ?? .zero).microseconds))
        }
        guard let handle = cgpiod_request_lines(path, wanted, wanted.count, consumer, edges) else {
            let names = lines.map { "\($0.offset)" }.joined(separator: ", ")
            throw .system(errno, "request", "line\(lines.count == 1 ? "" : "s") \(names) of \(path)")
        }
        self.path = path
        self.handle = handle
        offsets = lines.map(\.offset)
        descriptors = (0..<cgpiod_descriptors(handle)).map { cgpiod_descriptor(handle, $0) }
    }

    /// The level of each line now, in the order of the request.
    public func levels() throws(GPIOError) -> [Bool] {
        var levels = [Bool](repeating: false, count: offsets.count)
        guard cgpiod_levels(handle, &levels) >= 0 else { throw .system(errno, "read the lines of", path) }
        return levels
    }

    /// What the kernel has queued, without waiting for more: each line's edges in their order.
    ///
    /// The queue is finite, and what does not fit is lost: with libgpiod 1, the newest but 16 edges of a line; with 2, the
    /// oldest but 64 for each line of the request. Where many come at once, ask for the levels as well.
    ///
    /// - Parameter limit: where to stop with a descriptor, soon after as many edges; the rest stays queued.
    /// - Throws: `gone` once the chip is not there any more.
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

    /// Whether the kernel debounces where it is asked to.
    public static var debounces: Bool { CGPIOD_VERSION > 1 }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
