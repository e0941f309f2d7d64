import AudioSession
import Signals

/// The lines of all signals and their outcomes that have not been handled yet. The type is pure, so the caller passes
/// the time.
///
/// All pending outcomes were read together, so the order in which they were read is irrelevant. Assertions are handled
/// before deassertions, and signals in the order of the configuration. If a signal has several levels, only the last
/// one is used. The other outcomes of a signal keep their order.
struct SignalLines {
    private struct Line {
        let signal: SignalID
        var conditioner: Conditioner
        /// The outcomes, oldest first.
        var outcomes: [Conditioner.Output] = []

        /// True if the next level change among the outcomes is an assertion. A line that chatters is treated as
        /// asserted.
        var begins: Bool {
            outcomes.first { $0.isLevel || $0 == .fault(.chatter) }.map { $0 != .deasserted } ?? false
        }

        /// Levels alternate, so a level directly after another one cancels it.
        mutating func append(_ new: [Conditioner.Output]) {
            for output in new {
                if output.isLevel, outcomes.last?.isLevel == true {
                    outcomes.removeLast()
                } else {
                    outcomes.append(output)
                }
            }
        }
    }

    private var lines: [Line]

    init(_ conditioners: [(signal: SignalID, conditioner: Conditioner)] = []) {
        lines = conditioners.map { Line(signal: $0.signal, conditioner: $0.conditioner) }
    }

    subscript(signal: SignalID) -> Conditioner? { lines.first { $0.signal == signal }?.conditioner }

    /// The faults that have not been cleared.
    var faults: [Fault] {
        lines.flatMap { line in line.conditioner.faults.map { Fault(line.signal, Fault.Kind($0)) } }
    }

    /// True if every outcome has been handled.
    var isSettled: Bool { lines.allSatisfy(\.outcomes.isEmpty) }

    /// The time at which the next outcome is due unless a level change comes first, or nil if none is due.
    var deadline: Duration? { lines.compactMap(\.conditioner.deadline).min() }

    mutating func adopt(_ policies: [SignalID: LinePolicy], at now: Duration) {
        for index in lines.indices {
            policies[lines[index].signal].map { lines[index].conditioner.adopt($0, at: now) }
        }
    }

    /// Applies the raw level of a contact's line, which is nil if the line can no longer be read.
    mutating func level(_ level: Bool?, of signal: SignalID, _ contact: Contact, at now: Duration) {
        change(signal) { $0.level(level, of: contact, at: now) }
    }

    /// Sets the level of a signal after conditioning. The level replaces any pending level. The caller handles the edge
    /// itself.
    mutating func force(_ edge: Edge, at now: Duration) {
        change(edge.signal) { $0.force(asserted: edge.isAsserted, at: now) }
        for index in lines.indices where lines[index].signal == edge.signal {
            lines[index].outcomes.removeAll(where: \.isLevel)
            // Otherwise, chatter that has not been handled yet would assert the signal again.
            if lines[index].outcomes.contains(.fault(.chatter)) {
                lines[index].outcomes.removeAll { $0 == .fault(.chatter) || $0 == .cleared(.chatter) }
            }
        }
    }

    /// Applies the levels that were read after the system was asleep.
    /// - Parameter levels: The raw levels.
    /// - Returns: The edges that apply at once. Deadlines that passed during sleep and lost lines take effect later.
    mutating func wake(_ levels: LineLevels, at now: Duration) -> [Edge] {
        lines.indices.compactMap { index in
            let signal = lines[index].signal
            let woken = lines[index].conditioner.wake(
                levels.main[signal], complement: levels.complement[signal], at: now)
            lines[index].append(woken.outputs)
            return woken.isAsserted.map { Edge(signal, asserted: $0) }
        }
    }

    /// Collects the outcomes that are due up to and including `now`.
    mutating func settle(by now: Duration) {
        for index in lines.indices { lines[index].append(lines[index].conditioner.advance(to: now)) }
    }

    /// Removes and returns the next outcome to handle.
    mutating func next() -> Event? {
        guard
            let index = lines.firstIndex(where: \.begins) ?? lines.firstIndex(where: { !$0.outcomes.isEmpty })
        else { return nil }
        return Event(lines[index].outcomes.removeFirst(), of: lines[index].signal)
    }

    private mutating func change(_ signal: SignalID, _ body: (inout Conditioner) -> [Conditioner.Output]) {
        for index in lines.indices where lines[index].signal == signal {
            lines[index].append(body(&lines[index].conditioner))
        }
    }
}

extension Conditioner.Output {
    fileprivate var isLevel: Bool { self == .asserted || self == .deasserted }
}
