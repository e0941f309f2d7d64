/// A signal that became asserted or deasserted, after conditioning.
public struct Edge: Hashable, Sendable {
    public var signal: SignalID
    public var isAsserted: Bool

    public init(_ signal: SignalID, asserted: Bool) {
        self.signal = signal
        isAsserted = asserted
    }

    /// Edges that were read together, in the one order in which they count: begins before ends, then by name, so
    /// that the outcome does not depend on the order of reading. Of several edges of one signal only the last counts.
    public static func inOrder(_ edges: some Sequence<Edge>) -> [Edge] {
        let last = Dictionary(edges.map { ($0.signal, $0) }) { _, later in later }
        return last.values.sorted { a, b in
            a.isAsserted != b.isAsserted ? a.isAsserted : a.signal < b.signal
        }
    }
}
