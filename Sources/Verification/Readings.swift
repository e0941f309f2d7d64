import AudioSession

/// The sets of edges that may be read together, and the orders in which each of them may then count.
///
/// They depend on the lines alone, of whose combinations there are few: they are remembered, as there are many states.
final class Readings {
    struct Reading {
        let signals: [SignalID]
        /// Without repetitions: only one, if the order of reading does not matter to begin with.
        let orders: [[Edge]]
    }

    /// Larger sets are left out: any order of theirs comes of others by swapping two neighbours, and what two do is
    /// looked at in every state.
    private static let largest = 4

    private let signals: [SignalID]
    private let order: ([Edge]) -> [Edge]
    private var known: [Int: [Reading]] = [:]

    init(of signals: [SignalID], order: @escaping ([Edge]) -> [Edge]) {
        self.signals = signals
        self.order = order
    }

    func all(of lines: [World.Line]) -> [Reading] {
        let key = lines.reduce(0) { $0 << 2 | ($1.asserted ? 1 : 0) | ($1.chatters ? 2 : 0) }
        if let found = known[key] { return found }
        let edges = zip(signals, lines).filter { !$1.chatters }.map { Edge($0, asserted: !$1.asserted) }
        let all = edges.subsets.filter { (2...Readings.largest).contains($0.count) }.map { subset in
            Reading(signals: subset.map(\.signal), orders: Array(Set(subset.permutations.map(order))))
        }
        known[key] = all
        return all
    }
}

extension Array {
    fileprivate var subsets: [[Element]] {
        reduce([[]]) { sets, element in sets + sets.map { $0 + [element] } }
    }

    fileprivate var permutations: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var rest = self
            let element = rest.remove(at: index)
            return rest.permutations.map { [element] + $0 }
        }
    }
}
