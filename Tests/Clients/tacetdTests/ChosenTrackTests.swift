import BusLab
import Foundation
import ServiceLab
import Testing

/// Tracks that are chosen over a real message bus.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ChosenTrackTests {
    private func start(_ bus: MessageBus, in folder: URL, _ configuration: String = "") throws -> Service {
        let service = try Service(configuration, in: folder, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        return service
    }

    private func tacet(_ bus: MessageBus, _ arguments: String...) throws -> (code: Int32, text: String) {
        try bus.run([try BuiltProgram.path("tacet")] + arguments)
    }

    private func plays(_ track: String, _ bus: MessageBus) -> Bool {
        (try? tacet(bus, "status"))?.text.hasPrefix("Playing ‘\(track)’") ?? false
    }

    @Test func choiceIsAnsweredAndSurvivesAKill() throws {
        let bus = try MessageBus()
        let folder = try Service.makeFolder(tracks: 3)
        let service = try start(bus, in: folder)
        #expect(try tacet(bus, "tracks") == (0, "0.wav\n1.wav\n2.wav\n"))
        #expect(try tacet(bus, "tracks", "2.W") == (0, "2.wav\n"))
        let absent = try tacet(bus, "tracks", "absent")
        #expect(absent.code == 1 && absent.text.contains("no track of the library has such a name"))
        #expect(try tacet(bus, "play", "2.wav", "--then", "repeat") == (0, "Done.\n"))
        try service.wait("choice") { plays("2.wav", bus) }
        for name in ["absent.wav", "../tacet.conf", "/etc/passwd"] {
            let (code, text) = try tacet(bus, "play", name)
            #expect(code == 1 && text.contains("Nothing in the library has the name ‘\(name)’"), "\(text)")
        }
        #expect(try tacet(bus, "play", "2.wav", "--then", "never").code == 64)
        #expect(plays("2.wav", bus))
        service.kill()
        let next = try start(bus, in: folder)
        try next.wait("choice after the kill") { plays("2.wav", bus) }
    }

    @Test func attractLoopReturnsWithoutACommand() throws {
        let bus = try MessageBus()
        let folder = try Service.makeFolder(tracks: 3)
        let service = try start(bus, in: folder, "[Playback]\nIdleAfter=2s\nIdlePlaylist=2.wav\n")
        try service.wait("attract loop") { plays("2.wav", bus) }
        try service.wait("entry") {
            service.output.contains("There has been no command for a while, so IdlePlaylist= is played.")
        }
        #expect(try tacet(bus, "play", "1.wav") == (0, "Done.\n"))
        #expect(plays("1.wav", bus))
        try service.wait("attract loop after a choice") { plays("2.wav", bus) }
    }

    @Test func missingAttractLoopIsReportedOnce() throws {
        let bus = try MessageBus()
        let folder = try Service.makeFolder(tracks: 3)
        let service = try start(bus, in: folder, "[Playback]\nIdleAfter=1s\nIdlePlaylist=absent.m3u\n")
        let problem = "IdlePlaylist=absent.m3u cannot be played: there is no such file in the library."
        try service.wait("report") { service.output.contains(problem) }
        #expect(plays("0.wav", bus))
        // The next command allows another attempt.
        _ = try tacet(bus, "volume", "-6dB")
        try service.wait("second report") { service.output.components(separatedBy: problem).count == 3 }
    }
}
