import AudioSession
import Configuration
import Foundation
import Testing

@testable import Fleet

/// The discovery payload, checked against the documentation of Home Assistant:
/// <https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery> and the page of each platform, such as
/// <https://www.home-assistant.io/integrations/button.mqtt/>.
struct HomeAssistantTests {
    /// The keys of a platform that Tacet uses or could use.
    private struct Platform {
        let required: Set<String>
        let optional: Set<String>
        var deviceClasses: Set<String> = []
    }

    private static let common: Set<String> = [
        "platform", "unique_id", "name", "entity_category", "icon", "qos", "availability", "availability_topic",
        "device_class", "enabled_by_default", "default_entity_id", "json_attributes_topic",
    ]
    private static let platforms = [
        "binary_sensor": Platform(
            required: ["state_topic"],
            optional: ["value_template", "payload_on", "payload_off", "expire_after", "off_delay", "force_update"],
            deviceClasses: ["sound", "problem", "running", "connectivity", "safety"]),
        "sensor": Platform(
            required: ["state_topic"],
            optional: [
                "value_template", "unit_of_measurement", "state_class", "expire_after", "force_update", "options",
            ], deviceClasses: ["enum"]),
        "button": Platform(
            required: ["command_topic"], optional: ["payload_press", "command_template", "retain"],
            deviceClasses: ["identify", "restart", "update"]),
        "number": Platform(
            required: ["command_topic"],
            optional: [
                "state_topic", "value_template", "command_template", "json_attributes_template", "min", "max", "step",
                "mode", "unit_of_measurement", "payload_reset", "optimistic", "retain",
            ]),
        "notify": Platform(required: ["command_topic"], optional: ["command_template", "retain"]),
    ]

    @Test func boardsWhoseNamesDifferInOtherCharactersAreDifferentDevices() {
        let topics = [("tacet", "a_b"), ("tacet", "a.b"), ("tacet", "a b"), ("shop", "a_b"), ("tacet", "a-b")].map {
            HomeAssistant(prefix: "ha", topics: FleetTopics(prefix: $0, board: $1), version: "1").topic
        }
        #expect(topics[0] == "ha/device/tacet_a_b/config")
        #expect(Set(topics).count == topics.count, "\(topics)")
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
        #expect(topics.allSatisfy { $0.split(separator: "/")[2].allSatisfy(allowed.contains) }, "\(topics)")
    }

    private func announcement(board: String) throws -> (topic: String, payload: [String: JSONValue]) {
        let announcement = HomeAssistant(
            prefix: "homeassistant", topics: FleetTopics(prefix: "tacet", board: board), version: "1.2.3")
        guard case .object(let payload) = try JSONValue(Array(announcement.payload.utf8)) else {
            throw BadPayload(description: "no object")
        }
        return (announcement.topic, payload)
    }

    private func object(_ value: JSONValue?) throws -> [String: JSONValue] {
        guard case .object(let members)? = value else { throw BadPayload(description: "no object: \(value as Any)") }
        return members
    }

    private func text(_ value: JSONValue?) -> String? { if case .string(let text)? = value { text } else { nil } }

    @Test(arguments: ["bus-7", "kiosk.example.org", "Büro 3"])
    func deviceHasWhatIsRequiredAndNothingUnknown(_ board: String) throws {
        let (topic, payload) = try announcement(board: board)
        let levels = topic.split(separator: "/")
        #expect(levels.count == 4 && levels[1] == "device" && levels[3] == "config")
        #expect(levels[2].wholeMatch(of: /[a-zA-Z0-9_-]+/) != nil)
        #expect(
            Set(payload.keys).subtracting([
                "device", "origin", "components", "availability_topic", "availability", "state_topic", "command_topic",
                "qos", "encoding", "payload_available", "payload_not_available",
            ]).isEmpty)
        let device = try object(payload["device"])
        #expect(device["identifiers"] == .array([.string(String(levels[2]))]))
        #expect(
            Set(device.keys).subtracting([
                "identifiers", "connections", "name", "manufacturer", "model", "model_id", "hw_version", "sw_version",
                "serial_number", "suggested_area", "via_device", "configuration_url",
            ]).isEmpty)
        let origin = try object(payload["origin"])
        #expect(text(origin["name"]) == "tacet-mqtt")
        #expect(Set(origin.keys).subtracting(["name", "sw_version", "support_url"]).isEmpty)
        #expect(payload["qos"] == .integer(1))
    }

    @Test func everyComponentHasWhatItsPlatformRequiresAndNothingUnknown() throws {
        let components = try object(announcement(board: "b").payload["components"])
        var identifiers: Set<String> = []
        for (name, value) in components {
            let component = try object(value)
            let platform = try #require(HomeAssistantTests.platforms[text(component["platform"]) ?? ""], "\(name)")
            // Without a unique_id, a component does not belong to its device.
            #expect(identifiers.insert(try #require(text(component["unique_id"]))).inserted)
            let keys = Set(component.keys)
            #expect(platform.required.isSubset(of: keys), "\(name)")
            let unknown = keys.subtracting(HomeAssistantTests.common).subtracting(platform.required)
                .subtracting(platform.optional)
            #expect(unknown.isEmpty, "\(name): \(unknown)")
            if let kind = component["device_class"] {
                #expect(platform.deviceClasses.contains(text(kind) ?? ""), "\(name)")
            }
            if let category = component["entity_category"] {
                #expect(["config", "diagnostic"].contains(text(category) ?? ""), "\(name)")
            }
            if let quality = component["qos"] {
                #expect([.integer(0), .integer(1), .integer(2)].contains(quality), "\(name)")
            }
        }
        #expect(identifiers.count == 17)
    }

    private func component(_ name: String, board: String = "b") throws -> [String: JSONValue] {
        try object(object(announcement(board: board).payload["components"])[name])
    }

    /// A sensor with options must have the device class `enum`, and no unit.
    @Test func stateIsOneOfItsOptions() throws {
        let state = try component("state")
        #expect(text(state["device_class"]) == "enum" && state["unit_of_measurement"] == nil)
        guard case .array(let options)? = state["options"] else { throw BadPayload(description: "no options") }
        let template = try #require(text(state["value_template"]))
        let named = template.matches(of: /(\{\{|else) '([a-z]+)' (if|\}\})/).map { String($0.output.2) }
        #expect(named == ["off", "playing", "interrupted", "waiting"], "\(template)")
        // The others are the user's intents.
        #expect(Set(options.compactMap(text)) == Set(named).union(Intent.allCases.map(\.rawValue)))
    }

    @Test func everyButtonSendsACommand() throws {
        let components = try object(announcement(board: "b").payload["components"])
        var words: Set<String> = []
        for value in components.values {
            let component = try object(value)
            guard text(component["platform"]) == "button" else { continue }
            let payload = try #require(text(component["payload_press"]))
            #expect(text(component["command_topic"]) == "tacet/b/command")
            #expect(try CommandPayload(Array(payload.utf8)).words == payload)
            _ = try WrittenCommand.parse(payload)
            words.insert(payload)
            // A press that is delivered again or late would be another press.
            #expect(component["qos"] == .integer(0))
        }
        #expect(try WrittenCommand.parse("volume -10%").isVolumeStep)
        #expect(
            words == [
                "play", "pause", "stop", "next", "previous", "hush", "volume +10%", "volume -10%",
            ])
    }

    @Test func volumeHasTheRangeOfASliderAndSendsALevel() throws {
        let volume = try component("volume")
        #expect(volume["min"] == .integer(-60) && volume["max"] == .integer(0) && volume["step"] == .number(0.5))
        #expect(text(volume["command_topic"]) == "tacet/b/command" && text(volume["state_topic"]) == "tacet/b/state")
        #expect(
            text(volume["command_template"])
                == "{{ 'volume mute' if value | float <= -60 else 'volume ' ~ value ~ 'dB' }}")
        for (words, decibels) in [
            ("volume mute", -120), ("volume -59.5dB", -59.5), ("volume -6dB", -6), ("volume 0dB", 0),
        ] {
            guard case .command(.volume(let level)) = try WrittenCommand.parse(words) else {
                throw BadPayload(description: "\(words)")
            }
            #expect(level.decibels == decibels)
        }
        // A trace has this key.
        #expect(text(volume["value_template"])?.contains("value_json.volume_db") == true)
    }

    @Test func messageIsAnAnnouncementWithItsOwnID() throws {
        let announce = try component("announce")
        #expect(text(announce["command_topic"]) == "tacet/b/announce" && announce["qos"] == .integer(0))
        let template = try #require(text(announce["command_template"]))
        let payload = template.replacing("{{ now().timestamp() }}", with: "1764284444.123456")
            .replacing("{{ value | to_json }}", with: "\"gong\"")
        let request = try AnnouncePayload(Array(payload.utf8))
        #expect(request.id == "ha-1764284444.123456" && request.sound == "gong" && request.priority == nil)
    }

    /// Home Assistant makes the id of an entity from the names of the device and the component.
    @Test func exampleOfAMediaPlayerUsesOnlyWhatIsDiscovered() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let example = try String(contentsOfFile: "\(root)/deploy/fleet/home-assistant.yaml", encoding: .utf8)
        func slug(_ name: String) -> String {
            String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        }
        let payload = try announcement(board: "bus-7").payload
        let device = try #require(text(object(payload["device"])["name"]))
        var discovered: Set<String> = ["media_player.tacet_bus_7"]
        for value in try object(payload["components"]).values {
            let component = try object(value)
            let name = slug("\(device) \(text(component["name"]) ?? "")")
            discovered.insert("\(text(component["platform"]) ?? "").\(name)")
        }
        let used = Set(
            example.matches(of: /(sensor|number|button|notify|media_player)\.tacet_bus_7[a-z_]*/).map {
                String($0.output.0)
            })
        #expect(used.count == 12 && used.isSubset(of: discovered), "\(used.subtracting(discovered))")
    }
}
