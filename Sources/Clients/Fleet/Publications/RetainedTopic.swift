import MQTT

/// A retained topic of which only the newest value matters, and whose publications have a minimum interval. It has no
/// side effects.
struct RetainedTopic: Hashable, Sendable {
    let topic: String
    let pause: Duration
    private var current: String?
    private var published: String?
    private var next = Duration.zero

    init(_ topic: String, _ value: String? = nil, pause: Duration) {
        self.topic = topic
        self.pause = pause
        current = value
    }

    mutating func set(_ value: String) { current = value }

    /// Requests another publication of the newest value, because the last publication was lost.
    mutating func repeatLast() { published = nil }

    private var isDue: Bool { current != nil && current != published }

    /// The time at which a value must be published, or nil if there is none to publish.
    var deadline: Duration? { isDue ? next : nil }

    mutating func take(at now: Duration) -> MQTTPublication? {
        guard isDue, now >= next, let current else { return nil }
        published = current
        next = now + pause
        return MQTTPublication(topic, current, isRetained: true)
    }
}

/// The retained topics of a board. They have no side effects.
struct RetainedTopics: Hashable, Sendable {
    var state: RetainedTopic
    var health: RetainedTopic
    /// The message by which Home Assistant discovers the board, or nil if the board does not announce itself.
    var discovery: RetainedTopic?

    init(_ settings: FleetAgent.Settings) {
        state = RetainedTopic(settings.topics.own(.state), pause: .milliseconds(200))
        health = RetainedTopic(settings.topics.own(.health), pause: .seconds(1))
        discovery = settings.discovery.map { RetainedTopic($0.topic, $0.payload, pause: .seconds(1)) }
    }

    /// Requests another publication of all values, because the broker may have lost them.
    mutating func repeatAll() {
        state.repeatLast()
        health.repeatLast()
        discovery?.repeatLast()
    }

    /// The time at which one of the topics must be published, or nil if there is nothing to publish.
    var deadline: Duration? { [state.deadline, health.deadline, discovery?.deadline].compactMap { $0 }.min() }

    /// Returns the messages to publish now.
    mutating func take(at now: Duration) -> [MQTTPublication] {
        [discovery?.take(at: now), state.take(at: now), health.take(at: now)].compactMap { $0 }
    }
}
