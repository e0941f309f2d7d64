import Signals

/// Reads lines on any number of chips. It first reads their levels and then their edges. Lost lines can be acquired
/// again.
///
/// A line that is not available does not affect the others. Use a reader from one thread only. No call blocks. Chips
/// appear in `/dev`.
///
/// Levels are electrical, so true is high. The reader releases all lines when it is deallocated.
public final class LineReader<ID: Hashable & Sendable>: LevelReader {
    /// The lines to read.
    public let wanted: [WantedLine<ID>]
    /// The reasons why lines are missing. There is one entry for each line that could not be acquired or has been lost.
    public private(set) var problems: [ID: GPIOError] = [:]
    /// The number of edges that were lost and repaired.
    public private(set) var repairs = 0
    private var groups: [HeldGroup<ID>] = []
    private let consumer: String
    private let advice: LineMiss.Advice
    private let system: any LineSystem

    /// The number of edges in one reading that indicates that the kernel's queue may have overflowed. With libgpiod 1,
    /// the queue holds 16 edges for each line and drops the newest edges. With libgpiod 2, it holds 64 for each line of
    /// a request and drops the oldest edges of the request, regardless of their line.
    private static var burst: Int { 16 }

    /// Creates a reader that does not hold any lines yet. `acquire` requests them.
    ///
    /// - Parameters:
    ///   - wanted: the lines to read. Each line and each ID may occur only once.
    ///   - consumer: the name that other programs see as the user of the lines. The kernel keeps at most 31 bytes.
    ///   - advice: returns what a technician can do if a line cannot be found.
    public convenience init(
        _ wanted: [WantedLine<ID>], consumer: String, advice: @escaping LineMiss.Advice = { _ in nil }
    ) {
        self.init(wanted, consumer: consumer, advice: advice, system: Kernel())
    }

    init(
        _ wanted: [WantedLine<ID>], consumer: String, advice: @escaping LineMiss.Advice = { _ in nil },
        system: any LineSystem
    ) {
        self.wanted = wanted
        self.consumer = consumer
        self.advice = advice
        self.system = system
    }

    /// The descriptors to poll for edges (`POLLIN`) and losses (`POLLERR`).
    public var descriptors: [Int32] { groups.flatMap { $0.request.descriptors } }

    /// True if a line is missing.
    public var isIncomplete: Bool { wanted.contains { level(of: $0.id) == nil } }

    /// Returns the level of a line that was last reported, or nil while the line is missing.
    public func level(of id: ID) -> Bool? { line(of: id)?.level }

    /// Returns the chip and offset of a line, or nil while the line is missing.
    public func location(of id: ID) -> FoundLine? { line(of: id)?.found }

    // This code does not use a key path, because in a generic type each call would create one, and this function runs
    // on every change.
    private func line(of id: ID) -> HeldGroup<ID>.Line? {
        for group in groups {
            if let line = group.lines.first(where: { $0.wanted.id == id }) { return line }
        }
        return nil
    }

    /// Returns the way in which a line is polled, or nil if its chip reports edges or if the line is missing.
    public func polling(of id: ID) -> LinePolling? {
        groups.first { $0.lines.contains { $0.wanted.id == id } }?.request.polling
    }

    public func place(of id: ID) -> String? { location(of: id)?.place }

    public func problem(of id: ID) -> String? { problems[id]?.description }

    public func release() { groups = [] }

    /// Requests every missing line. At first, these are all the lines. Later, they are the lines that were lost or not
    /// available.
    public func acquire() -> [LevelChange<ID>] {
        let missing = wanted.filter { level(of: $0.id) == nil }
        guard !missing.isEmpty else { return [] }
        problems = [:]
        for candidates in candidates(for: missing, on: system.scan()) {
            let free = candidates.filter { !$0.found.line.isUsed }
            // A request fails as a whole if one of its lines fails. In that case, try them one at a time.
            if free.count < 2 || take(free) != nil { takeEach(free) }
            takeEach(candidates.filter(\.found.line.isUsed))
        }
        return missing.compactMap { line in level(of: line.id).map { LevelChange(line.id, .found($0)) } }
    }

    /// Returns the edges and losses since the last call, without waiting for more.
    ///
    /// An edge carries the time of the kernel's interrupt. After a burst in which the kernel may have dropped edges,
    /// this reads the levels again. For each level that differs from the last reported one, it inserts an edge with the
    /// time of that reading. The edges of one line are also ordered across calls.
    public func readChanges(readsLevels: Bool) -> [LevelChange<ID>] {
        changes { group throws(GPIOError) in try edges(of: group, readsLevels: readsLevels) }
    }

    /// Returns the edges of all groups in the order of time, followed by the losses of those that cannot be read.
    private func changes(
        _ edges: (HeldGroup<ID>) throws(GPIOError) -> [LevelChange<ID>]
    ) -> [LevelChange<ID>] {
        var found: [LevelChange<ID>] = []
        var losses: [LevelChange<ID>] = []
        for group in groups {
            do throws(GPIOError) {
                found += try edges(group)
            } catch {
                losses += lose(group, error)
            }
        }
        return found.inOrderOfTime() + losses
    }

    private func lose(_ group: HeldGroup<ID>, _ error: GPIOError) -> [LevelChange<ID>] {
        groups.removeAll { $0 === group }
        return group.lines.map { line in
            let problem = error.of("\(line.found)")
            problems[line.wanted.id] = problem
            return LevelChange(line.wanted.id, .missing(problem.description))
        }
    }

    /// Reads all levels again, and repairs those that have changed without an edge. The kernel, or the hardware, may
    /// lose an edge, and the level would otherwise remain wrong.
    ///
    /// An edge may still be on its way when its level is read. Therefore, a level must be found twice before it counts
    /// as an edge that was lost. While `isSuspicious` is true, call this again soon.
    ///
    /// - Returns: the changes since the last call of `readChanges`. Those that were repaired have the time of the
    ///   reading.
    public func reread() -> [LevelChange<ID>] {
        changes { group throws(GPIOError) in try reread(group) }
    }

    /// True if a level has changed whose edge has not arrived yet.
    public var isSuspicious: Bool { groups.contains { $0.lines.contains { $0.suspect != nil } } }

    private func reread(_ group: HeldGroup<ID>) throws(GPIOError) -> [LevelChange<ID>] {
        var edges = try self.edges(of: group, readsLevels: false)
        let now = system.now
        let levels = try group.request.levels()
        // The edges that came between the two readings.
        edges += try self.edges(of: group, readsLevels: false)
        for (index, level) in levels.enumerated() {
            let isWrong = group.lines[index].level != level
            guard isWrong, group.lines[index].suspect == level else {
                group.lines[index].suspect = isWrong ? level : nil
                continue
            }
            group.lines[index].suspect = nil
            group.lines[index].level = level
            group.lines[index].readAt = now
            repairs += 1
            edges.append(LevelChange(group.lines[index].wanted.id, .turned(level), at: now, isRepaired: true))
        }
        return edges
    }

    private func edges(of group: HeldGroup<ID>, readsLevels: Bool) throws(GPIOError) -> [LevelChange<ID>] {
        var edges: [LevelChange<ID>] = []
        let queued = try group.request.readEdges(limit: 1024)
        for edge in queued {
            guard let index = group.lines.firstIndex(where: { $0.found.line.offset == edge.offset }) else { continue }
            // The level that was read at that time already reflects this edge.
            guard edge.time > group.lines[index].readAt else { continue }
            group.lines[index].level = edge.level
            group.lines[index].suspect = nil
            edges.append(LevelChange(group.lines[index].wanted.id, .turned(edge.level), at: edge.time))
        }
        guard readsLevels || queued.count >= Self.burst else { return edges }
        let now = system.now
        for (index, level) in try group.request.levels().enumerated() where group.lines[index].level != level {
            group.lines[index].level = level
            group.lines[index].readAt = now
            edges.append(LevelChange(group.lines[index].wanted.id, .turned(level), at: now))
        }
        return edges
    }
}

extension LineReader {
    private typealias Candidate = (wanted: WantedLine<ID>, found: FoundLine)

    /// Returns the lines that the selectors in `missing` identify, grouped by chip.
    private func candidates(for missing: [WantedLine<ID>], on board: Board) -> [[Candidate]] {
        var taken = groups.flatMap { $0.lines.map { Candidate($0.wanted, $0.found) } }
        var chips: [String] = []
        var result: [String: [Candidate]] = [:]
        for line in missing {
            do throws(GPIOError) {
                let found = try board.find(line.selector, resolving: system.realPath, advice: advice)
                if let owner = taken.first(where: { $0.found.isSameWire(as: found) }) {
                    throw GPIOError(
                        .duplicate, operation: "request", subject: "\(line.selector)",
                        message: "\(found) is already used as \(owner.wanted.id)",
                        advice: "a line can have only one use, so specify another line")
                }
                taken.append((line, found))
                if result[found.chip.path] == nil { chips.append(found.chip.path) }
                result[found.chip.path, default: []].append((line, found))
            } catch {
                problems[line.id] = error
            }
        }
        return chips.compactMap { result[$0] }
    }

    private func takeEach(_ candidates: [Candidate]) {
        for candidate in candidates {
            guard let error = take([candidate]) else { continue }
            problems[candidate.wanted.id] = error.of("\(candidate.found)", consumer: candidate.found.line.consumer)
        }
    }

    /// Requests lines with their edges, or polls them if their chip cannot report edges.
    private func request(
        _ lines: [LineSetting], of path: String, every interval: Duration
    ) throws(GPIOError) -> any HeldLines {
        do throws(GPIOError) {
            return try system.request(lines, of: path, consumer: consumer)
        } catch {
            guard error.lacksEdges else { throw error }
            let polling = LinePolling(interval: interval, reason: error.message)
            return try system.poll(lines, of: path, consumer: consumer, polling)
        }
    }

    /// Requests lines of one chip.
    /// - Returns: nil on success, otherwise the reason for the failure.
    private func take(_ candidates: [Candidate]) -> GPIOError? {
        guard let path = candidates.first?.found.chip.path, let interval = candidates.map(\.wanted.poll).min() else {
            return nil
        }
        let settings = candidates.map { LineSetting(offset: $0.found.line.offset, bias: $0.wanted.bias) }
        do throws(GPIOError) {
            let request = try request(settings, of: path, every: interval)
            // Read the time before the levels, because it is better to report an edge between the two readings twice
            // than not at all.
            let now = system.now
            let levels = try request.levels()
            let lines = zip(candidates, levels).map { candidate, level in
                HeldGroup<ID>.Line(wanted: candidate.wanted, found: candidate.found, level: level, readAt: now)
            }
            groups.append(HeldGroup(request: request, lines: lines))
            return nil
        } catch {
            return error
        }
    }
}
