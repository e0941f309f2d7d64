import AudioSession
import MQTT
import Spelling
import Time

/// The reports about the stop request and the doors, as Ruter's vehicle API requires them. Each change is reported, and
/// the newest state is reported after each connection. It has no side effects.
/// <https://github.com/RuterNo/adt-doc/tree/master/asyncapi/json-schemas/sensors>
struct RuterSensors: Hashable {
    /// The state of a topic.
    private struct Feed: Hashable {
        var current: [String: Bool]?
        /// The time since 1970 at which the current value began.
        var since = Duration.zero
        var published: [String: Bool]?
        /// The number of the last message.
        var number = 0

        mutating func set(_ value: [String: Bool], at time: Duration) {
            guard value != current else { return }
            (current, since) = (value, time)
        }
    }

    private let settings: RuterSettings
    private let board: String
    private var stopRequest = Feed()
    private var door = Feed()

    init(_ settings: RuterSettings, board: String) {
        self.settings = settings
        self.board = board
    }

    mutating func follow(_ active: [SignalID], at time: Duration) {
        if let stop = settings.stopRequest {
            let isAccessible = stop.accessibleSignal.map(active.contains) ?? false
            stopRequest.set(
                ["stopPressed": isAccessible || active.contains(stop.signal), "accessibility": isAccessible], at: time)
        }
        if let door = settings.door { self.door.set(["doorOpen": active.contains(door.signal)], at: time) }
    }

    /// Requests another publication of the door's topic, which is retained, because the broker may have lost it.
    mutating func repeatRetained() { door.published = nil }

    /// Returns the messages to publish now.
    mutating func take() -> [MQTTPublication] {
        var messages: [MQTTPublication] = []
        if let topic = settings.stopRequest?.topic, let text = text(topic, &stopRequest) {
            messages.append(MQTTPublication(topic, text))
        }
        if let topic = settings.door?.topic, let text = text(topic, &door) {
            messages.append(MQTTPublication(topic, text, isRetained: true))
        }
        return messages
    }

    private func text(_ topic: String, _ feed: inout Feed) -> String? {
        guard let current = feed.current, current != feed.published else { return nil }
        feed.published = current
        feed.number += 1
        let time = Timestamp.format(feed.since, decimals: 3)
        return JSON.object(
            [
                ("eventTimestamp", JSON.string(time)),
                ("traceId", JSON.string(RuterSensors.identifier("\(board) \(topic) \(time) \(feed.number)"))),
                ("messageNumber", "\(feed.number)"),
            ] + current.sorted { $0.key < $1.key }.map { ($0.key, $0.value ? "true" : "false") })
    }

    /// Returns a UUID of version 8 that is derived from a text's hash, because an agent without random numbers can be
    /// tested.
    private static func identifier(_ text: String) -> String {
        var digits = Array(CarriedAudio.hash(of: Array(text.utf8)).prefix(32))
        digits[12] = "8"
        digits[16] = "8"
        for index in [20, 16, 12, 8] { digits.insert("-", at: index) }
        return String(digits)
    }
}
