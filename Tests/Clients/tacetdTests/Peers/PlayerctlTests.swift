import BusLab
import Foundation
import ServiceLab
import Testing

/// The daemon on a message bus, with `playerctl`.
@Suite struct PlayerctlTests {
    @Test func playerctlControlsPlayback() throws {
        let bus = try MessageBus()
        let service = try Service("", tracks: 3, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") {
            (try? bus.property("org.mpris.MediaPlayer2.Player", "PlaybackStatus"))?.contains("Playing") == true
        }
        let playerctl: ([String]) throws -> String = { arguments in
            try bus.run(["playerctl", "--player=tacet"] + arguments).text.trimmingCharacters(in: .newlines)
        }
        #expect(try playerctl(["status"]) == "Playing")
        #expect(try playerctl(["metadata", "xesam:title"]) == "0.wav")
        #expect(try playerctl(["metadata", "mpris:length"]) == "60000000")
        _ = try playerctl(["pause"])
        #expect(try playerctl(["status"]) == "Paused")
        _ = try playerctl(["position", "30"])
        #expect(try playerctl(["position"]) == "30.000000")
        _ = try playerctl(["next"])
        try service.wait("next track") { (try? playerctl(["metadata", "xesam:title"])) == "1.wav" }
        _ = try playerctl(["previous"])
        try service.wait("previous track") { (try? playerctl(["metadata", "xesam:title"])) == "0.wav" }
        _ = try playerctl(["volume", "0.5"])
        #expect(try playerctl(["volume"]).hasPrefix("0.50"))
        _ = try playerctl(["play"])
        #expect(try playerctl(["status"]) == "Playing")
        _ = try playerctl(["stop"])
        #expect(try playerctl(["status"]) == "Stopped")
    }
}
