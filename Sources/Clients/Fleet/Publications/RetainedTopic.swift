import MQTT

/// A retained topic of which only the newest value matters, and that is published at most once in a while. Pure.
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

    /// What was published is lost: the newest value is due again.
    mutating func repeatLast() { published = nil }

    private var isDue: Bool { current != nil && current != published }

    /// When a value is due; nil if none is.
    var deadline: Duration? { isDue ? next : nil }

    mutating func take(at now: Duration) -> MQTTPublication? {
        guard isDue, now >= next, let current else { return nil }
        published = current
        next = now + pause
        return MQTTPublication(topic, current, isRetained: true)
    }
}

/// The retained topics of a board. Pure.
struct RetainedTopics: Hashable, Sendable {
    var state: RetainedTopic
    var health: RetainedTopic
    /// What Home Assistant finds the board by; nil if the board does not announce itself.
    var discovery: RetainedTopic?

    init(_ settings: FleetAgent.Settings) {
        state = RetainedTopic(settings.topics.own(.state), pause: .milliseconds(200))
        health = RetainedTopic(settings.topics.own(.health), pause: .seconds(1))
        discovery = settings.discovery.map { RetainedTopic($0.topic, $0.payload, pause: .seconds(1)) }
    }

    /// The broker may have lost what it kept.
    mutating func repeatAll() {
        state.repeatLast()
        health.repeatLast()
        discovery?.repeatLast()
    }

    /// When one of them is due; nil if none is.
    var deadline: Duration? { [state.deadline, health.deadline, discovery?.deadline].compactMap { $0 }.min() }

    /// What is to be published now.
    mutating func take(at now: Duration) -> [MQTTPublication] {
        [discovery?.take(at: now), state.take(at: now), health.take(at: now)].compactMap { $0 }
    }
}
