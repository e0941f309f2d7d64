import Glibc

@testable import GPIO

/// A chip whose lines can only be driven.
// The conformance is unchecked because this class has variables. This is safe because a test waits for the thread that
// drives the lines.
final class FakeOutputs: OutputSystem, @unchecked Sendable {
    private let names: [String]
    var hasChip = true
    /// The program that holds each of these lines.
    var holders: [String: String] = [:]
    /// The electrical level of each line that is held.
    private(set) var levels: [String: Bool] = [:]
    /// The level of each line, including those that no program holds, because the kernels of some boards keep it.
    var kept: [String: Bool] { history.compactMapValues(\.last) }
    /// All levels that each line has had while it was held, beginning with the first.
    private(set) var history: [String: [Bool]] = [:]

    init(_ names: [String]) { self.names = names }

    func realPath(_ path: String) -> String { path }

    func scan() -> Board {
        let lines = names.enumerated().map { offset, name in
            LineInfo(offset: offset, name: name, isUsed: holders[name] != nil, consumer: holders[name])
        }
        let chip = ChipInfo(path: "/dev/gpiochip1", name: "gpiochip1", label: "outputs", lines: lines)
        return Board(chips: hasChip ? [chip] : [])
    }

    func request(_ line: OutputSetting, of path: String, consumer: String) throws(GPIOError) -> any DrivenOutput {
        let name = names[line.offset]
        if holders[name] != nil { throw .system(EBUSY, "request", path) }
        note(name, line.level)
        return FakeOutput(self, name)
    }

    fileprivate func set(_ name: String, _ level: Bool) throws(GPIOError) {
        try check()
        note(name, level)
    }

    fileprivate func check() throws(GPIOError) {
        guard hasChip else { throw .system(ENODEV, "drive a line of", "/dev/gpiochip1") }
    }

    private func note(_ name: String, _ level: Bool) {
        levels[name] = level
        history[name, default: []].append(level)
    }

    /// Simulates the death of a process that drove these levels.
    func dies(with levels: [String: Bool]) { for (name, level) in levels { history[name, default: []].append(level) } }

    fileprivate func release(_ name: String) { levels[name] = nil }
}

private final class FakeOutput: DrivenOutput {
    private let board: FakeOutputs
    private let name: String

    init(_ board: FakeOutputs, _ name: String) {
        self.board = board
        self.name = name
    }

    deinit { board.release(name) }

    func set(_ level: Bool) throws(GPIOError) { try board.set(name, level) }
    func check() throws(GPIOError) { try board.check() }
}
