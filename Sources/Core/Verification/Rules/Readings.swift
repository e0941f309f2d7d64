import AudioSession

/// The sets of edges that may be read together, and the orders in which each of them may then count: those sets of which
/// the order of reading is not decided to begin with.
///
/// They depend on the lines alone, of whose combinations there are few: they are remembered, as there are many states.
final class Readings {
    struct Reading {
        let signals: [SignalID]
        /// Without repetitions, each as the numbers of its events; more than one.
        let orders: [[Int]]
    }

    /// Larger sets are left out: any order of theirs comes of others by swapping two neighbours, and what two do is
    /// looked at in every state.
    private static let largest = 4

    private let signals: [SignalID]
    private let order: ([Edge]) -> [Edge]
    private let alphabet: Alphabet
    private var known: [World.Lines: [Reading]] = [:]

    init(of signals: [SignalID], _ alphabet: Alphabet, order: @escaping ([Edge]) -> [Edge]) {
        self.signals = signals
        self.order = order
        self.alphabet = alphabet
    }

    func all(of lines: World.Lines) -> [Reading] {
        var key = World.Lines()
        key.asserted = lines.asserted
        key.chatters = lines.chatters
        if let found = known[key] { return found }
        let edges = signals.indices.filter { !lines.chatters[$0] }.map {
            Edge(signals[$0], asserted: !lines.asserted[$0])
        }
        let all = edges.subsets.filter { (2...Readings.largest).contains($0.count) }.map { subset in
            Reading(
                signals: subset.map(\.signal),
                orders: Array(
                    Set(subset.permutations.map { order($0).compactMap { alphabet.events.firstIndex(of: .edge($0)) } }))
            )
        }.filter { $0.orders.count > 1 }
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
