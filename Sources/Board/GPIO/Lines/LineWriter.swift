/// A line for a `LineWriter` to drive.
public struct DrivenLine<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The identifier that the caller uses. It is unique within a writer.
    public var id: ID
    public var selector: LineSelector
    public var drive: LineDrive
    public var bias: LineBias
    /// The electrical level that the line has until another one is ordered and when it is released. It is high if true.
    public var safeLevel: Bool

    public init(
        _ id: ID, _ selector: LineSelector, drive: LineDrive = .pushPull, bias: LineBias = .asIs,
        safeLevel: Bool = false
    ) {
        self.id = id
        self.selector = selector
        self.drive = drive
        self.bias = bias
        self.safeLevel = safeLevel
    }
}

/// Drives lines on any number of chips. A line that is missing, lost or held by another program does not affect the
/// others. It can be acquired later and is then driven at the level that was ordered last.
///
/// Use a writer from one thread only. No call blocks. While lines are missing (`isIncomplete`), the owner calls
/// `acquire` whenever `/dev` changes, and also from time to time. The loss of a line is noticed only when its level is
/// set, so call `check` to detect it earlier.
///
/// When the writer is deallocated, each line is set to its safe level before the kernel releases it.
public final class LineWriter<ID: Hashable & Sendable> {
    /// The lines to drive.
    public private(set) var wanted: [DrivenLine<ID>] = []
    /// The reasons why lines are missing. There is one entry for each line that could not be acquired or has been lost.
    public private(set) var problems: [ID: GPIOError] = [:]
    private var held: [Held] = []
    /// The levels that were ordered. A line without an entry has its safe level.
    private var ordered: [ID: Bool] = [:]
    private let consumer: String
    private let advice: LineMiss.Advice
    private let system: any OutputSystem

    private struct Held {
        let wanted: DrivenLine<ID>
        let found: FoundLine
        let output: any DrivenOutput
        var level: Bool
    }

    /// Creates a writer without lines. `change` requests them.
    ///
    /// - Parameters:
    ///   - consumer: the name that other programs see as the user of the lines. The kernel keeps at most 31 bytes.
    ///   - advice: returns what a technician can do if a line cannot be found.
    public convenience init(consumer: String, advice: @escaping LineMiss.Advice = { _ in nil }) {
        self.init(consumer: consumer, advice: advice, system: Kernel())
    }

    init(consumer: String, advice: @escaping LineMiss.Advice = { _ in nil }, system: any OutputSystem) {
        self.consumer = consumer
        self.advice = advice
        self.system = system
    }

    deinit { held.forEach(LineWriter.makeSafe) }

    /// True if a line is missing.
    public var isIncomplete: Bool { held.count < wanted.count }

    /// Returns the chip and offset of a line, or nil while the line is missing.
    public func location(of id: ID) -> FoundLine? { held.first { $0.wanted.id == id }?.found }

    /// Returns the electrical level with which a line is driven, or nil while the line is missing.
    public func level(of id: ID) -> Bool? { held.first { $0.wanted.id == id }?.level }

    /// Replaces the list of lines to drive. Unchanged lines keep their level. Lines that are no longer in the list are
    /// set to their safe level and released. New lines are requested with their safe level.
    public func change(to lines: [DrivenLine<ID>]) {
        wanted = lines
        problems = [:]
        for line in held where !lines.contains(line.wanted) {
            LineWriter.makeSafe(line)
            ordered[line.wanted.id] = nil
        }
        held.removeAll { !lines.contains($0.wanted) }
        ordered = ordered.filter { id, _ in lines.contains { $0.id == id } }
        acquire()
    }

    /// Requests every missing line.
    public func acquire() {
        let missing = wanted.filter { line in !held.contains { $0.wanted.id == line.id } }
        guard !missing.isEmpty else { return }
        problems = [:]
        let board = system.scan()
        for line in missing {
            do throws(GPIOError) {
                try acquire(line, on: board)
            } catch {
                problems[line.id] = error
            }
        }
    }

    private func acquire(_ line: DrivenLine<ID>, on board: Board) throws(GPIOError) {
        let found = try board.find(line.selector, resolving: system.realPath, advice: advice)
        if let owner = held.first(where: { $0.found.isSameWire(as: found) }) {
            throw GPIOError(
                .duplicate, operation: "request", subject: "\(line.selector)",
                message: "\(found) is already used as \(owner.wanted.id)",
                advice: "a line can have only one use, so specify another line")
        }
        let level = ordered[line.id] ?? line.safeLevel
        let setting = OutputSetting(offset: found.line.offset, level: level, drive: line.drive, bias: line.bias)
        do throws(GPIOError) {
            let output = try system.request(setting, of: found.chip.path, consumer: consumer)
            held.append(Held(wanted: line, found: found, output: output, level: level))
        } catch {
            throw error.of("\(found)", consumer: found.line.consumer)
        }
    }

    /// Orders the level of a line. If the line is missing, the order applies once the line has been acquired.
    public func set(_ id: ID, to level: Bool) {
        ordered[id] = level
        guard let index = held.firstIndex(where: { $0.wanted.id == id }), held[index].level != level else { return }
        do throws(GPIOError) {
            try held[index].output.set(level)
            held[index].level = level
        } catch {
            lose(index, error)
        }
    }

    /// Detects lines that have been lost.
    public func check() {
        held = held.filter { line in
            do throws(GPIOError) {
                try line.output.check()
                return true
            } catch {
                problems[line.wanted.id] = error.of("\(line.found)")
                return false
            }
        }
    }

    private func lose(_ index: Int, _ error: GPIOError) {
        let line = held.remove(at: index)
        problems[line.wanted.id] = error.of("\(line.found)")
    }

    /// Sets the safe level, because the kernel keeps the last level of some chips after the release.
    private static func makeSafe(_ line: Held) {
        guard line.level != line.wanted.safeLevel else { return }
        // This fails only if the chip has disappeared, and then the line is no longer driven.
        try? line.output.set(line.wanted.safeLevel)
    }
}

/// The system calls of a `LineWriter`. Tests replace them to make them fail.
protocol OutputSystem {
    func scan() -> Board
    func realPath(_ path: String) -> String
    func request(_ line: OutputSetting, of path: String, consumer: String) throws(GPIOError) -> any DrivenOutput
}

/// A requested line. See `LineOutput`.
protocol DrivenOutput: AnyObject {
    func set(_ level: Bool) throws(GPIOError)
    func check() throws(GPIOError)
}

extension LineOutput: DrivenOutput {}

extension Kernel: OutputSystem {
    func request(_ line: OutputSetting, of path: String, consumer: String) throws(GPIOError) -> any DrivenOutput {
        try LineOutput(line, of: path, consumer: consumer)
    }
}
