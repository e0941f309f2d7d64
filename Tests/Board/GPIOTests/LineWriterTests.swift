import Glibc
import Testing

@testable import GPIO

/// A board whose lines can only be driven. The test decides which requests and levels fail.
private final class DrivenBoard: OutputSystem {
    var chips: [ChipInfo]
    /// The `errno` codes with which all calls fail, by line.
    var refusals: [Int: Int32] = [:]
    /// The initial level of each line and all later ones.
    private(set) var levels: [Int: [Bool]] = [:]
    private(set) var requests: [OutputSetting] = []
    private(set) var released: [Int] = []

    init(_ names: [String?]) { chips = [.fake(0, "desk", names)] }

    func scan() -> Board { Board(chips: chips) }
    func realPath(_ path: String) -> String { path }

    func request(_ line: OutputSetting, of path: String, consumer: String) throws(GPIOError) -> any DrivenOutput {
        if let code = refusals[line.offset] { throw .system(code, "request", path) }
        requests.append(line)
        levels[line.offset] = [line.level]
        return DrivenWire(self, line.offset)
    }

    fileprivate func set(_ offset: Int, _ level: Bool) throws(GPIOError) {
        if let code = refusals[offset] { throw .system(code, "drive a line of", "/dev/gpiochip0") }
        levels[offset, default: []].append(level)
    }

    fileprivate func release(_ offset: Int) { released.append(offset) }
}

private final class DrivenWire: DrivenOutput {
    private let board: DrivenBoard
    private let offset: Int

    init(_ board: DrivenBoard, _ offset: Int) {
        self.board = board
        self.offset = offset
    }

    deinit { board.release(offset) }

    func set(_ level: Bool) throws(GPIOError) { try board.set(offset, level) }
    func check() throws(GPIOError) {
        if let code = board.refusals[offset] { throw .system(code, "drive a line of", "/dev/gpiochip0") }
    }
}

@Suite struct LineWriterTests {
    private let board = DrivenBoard(["AMP", "LAMP", nil])
    private let amplifier = DrivenLine("amp", .named("AMP", chip: nil))
    private let lamp = DrivenLine("lamp", .named("LAMP", chip: nil), drive: .openDrain, bias: .pullUp, safeLevel: true)

    private func writer(_ lines: [DrivenLine<String>]) -> LineWriter<String> {
        let writer = LineWriter<String>(consumer: "test", system: board)
        writer.change(to: lines)
        return writer
    }

    @Test func linesAreRequestedAtTheirSafeLevel() {
        let writer = writer([amplifier, lamp])
        #expect(
            board.requests == [
                OutputSetting(offset: 0, level: false),
                OutputSetting(offset: 1, level: true, drive: .openDrain, bias: .pullUp),
            ])
        #expect(!writer.isIncomplete && writer.problems.isEmpty && writer.level(of: "lamp") == true)
    }

    @Test func onlyChangesOfALevelReachTheKernel() {
        let writer = writer([amplifier])
        for level in [false, true, true, false] { writer.set("amp", to: level) }
        #expect(board.levels[0] == [false, true, false])
    }

    @Test func releasedLinesAreSafe() {
        do {
            let writer = writer([amplifier, lamp])
            writer.set("amp", to: true)
            writer.set("lamp", to: false)
            writer.change(to: [lamp])
            #expect(board.levels[0] == [false, true, false] && board.released == [0])
            // The other line keeps its level.
            #expect(board.levels[1] == [true, false])
        }
        #expect(board.levels[1] == [true, false, true] && board.released == [0, 1])
    }

    @Test func aLineHeldByAnotherProgramIsDrivenOnceItIsFree() {
        board.chips[0].lines[0] = LineInfo(offset: 0, name: "AMP", isUsed: true, consumer: "gpioset")
        board.refusals[0] = EBUSY
        let writer = writer([amplifier, lamp])
        #expect(writer.isIncomplete && writer.level(of: "lamp") == true)
        #expect(writer.problems["amp"]?.reason == .busy(consumer: "gpioset"))
        writer.set("amp", to: true)
        board.refusals = [:]
        writer.acquire()
        // The line begins with the level that was set in the meantime.
        #expect(writer.problems.isEmpty && board.levels[0] == [true])
    }

    @Test func aLostLineIsNoticedByDrivingItOrByChecking() {
        let writer = writer([amplifier, lamp])
        board.refusals = [0: ENODEV, 1: ENODEV]
        writer.set("amp", to: true)
        #expect(writer.problems["amp"]?.reason == .unavailable && writer.problems["lamp"] == nil)
        writer.check()
        #expect(writer.problems["lamp"]?.reason == .unavailable && writer.isIncomplete)
        writer.set("lamp", to: false)
        board.refusals = [:]
        writer.acquire()
        #expect(board.levels == [0: [true], 1: [false]] && writer.problems.isEmpty)
    }

    @Test func aMissingLineDoesNotAffectTheOthers() {
        let writer = writer([DrivenLine("ghost", .named("GHOST", chip: nil)), amplifier])
        #expect(writer.problems["ghost"]?.reason == .lineNotFound)
        writer.set("amp", to: true)
        #expect(board.levels[0] == [false, true])
    }

    @Test func twoOutputsCannotBeTheSameWire() {
        let writer = writer([amplifier, DrivenLine("again", .offset(0, chip: "desk"))])
        #expect(writer.problems["again"]?.reason == .duplicate && writer.level(of: "amp") == false)
    }

    @Test func aChipThatDoesNotExistIsReportedByTheRealLibrary() {
        #expect(throws: GPIOError.self) {
            try LineOutput(OutputSetting(offset: 3, level: true), of: "/dev/gpiochip-none", consumer: "test")
        }
    }
}
