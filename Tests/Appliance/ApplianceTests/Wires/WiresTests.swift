import AudioSession
import Configuration
import Foundation
import Systemd
import Testing

@testable import Appliance
@testable import GPIO

/// A board with one chip, whose lines are pipes' ends: readable while there are edges.
private final class FakeBoard: LineSystem {
    var hasChip = true
    var level = false
    private(set) weak var held: FakeLines?

    var now: Duration { EventClock.monotonic.now }
    func realPath(_ path: String) -> String { path }

    func scan() -> Board {
        let lines = [LineInfo(offset: 0, name: "CALL")]
        let chip = ChipInfo(path: "/dev/gpiochip0", name: "gpiochip0", label: "fake", lines: lines)
        return Board(chips: hasChip ? [chip] : [])
    }

    func request(_ lines: [LineSetting], of path: String, consumer: String) throws(GPIOError) -> any HeldLines {
        let lines = FakeLines(self)
        held = lines
        return lines
    }

    func edge(_ level: Bool) {
        self.level = level
        held?.queue.append(ChipEdge(offset: 0, level: level, time: now))
        held?.bell.write(Data([0]))
    }
}

private final class FakeLines: HeldLines {
    private let board: FakeBoard
    private let pipe = Pipe()
    var queue: [ChipEdge] = []

    init(_ board: FakeBoard) { self.board = board }

    var bell: FileHandle { pipe.fileHandleForWriting }
    var descriptors: [Int32] { [pipe.fileHandleForReading.fileDescriptor] }
    func levels() throws(GPIOError) -> [Bool] { [board.level] }

    func readEdges(limit: Int) throws(GPIOError) -> [ChipEdge] {
        guard board.hasChip else { throw .system(ENODEV, "read the edges of", "/dev/gpiochip0") }
        if !queue.isEmpty { _ = pipe.fileHandleForReading.availableData }
        defer { queue = [] }
        return queue
    }
}

@Suite struct WiresTests {
    private let board = FakeBoard()
    private let loop: EventLoop
    private let configuration: Configuration

    init() throws {
        loop = try EventLoop()
        let file = FileManager.default.temporaryDirectory.path + "/tacet-wires-\(UUID().uuidString).conf"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "[Signal phone-call]\nLine=CALL\nEffect=pause\n[Button play]\nLine=PLAY\nCommand=play\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        configuration = try Configuration.load(.file(file), checksLibrary: false).configuration
    }

    private func wires(_ patience: Duration = .zero) throws -> Wires {
        let board = board
        return try Wires(configuration, patience: patience, in: loop) {
            LineReader($0, consumer: "test", system: board)
        }
    }

    @Test func edgesAreReportedInTheirOrder() throws {
        let wires = try wires()
        var edges: [Bool] = []
        wires.onReading = { edges += $0.edges.map(\.level) }
        #expect(wires.levels["phone-call"] == false)
        for level in [true, false, true] { board.edge(level) }
        while edges.count < 3 { try loop.turn(within: nil) }
        #expect(edges == [true, false, true] && wires.levels["phone-call"] == true)
        #expect(wires.held.map(\.title) == ["signal phone-call"])
        #expect(Array(wires.problems.keys) == [.button("play")])
    }

    @Test func lostLineIsReportedAndFoundAgain() throws {
        let wires = try wires()
        var losses: [WireID] = []
        var found: [Bool] = []
        wires.onReading = { losses += $0.losses.map(\.id) }
        wires.onFound = { found += $0.map(\.level) }
        board.hasChip = false
        board.edge(true)
        while losses.isEmpty { try loop.turn(within: nil) }
        #expect(losses == [.signal("phone-call")] && wires.levels["phone-call"] == nil)
        board.hasChip = true
        wires.chipsMayHaveChanged()
        while found.isEmpty { try loop.turn(within: nil) }
        #expect(found == [true] && wires.levels["phone-call"] == true)
    }

    @Test func releasedLinesCanBeRequestedByASuccessor() throws {
        let wires = try wires()
        #expect(board.held != nil)
        wires.letGo()
        #expect(board.held == nil && wires.held.isEmpty)
    }
}
