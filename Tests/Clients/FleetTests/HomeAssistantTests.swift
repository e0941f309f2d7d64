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
            ]),
        "button": Platform(
            required: ["command_topic"], optional: ["payload_press", "command_template", "retain"],
            deviceClasses: ["identify", "restart", "update"]),
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
        #expect(identifiers.count == 10)
    }
}
