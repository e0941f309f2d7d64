import BrokerLab
import Foundation
import SoundLab
import Testing

/// The shipped examples for a broker, tested with a real mosquitto.
@Suite(.serialized) struct ExampleBrokerTests {
    /// Returns the text of a shipped file.
    private static func example(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        return try String(contentsOfFile: "\(root)/deploy/fleet/\(name)", encoding: .utf8)
    }

    /// Waits for a condition, for at most a minute.
    private func wait(until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if condition() { return true }
            poll(nil, 0, 5)
        }
        return false
    }

    @Test func retainedEvacuationSurvivesABrokerThatIsKilled() throws {
        // Only the settings for retained messages are used. Another test covers the certificates.
        let lines = try Self.example("mosquitto.conf").split(separator: "\n").filter {
            $0.hasPrefix("persistence ") || $0.hasPrefix("autosave")
        }
        let broker = try Broker("allow_anonymous true\n" + lines.joined(separator: "\n"), saves: nil)
        try broker.publish("tacet/all/signal/evacuation", "on", retained: true)
        let isSaved = wait {
            FileManager.default.contents(atPath: broker.path("mosquitto.db"))?
                .range(of: Data("tacet/all/signal/evacuation".utf8)) != nil
        }
        #expect(isSaved, "mosquitto does not save: \(broker.log)")
        broker.stop(with: SIGKILL)
        try broker.start()
        let desk = try broker.subscribe(["tacet/#"])
        try broker.publish("tacet/end", "-")
        _ = desk.wait { $0.contains("tacet/end") }
        #expect(desk.lines.first == "1 tacet/all/signal/evacuation on")
    }

    @Test func boardsCannotOverwriteEachOtherAndHomeAssistantCanReadAndCommand() throws {
        let users = ["bus-7", "bus-8", "desk", "homeassistant"]
        let broker = try Broker(
            "allow_anonymous false\npassword_file FOLDER/passwords\nacl_file FOLDER/acl",
            files: ["acl": try Self.example("mosquitto.acl"), "passwords": try Self.passwords(of: users)])
        func publish(_ user: String, _ topic: String, _ payload: String) throws {
            try broker.publish(topic, payload, retained: true, options: ["-u", user, "-P", user])
        }
        let forbidden = [
            ("bus-7", "homeassistant/device/tacet_bus-8/config"), ("bus-7", "tacet/bus-8/availability"),
            ("bus-7", "tacet/bus-8/command"), ("bus-7", "tacet/all/signal/evacuation"),
            ("homeassistant", "tacet/all/signal/evacuation"), ("homeassistant", "tacet/bus-7/answer"),
            ("homeassistant", "homeassistant/device/tacet_bus-7/config"), ("homeassistant", "tacet/bus-7/state"),
        ]
        for (user, topic) in forbidden { try publish(user, topic, "forbidden") }
        for topic in ["homeassistant/device/tacet_bus-7/config", "tacet/bus-7/state", "tacet/bus-7/health"] {
            try publish("bus-7", topic, "allowed")
        }
        for topic in ["tacet/bus-7/command", "tacet/bus-7/announce"] {
            try publish("homeassistant", topic, "allowed")
        }
        try publish("desk", "tacet/all/signal/evacuation", "allowed")

        let login = { (user: String) in ["-u", user, "-P", user] }
        let home = try broker.subscribe(["homeassistant/#", "tacet/#"], options: login("homeassistant"))
        let seen = Set(["homeassistant/device/tacet_bus-7/config", "tacet/bus-7/state", "tacet/bus-7/health"])
        #expect(wait { seen.allSatisfy { topic in home.lines.contains("1 \(topic) allowed") } }, "\(home.lines)")
        let board = try broker.subscribe(["tacet/#"], options: login("bus-7"))
        let heard = Set(["tacet/bus-7/command", "tacet/bus-7/announce", "tacet/all/signal/evacuation"])
        #expect(wait { heard.allSatisfy { topic in board.lines.contains("1 \(topic) allowed") } }, "\(board.lines)")
        #expect(!(home.lines + board.lines).contains { $0.contains("forbidden") }, "\(home.lines) \(board.lines)")
    }

    /// Otherwise, any client with a certificate for the broker could end the board's connections and take the messages
    /// that are kept for it.
    @Test func nobodyCanTakeTheSessionOfABoard() throws {
        let certificates = try Certificates()
        // Uses all settings except those with paths outside this test's folder.
        let lines = try Self.example("mosquitto.conf").split(separator: "\n").filter { line in
            !["listener", "persistence", "autosave", "#"].contains { line.hasPrefix($0) }
        }
        let settings = lines.joined(separator: "\n").replacingOccurrences(
            of: "/etc/mosquitto/acl", with: "FOLDER/acl"
        ).replacingOccurrences(of: "/etc/mosquitto", with: certificates.folder.path)
        let broker = try Broker(settings, files: ["acl": try Self.example("mosquitto.acl")])
        // The user's name comes from the certificate.
        func login(_ user: String, _ client: String) -> [String] {
            [
                "-V", "5", "-i", client, "--cafile", certificates.path("ca.pem"), "--cert",
                certificates.path("\(user).pem"), "--key", certificates.path("\(user).key"),
            ]
        }
        let board = try broker.subscribe(["tacet/all/#"], options: login("board", "tacet-board"))
        let strangers = try ["tacet-board", "board"].map {
            try broker.subscribe(["tacet/all/#"], options: login("elsewhere", $0))
        }
        withExtendedLifetime((board, strangers)) {}
        // The stranger takes only its own session.
        let taken = broker.log.split(separator: "\n").filter { $0.contains("closing old connection") }
        #expect(!taken.isEmpty && taken.allSatisfy { $0.contains("Client elsewhere ") }, "\(broker.log)")
    }

    /// Returns the lines of mosquitto's password file, in which the password of each user is the user's name.
    private static func passwords(of users: [String]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("passwords-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try users.map { "\($0):\($0)\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        _ = try Subprocess(["mosquitto_passwd", "-U", file.path]).wait()
        return try String(contentsOf: file, encoding: .utf8)
    }
}
