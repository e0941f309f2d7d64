import Foundation
import ServiceLab
import SoundLab
import Testing

/// A daemon whose sound server mutes what it plays.
@Suite struct MutedOutputTests {
    private func service(_ server: PulseServer, _ configuration: String = "") throws -> Service {
        try Service("[Playback]\nDevice=pulse:speakers\n" + configuration, environment: server.environment)
    }

    @Test func muteIsSaidInTheStatusAndInTheLogUntilItEnds() throws {
        let server = try PulseServer()
        let service = try service(server)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") }
        try server.run(["pactl", "set-sink-mute", "speakers", "1"])
        let words =
            "nothing can be heard because the sink of pulse:speakers is muted (see ‘pactl set-sink-mute speakers 0’)"
        try service.manager.wait { $0.contains("STATUS=Quiet: the output is muted outside Tacet — \(words)") }
        try server.run(["pactl", "set-sink-mute", "speakers", "0"])
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") && !$0.contains("heard") }
        try service.wait("entries") { service.output.contains("pulse:speakers is no longer muted") }
        #expect(service.output.contains(words.prefix(1).uppercased() + words.dropFirst()))
    }

    /// A mute that ends within a second is not worth an entry.
    @Test func shortMuteIsNoFault() throws {
        let server = try PulseServer()
        let service = try service(server)
        try service.manager.wait { $0.contains("STATUS=Playing ‘0.wav’") }
        for value in ["1", "0", "1", "0"] { try server.run(["pactl", "set-sink-mute", "speakers", value]) }
        try server.run(["pactl", "set-sink-volume", "speakers", "5%"])
        try service.manager.wait { $0.contains("hardly anything can be heard") }
        #expect(!service.output.contains("is muted"))
    }
}
