/// Reads lines of any chips: their levels at first, then their edges; and takes back what was lost.
///
/// One line that cannot be had does not keep it from the others. For one thread; nothing in here waits. The owner waits
/// until one of `descriptors` has something to say, then calls `readEdges`; and as long as lines are missing, calls
/// `acquire` when `/dev` changes, and now and then besides: a chip that is new has its permissions a little later.
///
/// Levels are electrical: true is high. All lines are let go of when the reader goes.
public final class LineReader<ID: Hashable & Sendable> {
    /// What was asked for.
    public private(set) var wanted: [WantedLine<ID>]
    /// Why lines are missing; of those that were asked for in vain, or lost.
    public private(set) var problems: [ID: GPIOError] = [:]
    private var groups: [HeldGroup<ID>] = []
    private let consumer: String
    private let system: any LineSystem

    /// As many edges at once may be more than the kernel's queue held. Of libgpiod 1, it keeps 16 of a line and drops
    /// the newest; of libgpiod 2, 64 for each line of a request and drops the oldest, whosever they are.
    private static var burst: Int { 16 }

    /// Requests nothing yet.
    ///
    /// - Parameters:
    ///   - wanted: each line and each id once.
    ///   - consumer: what others see as the user of the lines; at most 31 bytes of it.
    public convenience init(_ wanted: [WantedLine<ID>], consumer: String) {
        self.init(wanted, consumer: consumer, system: Kernel())
    }

    init(_ wanted: [WantedLine<ID>], consumer: String, system: any LineSystem) {
        self.wanted = wanted
        self.consumer = consumer
        self.system = system
    }

    /// To wait on for edges (`POLLIN`) and losses (`POLLERR`). They are others after `acquire` and `want`, and after a
    /// loss.
    public var descriptors: [Int32] { groups.flatMap { $0.request.descriptors } }

    /// Whether a line is missing.
    public var isIncomplete: Bool { wanted.contains { level(of: $0.id) == nil } }

    /// A line's level as it was told last; nil while it is missing.
    public func level(of id: ID) -> Bool? { line(of: id)?.level }

    /// Where a line is; nil while it is missing.
    public func place(of id: ID) -> FoundLine? { line(of: id)?.found }

    // No key path: in a generic type it is built anew at every call, and this is called at every change.
    private func line(of id: ID) -> HeldGroup<ID>.Line? {
        for group in groups {
            if let line = group.lines.first(where: { $0.wanted.id == id }) { return line }
        }
        return nil
    }

    /// Changes what is asked for. Lines that stay as they were are kept, unless they share a request with one that goes:
    /// then they are let go of and requested anew.
    ///
    /// - Returns: as `acquire`.
    public func want(_ lines: [WantedLine<ID>]) -> [LineOutcome<ID>] {
        wanted = lines
        problems = [:]
        groups.removeAll { group in !group.lines.allSatisfy { lines.contains($0.wanted) } }
        return acquire()
    }

    /// Requests every line that is missing: all at first, later those that were lost or could not be had.
    ///
    /// - Returns: for each of them, in the order of `wanted`, its level now or why it cannot be had; nothing for lines
    ///   that are there already. Edges that come later are later than these levels.
    public func acquire() -> [LineOutcome<ID>] {
        let missing = wanted.filter { level(of: $0.id) == nil }
        guard !missing.isEmpty else { return [] }
        problems = [:]
        for candidates in candidates(for: missing, on: system.scan()) {
            let free = candidates.filter { !$0.found.line.isUsed }
            // Whatever one of them does not allow the others pay for: then each by itself.
            if free.count < 2 || take(free) != nil { takeEach(free) }
            takeEach(candidates.filter(\.found.line.isUsed))
        }
        return missing.compactMap { line in
            if let level = level(of: line.id) { return LineOutcome(id: line.id, result: .success(level)) }
            return problems[line.id].map { LineOutcome(id: line.id, result: .failure($0)) }
        }
    }

    /// What has happened since, without waiting for more.
    ///
    /// An edge has the time of the kernel's interrupt. Where so many came at once that the kernel may have dropped some,
    /// the levels are read again, and an edge to one that is not as told is put in with the time of that reading. Edges are in the
    /// order of time; those of one line are so from call to call, too.
    public func readEdges() -> LineReading<ID> {
        var reading = LineReading<ID>()
        for group in groups {
            do throws(GPIOError) {
                reading.edges += try edges(of: group)
            } catch {
                groups.removeAll { $0 === group }
                for line in group.lines {
                    let loss = LineReading<ID>.Loss(id: line.wanted.id, error: error.of("\(line.found)"))
                    problems[loss.id] = loss.error
                    reading.losses.append(loss)
                }
            }
        }
        reading.edges = reading.edges.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        return reading
    }

    private func edges(of group: HeldGroup<ID>) throws(GPIOError) -> [LineReading<ID>.Edge] {
        var edges: [LineReading<ID>.Edge] = []
        let queued = try group.request.readEdges(limit: 1024)
        for edge in queued {
            guard let index = group.lines.firstIndex(where: { $0.found.line.offset == edge.offset }) else { continue }
            // The level that was read had seen it.
            guard edge.time > group.lines[index].readAt else { continue }
            group.lines[index].level = edge.level
            edges.append(.init(id: group.lines[index].wanted.id, level: edge.level, time: edge.time))
        }
        guard queued.count >= Self.burst else { return edges }
        let now = system.now
        for (index, level) in try group.request.levels().enumerated() where group.lines[index].level != level {
            group.lines[index].level = level
            group.lines[index].readAt = now
            edges.append(.init(id: group.lines[index].wanted.id, level: level, time: now))
        }
        return edges
    }
}

extension LineReader {
    private typealias Candidate = (wanted: WantedLine<ID>, found: FoundLine)

    /// The lines that are meant, chip by chip.
    private func candidates(for missing: [WantedLine<ID>], on board: Board) -> [[Candidate]] {
        var taken = groups.flatMap { $0.lines.map { Candidate($0.wanted, $0.found) } }
        var chips: [String] = []
        var result: [String: [Candidate]] = [:]
        for line in missing {
            do throws(GPIOError) {
                let found = try board.find(line.selector, resolving: system.realPath)
                if let owner = taken.first(where: { $0.found.isSameWire(as: found) }) {
                    throw GPIOError(
                        .wantedTwice, operation: "request", subject: "\(line.selector)",
                        message: "\(found) is what \(owner.wanted.id) has already",
                        advice: "a line can be one thing only: name another")
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

    /// - Returns: why not, if they cannot be had.
    private func take(_ candidates: [Candidate]) -> GPIOError? {
        guard let path = candidates.first?.found.chip.path else { return nil }
        let settings = candidates.map {
            LineSetting(offset: $0.found.line.offset, bias: $0.wanted.bias, debounce: $0.wanted.debounce)
        }
        do throws(GPIOError) {
            let request = try system.request(settings, of: path, consumer: consumer)
            // Before the levels: edges in between are told twice rather than not at all.
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
