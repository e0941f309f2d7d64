import AudioSession
import Foundation
import Simulation
import Testing

/// `IdleAfter=` and `IdlePlaylist=`, which play an attract loop when nobody has given a command for a while.
@Suite struct IdleTests {
    /// A library with the track `one.wav` of 60 s and the tracks `attract/1.wav` and `attract/2.wav` of 4 s. The
    /// folder is played after 10 s without a command.
    private func lab(_ configuration: String = "") throws -> Lab {
        let lab = try Lab(
            """
            [Playback]
            Library=music
            IdleAfter=10s
            IdlePlaylist=attract
            \(configuration)
            [Signal call]
            Line=CALL
            Effect=pause
            [Button music]
            Line=MUSIC
            Command=playPause
            [Input phone]
            From=pipe:/p
            """)
        try FileManager.default.createDirectory(atPath: lab.path("music/attract"), withIntermediateDirectories: true)
        try lab.addTrack("one.wav", frames: 60 * 48_000)
        for track in 1...2 { try lab.addTrack("attract/\(track).wav", frames: 4 * 48_000) }
        return lab
    }

    private func run(_ scenario: String, _ configuration: String = "") throws -> [TraceRow] {
        try lab(configuration).run(scenario)
    }

    /// Returns the times in seconds at which the playlist was chosen.
    private func idle(_ scenario: String, _ configuration: String = "") throws -> [Double] {
        try run(scenario, configuration).filter { $0.event == "idle" }.map { $0.time / .seconds(1) }
    }

    @Test func playsTheAttractLoopOnceWithoutACommand() throws {
        let rows = try run("1s command play one.wav\n32s end")
        #expect(rows.filter { $0.event == "idle" }.map(\.time) == [.seconds(11)])
        let idle = try rows.at("idle")
        #expect(idle.track == "1.wav" && idle.position == .zero && idle.intent == .playing && idle.answer == nil)
        // It repeats until somebody chooses something else.
        #expect(rows.filter { $0.event == "track ended" }.count == 5)
    }

    @Test func everyCommandBeginsTheTimeAgain() throws {
        for command in ["volume -6dB", "announce nothing", "play nothing", "seek 1s", "hush"] {
            #expect(try idle("8s command \(command)\n20s end") == [18])
        }
        #expect(try idle("8s command volume -6dB\n16s command volume 0dB\n40s end") == [26])
        #expect(try idle("8s button music press\n9s button music press\n40s end") == [19])
        #expect(try idle("8s assert call\n9s deassert call\n40s end") == [10])
    }

    @Test func laterCommandOrBootAllowsItAgain() throws {
        #expect(try idle("20s command play one.wav\n50s end") == [10, 30])
        #expect(try idle("20s power-cut\n30s boot\n50s end") == [10, 40])
    }

    @Test func interruptionDelaysIt() throws {
        let rows = try run("8s assert call\n20s deassert call\n25s end")
        let idle = rows.filter { $0.event == "idle" }
        #expect(idle.map(\.time) == [.seconds(20)])
        // It follows the row of the end.
        #expect(rows.firstIndex { $0.event == "idle" } == (rows.firstIndex { $0.event == "deassert call" } ?? 0) + 1)
        #expect(idle.first?.state?.gain == .full)
    }

    @Test func nothingButACommandContinuesWhatIsPausedOrWasStopped() throws {
        #expect(try idle("1s command pause\n20s end") == [])
        #expect(try idle("1s command stop\n20s end") == [])
        #expect(try idle("1s command stop\n2s power-cut\n3s boot\n20s end") == [])
        let next = "3s command next\n4s command next\n5s command next"
        #expect(try idle("1s command pause\n\(next)\n20s end", "Repeat=none") == [])
        #expect(try idle("1s command stop\n\(next)\n20s end", "Repeat=none") == [])
        #expect(try idle("1s route lost\n20s end") == [])
        #expect(try idle("1s assert call\n2s deassert call\n20s end", "[Signal call]\nResume=manual") == [])
    }

    @Test func returnsFromTheEndOfTheListAndFromAStartWithoutMusic() throws {
        let next = "3s command next\n4s command next\n5s command next"
        #expect(try idle("\(next)\n20s end", "Repeat=none") == [15])
        #expect(try idle("\(next)\n6s power-cut\n7s boot\n20s end", "Repeat=none") == [17])
        #expect(try idle("20s end", "AutoPlay=no") == [10])
    }

    @Test func inputCountsAsLongAsItSounds() throws {
        // It ceases after 2 s.
        #expect(try idle("5s input phone 1\n20s input phone 0\n40s end") == [32])
    }

    @Test func playlistThatCannotBePlayedIsReportedOnceAndChangesNothing() throws {
        let rows = try run("30s end", "IdlePlaylist=missing")
        #expect(rows.filter { $0.event == "idle" }.map(\.time) == [.seconds(10)])
        let idle = try rows.at("idle")
        #expect(idle.track == "one.wav" && idle.position == .seconds(2))
        #expect(idle.answer == nil && idle.notifications.isEmpty)
    }
}
