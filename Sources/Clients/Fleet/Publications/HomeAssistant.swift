import Spelling
import Vocabulary

/// Announces the board to Home Assistant by MQTT discovery, as one device with components.
/// <https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery>
struct HomeAssistant: Hashable {
    /// Home Assistant's own prefix, usually `homeassistant`.
    let prefix: String
    let topics: FleetTopics
    let version: String

    /// The topic on which Home Assistant publishes `online` when it has started. The board then announces itself again.
    var statusTopic: String { "\(prefix)/status" }

    /// The name of the board in the topic, where only letters, digits, `_` and `-` are allowed. If this could make the
    /// names of two boards equal, a hash distinguishes them.
    private var node: String {
        let name = topics.board.map { character in
            character.isASCII && (character.isLetter || character.isNumber) || "_-".contains(character)
                ? String(character) : "_"
        }.joined()
        let isUnique = name == topics.board && topics.prefix == FleetTopics.usualPrefix
        return "tacet_\(name)"
            + (isUnique ? "" : "_\(CarriedAudio.hash(of: Array("\(topics.prefix)/\(topics.board)".utf8)).prefix(8))")
    }

    var topic: String { "\(prefix)/device/\(node)/config" }

    var payload: String {
        JSON.object([
            (
                "device",
                JSON.object([
                    ("identifiers", JSON.array([node])), ("name", JSON.string("Tacet \(topics.board)")),
                    ("manufacturer", JSON.string("Tacet")), ("sw_version", JSON.string(version)),
                ])
            ),
            ("origin", JSON.object([("name", JSON.string("tacet-mqtt")), ("sw_version", JSON.string(version))])),
            ("availability_topic", JSON.string(topics.own(.availability))),
            ("qos", "1"),
            ("components", JSON.object(components)),
        ])
    }

    private var components: [(String, String)] {
        let state = topics.own(.state)
        let command = topics.own(.command)
        let isInterrupted = "{{ 'ON' if value_json.\(TraceKey.session.rawValue) == 'interrupted' else 'OFF' }}"
        let isPlaying = "{{ 'ON' if value_json.\(TraceKey.playing.rawValue) else 'OFF' }}"
        return [
            component(
                "interrupted", "binary_sensor", "Interrupted",
                [("state_topic", state), ("value_template", isInterrupted)]),
            component(
                "playing", "binary_sensor", "Playing",
                [("state_topic", state), ("value_template", isPlaying), ("device_class", "sound")]),
            component(
                "problem", "binary_sensor", "Problem",
                [
                    ("state_topic", topics.own(.health)), ("device_class", "problem"),
                    ("entity_category", "diagnostic"),
                    ("value_template", "{{ 'ON' if value_json | length > 0 else 'OFF' }}"),
                ]),
            component(
                "signals", "sensor", "Active signals",
                [
                    ("state_topic", state),
                    ("value_template", "{{ value_json.\(TraceKey.active.rawValue) | join(', ') or 'none' }}"),
                ]),
            component(
                "track", "sensor", "Track",
                [("state_topic", state), ("value_template", "{{ value_json.\(TraceKey.track.rawValue) or 'none' }}")]),
            // This is the name of an input, or library.
            component(
                "source", "sensor", "Source",
                [("state_topic", state), ("value_template", "{{ value_json.\(TraceKey.source.rawValue) }}")]),
            button("play", "Play", command),
            button("pause", "Pause", command),
            button("next", "Next", command),
            button("hush", "Hush", command),
        ]
    }

    /// Returns a button whose message is delivered at most once, because a press that is delivered again or late must
    /// not skip a second track.
    private func button(_ command: String, _ name: String, _ topic: String) -> (String, String) {
        component(
            command, "button", name, [("command_topic", topic), ("payload_press", command)], numbers: [("qos", "0")])
    }

    private func component(
        _ id: String, _ platform: String, _ name: String, _ settings: [(String, String)],
        numbers: [(String, String)] = []
    ) -> (String, String) {
        let head = [("platform", platform), ("unique_id", "\(node)_\(id)"), ("name", name)]
        return (id, JSON.object((head + settings).map { ($0, JSON.string($1)) } + numbers))
    }
}
