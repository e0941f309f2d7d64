import AudioSession

/// The sets of edges that can be read together, with the distinct orders in which each set can apply. Sets that apply
/// in the same order no matter how they are read are omitted.
///
/// The result depends only on the lines, which have few combinations compared with the number of states, so it is
/// cached.
final class Readings {
    struct Reading {
        let signals: [SignalID]
        /// The distinct orders, of which there are at least two. Each consists of the numbers of its events.
        let orders: [[Int]]
    }

    /// The maximum size of a set. Larger sets are omitted, because any order of their edges can be reached by swapping
    /// neighbours, and pairs are checked in every state.
    private static let maximumCount = 4

    private let signals: [SignalID]
    private let order: ([Edge]) -> [Edge]
    private let alphabet: Alphabet
    /// All sets of two to `maximumCount` signals.
    private let sets: [SignalSet]
    private var known: [ExplorerState.Lines: [Reading]] = [:]
    /// The readings by the set and the levels of its signals. The value is nil if the set always applies in the same
    /// order.
    private var readings: [Key: Reading?] = [:]

    private struct Key: Hashable {
        let signals: SignalSet
        /// The signals that are asserted before the edges.
        let asserted: SignalSet
    }

    init(of signals: [SignalID], _ alphabet: Alphabet, order: @escaping ([Edge]) -> [Edge]) {
        self.signals = signals
        self.order = order
        self.alphabet = alphabet
        sets = Readings.sets(of: signals.count <= SignalSet.maximum ? signals.count : 0)
    }

    func all(of lines: ExplorerState.Lines) -> [Reading] {
        var key = ExplorerState.Lines()
        key.asserted = lines.asserted
        key.chatters = lines.chatters
        if let found = known[key] { return found }
        let all = sets.filter { $0.isDisjoint(with: lines.chatters) }.compactMap { set in
            reading(Key(signals: set, asserted: lines.asserted.intersection(set)))
        }
        known[key] = all
        return all
    }

    private func reading(_ key: Key) -> Reading? {
        if let found = readings[key] { return found }
        let members = signals.indices.filter { key.signals[$0] }
        let edges = members.map { Edge(signals[$0], asserted: !key.asserted[$0]) }
        let orders = Set(edges.permutations.map { order($0).compactMap { number(of: $0, among: members) } })
        let reading = orders.count > 1 ? Reading(signals: edges.map(\.signal), orders: Array(orders)) : nil
        readings[key] = .some(reading)
        return reading
    }

    private func number(of edge: Edge, among members: [Int]) -> Int? {
        members.first { signals[$0] == edge.signal }.map { alphabet.edge($0, asserted: edge.isAsserted) }
    }

    private static func sets(of count: Int) -> [SignalSet] {
        var all: [SignalSet] = [[]]
        for signal in 0..<count {
            all += all.filter { $0.rawValue.nonzeroBitCount < maximumCount }.map { $0.union(SignalSet(signal)) }
        }
        return all.filter { $0.rawValue.nonzeroBitCount >= 2 }
    }
}

extension Array {
    fileprivate var permutations: [[Element]] {
        guard count > 1 else { return [self] }
        return indices.flatMap { index in
            var rest = self
            let element = rest.remove(at: index)
            return rest.permutations.map { [element] + $0 }
        }
    }
}
