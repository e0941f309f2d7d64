/// Distinguishes chatter from bounce. Chatter means that the level changes more often within a window than any contact
/// could change it.
struct ChatterDetector: Hashable, Sendable {
    var limit: Int
    var window: Duration
    private(set) var isChattering = false
    /// The times of at most the last `limit` + 1 changes. The oldest comes first.
    private var changes: [Duration] = []

    init(limit: Int, window: Duration) {
        self.limit = limit
        self.window = window
    }

    var lastChange: Duration? { changes.last }

    /// The time at which a chattering line will have been quiet for the window, or nil if the line does not chatter.
    var quietAt: Duration? { isChattering ? lastChange.map { $0 + window } : nil }

    /// Records a level change.
    /// - Returns: true if chatter begins with this change.
    mutating func change(at now: Duration) -> Bool {
        changes.append(now)
        // This removes more than one change if the limit has been lowered.
        if changes.count > limit + 1 { changes.removeFirst(changes.count - limit - 1) }
        guard !isChattering, changes.count == limit + 1, let oldest = changes.first, now - oldest <= window else {
            return false
        }
        isChattering = true
        return true
    }

    mutating func reset() {
        isChattering = false
        changes = []
    }
}
