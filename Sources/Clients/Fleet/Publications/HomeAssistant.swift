import Spelling
import Vocabulary

/// Announces the board to Home Assistant by MQTT discovery, as one device with components.
/// <https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery>
///
/// The list of platforms on that page does not contain `media_player`, and Home Assistant ignores an announcement of one.
/// The components are therefore those that its universal media player combines into one, for which
/// `deploy/fleet/home-assistant.yaml` is an example.
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

    /// The volume at which the slider of Home Assistant begins, in decibels. This position mutes the music.
    private static let lowestVolume = -60

    private var components: [(String, String)] {
        binarySensors + sensors + [
            volume, button("play", "Play"), button("pause", "Pause"), button("stop", "Stop"), button("next", "Next"),
            button("previous", "Previous"), button("volume +10%", "Volume up", id: "volume_up"),
            button("volume -10%", "Volume down", id: "volume_down"), announce, button("hush", "Hush"),
        ]
    }

    private var binarySensors: [(String, String)] {
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
        ]
    }

    private var sensors: [(String, String)] {
        [
            component(
                "state", "sensor", "State",
                [("state_topic", state), ("value_template", stateTemplate), ("device_class", "enum")],
                values: [
                    ("options", JSON.array(["playing", "paused", "stopped", "interrupted", "waiting", "off"]))
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
        ]
    }

    /// One of the options of the sensor `state`. The music waits if neither the user nor a signal keeps it quiet, for
    /// example because the device is lost. It is off while tacetd is not running.
    private var stateTemplate: String {
        let (playing, intent) = (TraceKey.playing.rawValue, TraceKey.intent.rawValue)
        return "{{ 'off' if value_json.\(intent) is not defined else 'playing' if value_json.\(playing) "
            + "else value_json.\(intent) if value_json.\(intent) != 'playing' "
            + "else 'interrupted' if value_json.\(TraceKey.session.rawValue) == 'interrupted' else 'waiting' }}"
    }

    /// The volume in decibels. Its attribute `volume_level` is the same as a number from 0 to 1, as media players have
    /// it. A volume below the slider is at its beginning, and None means that the volume is unknown.
    private var volume: (String, String) {
        let lowest = HomeAssistant.lowestVolume
        let volume = "value_json.\(TraceKey.volume.rawValue)"
        let bounded = "[\(volume), \(lowest)] | max"
        return component(
            "volume", "number", "Volume",
            [
                ("state_topic", state), ("value_template", "{{ (\(bounded)) if \(volume) is defined else 'None' }}"),
                ("command_topic", command),
                (
                    "command_template",
                    "{{ 'volume mute' if value | float <= \(lowest) else 'volume ' ~ value ~ 'dB' }}"
                ),
                ("unit_of_measurement", "dB"), ("mode", "slider"), ("json_attributes_topic", state),
                (
                    "json_attributes_template",
                    "{\"volume_level\": {{ (1 - (\(bounded)) / \(lowest)) | round(3) if \(volume) is defined "
                        + "else 'null' }} }"
                ),
            ],
            values: [("min", "\(lowest)"), ("max", "0"), ("step", "0.5"), ("qos", "0")])
    }

    /// Announces the sound whose name is the message. The time is the id, so that each message is an announcement of
    /// its own. It is delivered at most once and not later, like the press of a button.
    private var announce: (String, String) {
        component(
            "announce", "notify", "Announce",
            [
                ("command_topic", topics.own(.announce)),
                ("command_template", "{\"id\": \"ha-{{ now().timestamp() }}\", \"sound\": {{ value | to_json }} }"),
            ], values: [("qos", "0")])
    }

    /// Returns a button whose message is delivered at most once, because a press that is delivered again or late must
    /// not skip a second track.
    private func button(_ words: String, _ name: String, id: String? = nil) -> (String, String) {
        component(
            id ?? words, "button", name, [("command_topic", command), ("payload_press", words)], values: [("qos", "0")])
    }

    private var state: String { topics.own(.state) }
    private var command: String { topics.own(.command) }

    /// - Parameters:
    ///   - settings: the keys whose values are texts.
    ///   - values: the other keys, whose values are JSON.
    private func component(
        _ id: String, _ platform: String, _ name: String, _ settings: [(String, String)],
        values: [(String, String)] = []
    ) -> (String, String) {
        let head = [("platform", platform), ("unique_id", "\(node)_\(id)"), ("name", name)]
        return (id, JSON.object((head + settings).map { ($0, JSON.string($1)) } + values))
    }
}
