@testable import GPIO

extension ChipInfo {
    static func fake(_ number: Int, _ label: String, _ names: [String?]) -> ChipInfo {
        ChipInfo(
            path: "/dev/gpiochip\(number)", name: "gpiochip\(number)", label: label,
            lines: names.enumerated().map { LineInfo(offset: $0, name: $1) })
    }
}

/// A board without a kernel, whose time the test sets.
final class FakeSystem: LineSystem {
    var now = Duration.zero
    var chips: [ChipInfo]
    var levels: [String: [Int: Bool]] = [:]
    /// The `errno` codes with which requests for lines fail, by the path of the chip.
    var refusals: [String: [Int: Int32]] = [:]
    /// The `errno` codes with which chips reject edges, by their paths.
    var edgeless: [String: Int32] = [:]
    private(set) var requests: [[Int]] = []
    private(set) var held: [Weak] = []

    final class Weak {
        weak var lines: FakeLines?
        init(_ lines: FakeLines) { self.lines = lines }
    }

    init(_ chips: [ChipInfo]) { self.chips = chips }

    func scan() -> Board { Board(chips: chips) }
    func realPath(_ path: String) -> String { path }

    func request(_ lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) -> any HeldLines {
        if let code = edgeless[path] { throw .system(code, "request", path) }
        return try hold(lines, of: path, nil)
    }

    func poll(
        _ lines: [LineSetting], of path: String, consumer: String, _ polling: LinePolling
    ) throws(GPIOError) -> any HeldLines { try hold(lines, of: path, polling) }

    private func hold(
        _ lines: [LineSetting], of path: String, _ polling: LinePolling?
    ) throws(GPIOError) -> any HeldLines {
        requests.append(lines.map(\.offset))
        for line in lines {
            if let code = refusals[path]?[line.offset] { throw .system(code, "request", path) }
        }
        let result = FakeLines(self, path, lines.map(\.offset), descriptor: Int32(held.count), polling)
        held.append(Weak(result))
        return result
    }

    /// The lines of a chip that are still held.
    func lines(of path: String) -> [FakeLines] { held.compactMap(\.lines).filter { $0.path == path } }

    /// Queues an edge as the kernel does.
    func edge(_ path: String, _ offset: Int, _ level: Bool, at time: Duration) {
        levels[path, default: [:]][offset] = level
        for lines in lines(of: path) where lines.offsets.contains(offset) {
            lines.queue.append(ChipEdge(offset: offset, level: level, time: time))
        }
    }
}

final class FakeLines: HeldLines {
    unowned let system: FakeSystem
    let path: String
    let offsets: [Int]
    let descriptor: Int32
    let polling: LinePolling?
    var queue: [ChipEdge] = []
    var failure: Int32?
    /// Called when the levels are read.
    var onLevels: () -> Void = {}

    init(
        _ system: FakeSystem, _ path: String, _ offsets: [Int], descriptor: Int32, _ polling: LinePolling? = nil
    ) {
        self.polling = polling
        self.system = system
        self.path = path
        self.offsets = offsets
        self.descriptor = descriptor
    }

    var descriptors: [Int32] { [descriptor] }

    func levels() throws(GPIOError) -> [Bool] {
        if let failure { throw .system(failure, "read the lines of", path) }
        defer { onLevels() }
        return offsets.map { system.levels[path]?[$0] ?? false }
    }

    func readEdges(limit: Int) throws(GPIOError) -> [ChipEdge] {
        if let failure { throw .system(failure, "read the edges of", path) }
        defer { queue.removeAll() }
        return queue
    }
}
