import ALSA
import Foundation
import SoundLab
import Testing

/// The mixer of a real sound server.
@Suite(.serialized) struct CardMixerTests {
    private func isMute(_ server: PulseServer) throws -> Bool {
        let pipe = Pipe()
        try Subprocess(
            ["pactl", "get-source-mute", server.monitor], environment: server.environment,
            output: pipe.fileHandleForWriting.fileDescriptor
        ).wait()
        try pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).contains("yes")
    }

    @Test func turningSwitchesOffMutesTheSource() throws {
        let server = try PulseServer()
        let address = PCMAddress(
            "panel", definedBy: "ctl.panel { type pulse server \"unix:\(server.socket)\" source \(server.monitor) }")
        let mixer = try CardMixer.open(address)
        #expect(try !isMute(server))
        let count = try mixer.turnCapture(on: false)
        #expect(count == 1)
        #expect(try isMute(server))
        try mixer.turnCapture(on: true)
        #expect(try !isMute(server))
    }

    /// The server's mixer has one playback control, which is that of the sink.
    @Test func mutedSinkIsAMutedControl() throws {
        let server = try PulseServer()
        let address = PCMAddress(
            "panel", definedBy: "ctl.panel { type pulse server \"unix:\(server.socket)\" sink speakers }")
        func audibility() throws -> DeviceAudibility {
            DeviceAudibility(try CardMixer.open(address).playbackControls, ofCard: 0)
        }
        #expect(try audibility() == .audible)
        let muted = DeviceAudibility.muted(.mixer(card: 0, control: "Master"))
        for (setting, value, undone) in [("mute", "1", "0"), ("volume", "0%", "100%")] {
            try server.run(["pactl", "set-sink-\(setting)", "speakers", value])
            #expect(try audibility() == muted, "\(setting)")
            try server.run(["pactl", "set-sink-\(setting)", "speakers", undone])
            #expect(try audibility() == .audible, "\(setting)")
        }
    }

    @Test func reportsACardThatDoesNotExist() {
        #expect {
            _ = try CardMixer.open(PCMAddress("nowhere"))
        } throws: {
            ($0 as? PCMError)?.code == ENOENT
        }
    }
}
