import ALSA
import Foundation
import SoundLab
import Testing

/// The mixer of a real sound server.
@Suite(.serialized) struct CaptureSwitchesTests {
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
        let switches = try CaptureSwitches.open(address)
        #expect(try !isMute(server))
        let count = try switches.turn(on: false)
        #expect(count == 1)
        #expect(try isMute(server))
        try switches.turn(on: true)
        #expect(try !isMute(server))
    }

    @Test func reportsACardThatDoesNotExist() {
        #expect {
            _ = try CaptureSwitches.open(PCMAddress("nowhere"))
        } throws: {
            ($0 as? PCMError)?.code == ENOENT
        }
    }
}
