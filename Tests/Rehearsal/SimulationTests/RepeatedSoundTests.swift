import AudioSession
import Foundation
import Testing

@testable import Simulation

/// Sounds that are requested again, and sounds that continue after a cut. Times are exact to the frame.
@Suite struct RepeatedSoundTests {
    let lab: Lab

    init() throws {
        lab = try Lab()
        try lab.addTrack("1.wav", frames: 48_000 * 60)
        try lab.addSound("gong", frames: 96_000)
        try lab.addSound("story", frames: 240_000)
    }

    private func rows(_ configuration: String, _ scenario: String) throws -> [TraceRow] {
        lab.configuration = """
            [Playback]
            Library=music
            DuckAttack=100ms
            FadeOut=300ms
            [Signal cover]
            Line=COVER
            Effect=pause
            Priority=50
            [Signal alarm]
            Line=ALARM
            Effect=duck
            Priority=90
            Cue=gong
            [Sound gong]
            File=gong.wav
            [Sound story]
            File=story.wav
            \(configuration)
            """
        return try lab.rehearsal(scenario).run().rows
    }

    /// Returns the times and the texts of the rows with notifications of sounds.
    private func notes(_ rows: [TraceRow]) -> [String] {
        rows.compactMap { row in
            let notes = row.state?.notifications.filter { $0.sound != nil }.map(\.description) ?? []
            let seconds = (row.time / .milliseconds(1)).rounded() / 1000
            return notes.isEmpty ? nil : "\(seconds) \(notes.joined(separator: " "))"
        }
    }

    @Test func ninePressesWithinOnceGiveOneGong() throws {
        let presses = (0..<9).map { "\(1 + $0)s command announce gong" }.joined(separator: "\n")
        let rows = try rows("[Sound gong]\nOnce=30s", "\(presses)\n31s command announce gong\n40s end")
        #expect(
            notes(rows) == [
                "1.0 soundBegan(gong)", "3.1 soundEnded(gong)", "31.0 soundBegan(gong)", "33.1 soundEnded(gong)",
            ])
        #expect(rows.compactMap { $0.state?.answer?.name } == Array(repeating: "success", count: 10))
    }

    @Test func museumStoryContinuesAfterTheCover() throws {
        let rows = try rows(
            "[Sound story]\nContinue=yes\nExpire=1s",
            """
            1s command announce story
            3s assert cover
            20s deassert cover
            21s asleep 10s
            40s end
            """)
        // After a wait of 100 ms, 1.9 s are played. The music is silent after the cover, so another 1 s is played at once.
        #expect(
            notes(rows) == [
                "1.0 soundBegan(story)", "3.0 soundCut(story)", "20.0 soundBegan(story)",
                "31.0 soundCut(story) soundBegan(story)", "33.1 soundEnded(story)",
            ])
    }

    @Test func noFrameOfAContinuedSoundIsLostOrRepeatedExceptInTheFade() throws {
        try lab.addSound("numbered", frames: 240_000) { Int32($0 + 1) << 8 }
        _ = try rows("[Sound numbered]\nFile=numbered.wav\nEffect=mix\nContinue=yes", "1s end")
        let (_, samples) = try lab.listen(
            "1s command announce numbered\n2s assert cover\n3s deassert cover\n8s end")
        let cut = 48_000
        for frame in 0..<cut { try #require(samples[cut + frame] == Int32(frame + 1) << 8) }
        for frame in 2 * cut + 960..<3 * cut { try #require(samples[frame] == 0) }
        for frame in cut..<240_000 { try #require(samples[2 * cut + frame] == Int32(frame + 1) << 8) }
        for frame in 2 * cut + 240_000..<8 * cut { try #require(samples[frame] == 0) }
    }

    @Test func storyContinuesAfterALostDeviceButNotAfterAPowerCut() throws {
        let rows = try rows(
            "[Sound story]\nContinue=yes\nEffect=mix",
            """
            1s command announce story
            2s device lost
            30s device reset
            31s power-cut
            32s boot
            40s end
            """)
        #expect(
            notes(rows) == ["1.0 soundBegan(story)", "2.0 soundCut(story)", "30.0 soundBegan(story)"])
        let continued = try self.rows(
            "[Sound story]\nContinue=yes\nEffect=mix",
            "1s command announce story\n2s device lost\n30s device reset\n40s end")
        #expect(notes(continued).last == "34.0 soundEnded(story)")
    }

    @Test func cueBeginsAnewAfterItsSignalHasEnded() throws {
        let rows = try rows(
            "[Sound gong]\nContinue=yes\n[Sound story]\nPriority=95\nEffect=mix",
            """
            1s assert alarm
            1.6s command announce story
            2s deassert alarm
            3s assert alarm
            20s end
            """)
        #expect(
            notes(rows) == [
                "1.0 soundBegan(gong)", "1.6 soundCut(gong) soundBegan(story)",
                "6.6 soundEnded(story) soundBegan(gong)",
                "8.6 soundEnded(gong)",
            ])
    }

    @Test func cueContinuesAfterASoundOfAHigherPriority() throws {
        let rows = try rows(
            "[Sound gong]\nContinue=yes\n[Sound story]\nPriority=95\nEffect=mix",
            "1s assert alarm\n1.6s command announce story\n20s end")
        // Of 2 s, 0.5 s were played before the cut.
        #expect(notes(rows).suffix(2) == ["6.6 soundEnded(story) soundBegan(gong)", "8.1 soundEnded(gong)"])
    }

    @Test func restartBeginsAtOnceOrAfterTheRestOfItsWait() throws {
        let rows = try rows(
            "[Sound gong]\nAgain=restart\n[Output amplifier]\nMeans=amplifier\nLead=400ms",
            """
            1s command announce gong
            1.05s command announce gong
            2s command announce gong
            2s command stop
            2s assert cover
            10s end
            """)
        #expect(
            notes(rows).prefix(3) == [
                "1.0 soundBegan(gong)", "1.05 soundCut(gong) soundBegan(gong)", "2.0 soundCut(gong) soundBegan(gong)",
            ])
        let whole = try self.rows(
            "[Sound gong]\nAgain=restart", "1s command announce gong\n1.05s command announce gong\n10s end")
        #expect(notes(whole).last == "3.1 soundEnded(gong)")
        let late = try self.rows(
            "[Sound gong]\nAgain=restart\nExpire=1s",
            "1s command announce gong\n3s command announce gong\n3s assert alarm\n10s end")
        #expect(notes(late).contains("3.0 soundCut(gong) soundBegan(gong)"))
    }

    @Test func keysAreSummarised() throws {
        _ = try rows("[Sound gong]\nAgain=restart\nOnce=30s\nContinue=yes", "1s end")
        let summary = try lab.load().summary
        #expect(summary.contains("restarts when it is requested again, at most once in 30s, continues after a cut"))
    }
}
