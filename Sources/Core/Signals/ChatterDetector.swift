/// Tells a line that chatters from one that bounces: more edges within a window than any contact makes.
struct ChatterDetector: Hashable, Sendable {
    var limit: Int
    var window: Duration
    private(set) var isChattering = false
    /// The last `limit` + 1 edges at most, oldest first.
    private var edges: [Duration] = []

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    var lastEdge: Duration? { edges.last }

    /// When a line that chatters will have been quiet for the window; nil while it does not chatter.
    var quietAt: Duration? { isChattering ? lastEdge.map { $0 + window } : nil }

    /// - Returns: whether chatter begins with this edge.
    mutating func edge(at now: Duration) -> Bool {
        edges.append(now)
        // More than one, where the limit has become lower.
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
