/// Distinguishes chatter from bounce. Chatter has more edges within a window than any contact makes.
struct ChatterDetector: Hashable, Sendable {
    var limit: Int
    var window: Duration
    private(set) var isChattering = false
    /// At most the last `limit` + 1 edges. The oldest comes first.
    private var edges: [Duration] = []

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    var lastEdge: Duration? { edges.last }

    /// The time at which a chattering line will have been quiet for the window, or nil if the line does not chatter.
    var quietAt: Duration? { isChattering ? lastEdge.map { $0 + window } : nil }

    /// Records an edge.
    /// - Returns: true if this edge begins chatter.
    mutating func edge(at now: Duration) -> Bool {
        edges.append(now)
        // This removes more than one edge if the limit has been lowered.
        if edges.count > limit + 1 { edges.removeFirst(edges.count - limit - 1) }
        guard !isChattering, edges.count == limit + 1, let oldest = edges.first, now - oldest <= window else {
            return false
        }
        isChattering = true
        return true
    }

    mutating func reset() {
        isChattering = false
        edges = []
    }
}
