import AudioSession

/// The sets of edges that can be read together, with the distinct orders in which each set can apply. Sets that apply in
/// the same order however they are read are omitted.
///
/// They depend only on the lines, which have few combinations for many states, so they are cached.
final class Readings {
    struct Reading {
        let signals: [SignalID]
        /// Distinct, and at least two; each as the numbers of its events.
        let orders: [[Int]]
    }

    /// Larger sets are omitted: any order of theirs results from swapping neighbours, and pairs are checked in every
    /// state.
    private static let maximumCount = 4

    private let signals: [SignalID]
    private let order: ([Edge]) -> [Edge]
    private let alphabet: Alphabet
    private var known: [ExplorerState.Lines: [Reading]] = [:]

    init(of signals: [SignalID], _ alphabet: Alphabet, order: @escaping ([Edge]) -> [Edge]) {
        self.signals = signals
        self.order = order
        self.alphabet = alphabet
    }

    func all(of lines: ExplorerState.Lines) -> [Reading] {
        var key = ExplorerState.Lines()
        key.asserted = lines.asserted
        key.chatters = lines.chatters
        if let found = known[key] { return found }
        let edges = signals.indices.filter { !lines.chatters[$0] }.map {
            Edge(signals[$0], asserted: !lines.asserted[$0])
        }
        let all = edges.subsets.filter { (2...Readings.maximumCount).contains($0.count) }.map { subset in
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
