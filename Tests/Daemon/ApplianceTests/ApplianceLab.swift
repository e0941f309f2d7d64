import Clocks
import Configuration
import Foundation
import GPIO
import SoundLab
import Systemd
import Testing

@testable import Appliance
@testable import GPIO

/// The appliance's real parts on ALSA's device `null`, in one event loop. Only the lines belong to a fake board.
final class ApplianceLab {
    let folder: String
    let board = FakeBoard(["CALL", "PLAY"])
    let outputs = FakeOutputs(["AMP", "LAMP", "OK"])
    let jacks = FakeJacks()
    let clips = FakeClips()

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/tacet-appliance-\(UUID().uuidString)"
        for name in ["music", "state"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try TestMusic.writeNumbers(to: "\(folder)/music/0.wav", frames: 48_000 * 60)
        try configure()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var host: HostSystem {
        var host = HostSystem()
        let (board, outputs) = (board, outputs)
        host.jacks = jacks
        host.loadClip = clips.load
        host.writer = { LineWriter(consumer: "test", system: outputs) }
        host.reader = { LineReader($0, consumer: "test", system: board) }
        return host
    }

    var source: ConfigurationSource { .file(folder + "/tacet.conf") }

    /// - Parameter text: text that is added to the lab's configuration. A later value of a key replaces an earlier one.
    func configure(_ text: String = "") throws {
        let rest = """
            [Playback]
            Device=null
            Library=music
            FadeIn=1ms
            FadeOut=1ms
            [State]
            Directory=state
            [Signal phone-call]
            Line=CALL
            Effect=pause
            [Button play]
            Line=PLAY
            Command=playPause

            """
        try (rest + text).write(toFile: folder + "/tacet.conf", atomically: true, encoding: .utf8)
    }

    func configuration(_ text: String = "") throws -> Configuration {
        try configure(text)
        return try Configuration.load(source, checksLibrary: false).configuration
    }

    struct Nothing: Error, CustomStringConvertible {
        let description: String
    }
}

extension EventLoop {
    /// Turns the loop until a condition holds. The limit only ends a test that would hang.
    func turn(until condition: @autoclosure () throws -> Bool, or what: @autoclosure () -> String) throws {
        let limit = SystemClock.monotonic.now + .seconds(30)
        while try !condition() {
            guard SystemClock.monotonic.now < limit else { throw ApplianceLab.Nothing(description: "no \(what())") }
            try turn(within: .seconds(1))
        }
    }
}
