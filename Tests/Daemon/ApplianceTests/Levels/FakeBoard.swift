import Clocks
import Foundation

@testable import GPIO

/// A board with one chip. Each line is the end of a pipe that is readable while there are edges.
final class FakeBoard: LineSystem {
    private let names: [String]
    private var levels: [Bool]
    /// True if the chip is plugged in. If it is removed, lines that are held are lost.
    var hasChip = true
    private(set) weak var held: FakeLines?

    init(_ names: [String] = ["CALL"]) {
        self.names = names
        levels = names.map { _ in false }
    }

    var now: Duration { SystemClock.monotonic.now }
    func realPath(_ path: String) -> String { path }

    func scan() -> Board {
        let lines = names.enumerated().map { LineInfo(offset: $0, name: $1) }
        let chip = ChipInfo(path: "/dev/gpiochip0", name: "gpiochip0", label: "fake", lines: lines)
        return Board(chips: hasChip ? [chip] : [])
    }

    func request(_ lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) -> any HeldLines {
        let lines = FakeLines(self, lines.map(\.offset))
        held = lines
        return lines
    }

    func poll(
        _ lines: [LineSetting], of path: String, consumer: String, _ polling: LinePolling
    ) throws(GPIOError) -> any HeldLines { try request(lines, of: path, consumer: consumer) }

    func level(_ offset: Int) -> Bool { levels[offset] }

    /// Changes the level of a line.
    func edge(_ level: Bool, of name: String = "CALL") {
        guard let offset = names.firstIndex(of: name) else { return }
        levels[offset] = level
        held?.queue.append(ChipEdge(offset: offset, level: level, time: now))
        held?.bell.write(Data([0]))
    }

    /// Changes the level of a line while the system is suspended, so that the kernel does not record an edge.
    func turn(_ level: Bool, of name: String = "CALL") {
        guard let offset = names.firstIndex(of: name) else { return }
        levels[offset] = level
    }

    /// Unplugs the chip, which wakes the readers of its lines.
    func unplug() {
        hasChip = false
        held?.bell.write(Data([0]))
    }
}

final class FakeLines: HeldLines {
    private let board: FakeBoard
    private let offsets: [Int]
    private let pipe = Pipe()
    fileprivate var queue: [ChipEdge] = []

    init(_ board: FakeBoard, _ offsets: [Int]) {
        self.board = board
        self.offsets = offsets
    }

    let polling: LinePolling? = nil
    fileprivate var bell: FileHandle { pipe.fileHandleForWriting }
    var descriptors: [Int32] { [pipe.fileHandleForReading.fileDescriptor] }
    func levels() throws(GPIOError) -> [Bool] { offsets.map(board.level) }

    func readEdges(limit: Int) throws(GPIOError) -> [ChipEdge] {
        guard board.hasChip else { throw .system(ENODEV, "read the edges of", "/dev/gpiochip0") }
        if !queue.isEmpty { _ = pipe.fileHandleForReading.availableData }
        defer { queue = [] }
        return queue
    }
}
