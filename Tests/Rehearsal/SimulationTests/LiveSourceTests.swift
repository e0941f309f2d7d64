import AudioSession
import Simulation
import Testing

/// Details of inputs and players in which the session once differed from `SessionModel`.
@Suite struct LiveSourceTests {
    private func run(_ scenario: String, _ configuration: String) throws -> [TraceRow] {
        let lab = try Lab("[Playback]\nLibrary=music\n\(configuration)")
        try lab.addTrack("one.wav", frames: 60 * 48_000)
        return try lab.run(scenario)
    }

    private static let radio = "[Input radio]\nFrom=pipe:/run/radio\nAutomatic=yes\nPlayer=mpd\n[Player mpd]\nBus=mpd\n"

    @Test func settleTimeDoesNotShortenTheAttack() throws {
        let rows = try run(
            "1s input radio 1\n3s input radio 0\n5s input radio 1\n9s end",
            Self.radio + "[Input radio]\nAttack=1s\nIdle=1s\nSettleTime=0s")
        #expect(rows.filter { $0.event == "sounds radio" }.map(\.time) == [.seconds(2), .seconds(6)])
    }
}
