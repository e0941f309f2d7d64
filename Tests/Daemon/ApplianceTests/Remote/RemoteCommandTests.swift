import Testing

@testable import Appliance

@Suite struct RemoteCommandTests {
    @Test(arguments: [
        ("play", "play"), ("playPause", "playPause"), ("seek 90s", "seek 90.0s"), ("seek 1min30s", "seek 90.0s"),
        ("seek 1min 30s", "seek 90.0s"), ("seek -5s", "seek -5.0s"), ("volume mute", "volume mute"),
        ("volume -6 dB", "volume -6dB"), ("announce gong", "announce gong"), ("hush", "hush"),
    ]) func parsesCommands(words: String, command: String) {
        #expect(RemoteCommand(words)?.command.description == command)
    }

    @Test(arguments: [
        "", "sing", "play loud", "seek", "seek far", "volume", "volume 6", "volume -6dB now", "announce",
        "announce two gongs", "announce gong\n", "announce \(String(repeating: "x", count: 101))", "hush now",
    ])
    func rejectsOtherText(words: String) {
        #expect(RemoteCommand(words) == nil)
    }
}
