import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// What a sound server says and does about the level of what is played.
@Suite(.serialized) struct AudibilityTests {
    /// Sets the mute or the volume of the only stream or sink of a server.
    private func set(_ subject: String, _ value: String, in lab: EngineLab) throws {
        let index = subject.hasPrefix("sink-input") ? try #require(lab.server.streams().first) : "speakers"
        try lab.server.run(["pactl", "set-\(subject)", index, value])
    }

    @Test func everyMuteAndLowVolumeIsReported() throws {
        let lab = try EngineLab()
        try lab.play()
        let cases: [(String, String, String, DeviceAudibility)] = [
            ("sink-input-mute", "1", "0", .muted(.stream)), ("sink-mute", "1", "0", .muted(.sink)),
            ("sink-volume", "0%", "100%", .muted(.sink)), ("sink-volume", "-45dB", "0dB", .quiet(.sink)),
            ("sink-input-volume", "20%", "100%", .quiet(.stream)),
        ]
        for (subject, value, undone, audibility) in cases {
            try set(subject, value, in: lab)
            try lab.wait(for: .audibilityChanged(audibility))
            try set(subject, undone, in: lab)
            try lab.wait(for: .audibilityChanged(.audible))
        }
        try lab.server.run(["pactl", "suspend-sink", "speakers", "1"])
        try lab.wait(for: .audibilityChanged(.muted(.suspension)))
        try lab.server.run(["pactl", "suspend-sink", "speakers", "0"])
        try lab.wait(for: .audibilityChanged(.audible))
    }

    /// The server remembers the mute of a stream and its volume, and also gives them to other streams of the same role.
    @Test func streamBeginsUnmutedWhateverTheServerRemembers() throws {
        let server = try PulseServer()
        try server.run(["pactl", "load-module", "module-stream-restore"])
        do {
            let lab = try EngineLab(server: server)
            try lab.play()
            try set("sink-input-volume", "10%", in: lab)
            try set("sink-input-mute", "1", in: lab)
            try lab.wait(for: .audibilityChanged(.muted(.stream)))
        }
        let other = try Subprocess(
            ["pacat", "--playback", "--raw", "--property=media.role=music", "/dev/zero"],
            environment: server.environment)
        defer { other.end() }
        let lab = try EngineLab(server: server)
        try lab.play()
        let recording = try lab.record()
        try recording.waitForSound()
        // The frames are numbered, so they are at full level.
        #expect(!NumberedRun.all(in: recording.finish()).isEmpty)
        #expect(!lab.events.contains { if case .audibilityChanged = $0 { true } else { false } })
    }

    private func soundLab() throws -> EngineLab {
        let file = try TemporaryFolder()
        try TestMusic.writeNumbers(to: file.path("sound.wav"), frames: 48_000, rate: 48_000)
        let sound = Sound(file: Track(path: file.path("sound.wav")), gain: 1)
        return try withExtendedLifetime(file) {
            let lab = try EngineLab(sounds: [sound])
            try lab.wait("sound") { if case .soundReadable = $0 { () } else { nil } }
            return lab
        }
    }

    /// An announcement does not undo what a user has set, but an alarm does, even if it is muted again and again.
    @Test func alarmUndoesTheMuteOfItsStream() throws {
        let lab = try soundLab()
        try lab.play()
        try set("sink-input-mute", "1", in: lab)
        try lab.wait(for: .audibilityChanged(.muted(.stream)))
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try lab.wait(for: .soundEnded(order: 1))
        #expect(!lab.events.contains(.audibilityChanged(.audible)))
        lab.engine.playSound(0, order: 2, isCue: true, repeats: true, after: .zero)
        try lab.wait(for: .audibilityChanged(.audible))
        try set("sink-input-mute", "1", in: lab)
        try lab.wait(for: .audibilityChanged(.audible))
        try set("sink-input-volume", "5%", in: lab)
        try lab.wait(for: .audibilityChanged(.audible))
        lab.engine.stopSound()
        try set("sink-input-mute", "1", in: lab)
        try lab.wait(for: .audibilityChanged(.muted(.stream)))
    }

    /// The server mutes the music while another program plays in the role of a telephone. It leaves a sound alone.
    @Test func policyOfTheServerMutesMusicButNoSound() throws {
        let lab = try soundLab()
        try lab.server.run(["pactl", "load-module", "module-role-cork"])
        try lab.play()
        func call() throws -> Subprocess {
            try Subprocess(
                ["pacat", "--playback", "--raw", "--property=media.role=phone", "/dev/zero"],
                environment: lab.server.environment)
        }
        let first = try call()
        try lab.wait(for: .audibilityChanged(.muted(.policy)))
        first.end()
        try lab.wait(for: .audibilityChanged(.audible))
        lab.engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard(1, _) = $0 { () } else { nil } }
        let (before, events) = (try lab.server.streams().count, lab.events.count)
        let second = try call()
        try lab.pass("call") { _ in (try? lab.server.streams().count) == before + 1 }
        let recording = try lab.record()
        try recording.waitForMore(24_000)
        #expect(!lab.events[events...].contains { if case .audibilityChanged = $0 { true } else { false } })
        second.end()
        #expect(!lab.events.contains { if case .deviceLost = $0 { true } else { false } })
    }

    /// Otherwise, the server would move the music to another loudspeaker.
    @Test func namedSinkThatVanishesIsALossAndNothingPlaysOnAnotherSink() throws {
        let lab = try EngineLab()
        try lab.server.run(["pactl", "load-module", "module-rescue-streams"])
        try lab.server.run(["pactl", "load-module", "module-null-sink", "sink_name=kitchen"])
        try lab.play()
        try lab.server.run(["pactl", "unload-module", "module-null-sink"])
        try lab.server.run(["pactl", "load-module", "module-null-sink", "sink_name=kitchen"])
        _ = try lab.wait("loss") { if case .deviceLost = $0 { () } else { nil } }
        #expect(try lab.server.streams().isEmpty)
        try lab.server.run(["pactl", "load-module", "module-null-sink", "sink_name=speakers"])
        _ = try lab.wait("reset") { if case .deviceReset = $0 { () } else { nil } }
    }
}
