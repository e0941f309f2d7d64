/// The newest of values that change, at most one per pause, and none twice: the rate limit of a retained topic. Pure.
struct LatestValue: Hashable, Sendable {
    let pause: Duration
    private var current: String?
    private var published: String?
    private var next = Duration.zero

    init(pause: Duration) { self.pause = pause }

    mutating func set(_ value: String) { current = value }

    /// What was published is lost: the newest value is due again.
    mutating func repeatLast() { published = nil }

    private var isDue: Bool { current != nil && current != published }

    /// When a value is due; nil if none is.
    var deadline: Duration? { isDue ? next : nil }

    mutating func take(at now: Duration) -> String? {
        guard isDue, now >= next else { return nil }
        published = current
        next = now + pause
        return current
    }
}
