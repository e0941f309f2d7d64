/// Distinguishes chatter from bounce: more edges within a window than any contact makes.
struct ChatterDetector: Hashable, Sendable {
    var limit: Int
    var window: Duration
    private(set) var isChattering = false
    /// At most the last `limit` + 1 edges, oldest first.
    private var edges: [Duration] = []

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    var lastEdge: Duration? { edges.last }

    /// When a chattering line will have been quiet for the window; nil if the line does not chatter.
    var quietAt: Duration? { isChattering ? lastEdge.map { $0 + window } : nil }

    /// - Returns: whether this edge begins chatter.
    mutating func edge(at now: Duration) -> Bool {
        edges.append(now)
        // Removes more than one if the limit has been lowered.
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
