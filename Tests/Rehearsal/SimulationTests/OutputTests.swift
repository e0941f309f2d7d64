import AudioSession
import Foundation
import Simulation
import Testing

/// Outputs in rehearsals: the column and the rows of the trace, and the time for which the music waits.
@Suite struct OutputTests {
    private func lab(_ outputs: String) throws -> Lab {
        let lab = try Lab(
            """
            FadeOut=200ms
            FadeIn=100ms
            DuckAttack=100ms
            [Signal phone-call]
            ReleaseDelay=0s
            [Signal alarm]
            ReleaseDelay=0s
            [Sound gong]
            File=gong.wav
            \(outputs)
            """)
        try lab.addNumberedTrack("one.wav", seconds: 10)
        try lab.addSound("gong.wav".replacingOccurrences(of: ".wav", with: ""), frames: 24_000) { _ in 1 << 29 }
        return lab
    }

    private static let amplifier = "[Output amplifier]\nMeans=amplifier\nLead=300ms\nLag=1s"

    /// Returns the time, event, outputs and position of each row.
    private func table(_ rows: [TraceRow]) -> [String] {
        rows.map { row in
            let outputs = row.state?.outputs.map(\.rawValue).joined(separator: "+") ?? "-"
            let position = row.state.map { "\(Int(($0.position / .milliseconds(1)).rounded()))" } ?? "-"
            return "\(Int((row.time / .milliseconds(1)).rounded())) \(row.event): \(outputs) \(position)"
        }
    }

    @Test func theMusicWaitsForTheLeadAndTheAmplifierOutlastsTheFade() throws {
        let rows = try lab(Self.amplifier).run(
            "1s assert phone-call\n3s deassert phone-call\n4s command pause\n5s command play\n6s end")
        #expect(
            table(rows) == [
                "0 boot: amplifier 0",
                "1000 assert phone-call: amplifier 700",
                "2200 output amplifier 0:  700",
                "3000 deassert phone-call: amplifier 700",
                "4000 command pause: amplifier 1400",
                // The amplifier is still on, so there is no new lead.
                "5000 command play: amplifier 1400",
                "6000 end: amplifier 2400",
            ])
    }

    /// The music is paused in the last instant of the track, with nothing left to play.
    @Test func aTrackEndsOnlyAfterTheLead() throws {
        let rows = try lab(Self.amplifier).run("10300ms command pause\n15s command play\n16s end")
        #expect(
            table(rows).suffix(4) == [
                "11500 output amplifier 0:  10000",
                "15000 command play: amplifier 10000",
                "15300 playlist ended: amplifier 0",
                "16000 end: amplifier 0",
            ])
    }

    @Test func aPauseDuringTheLeadHasNoFade() throws {
        let rows = try lab(Self.amplifier).run("100ms command pause\n150ms command play\n1s end")
        // The current lead continues.
        #expect(table(rows).last == "1000 end: amplifier 700")
        let paused = try lab(Self.amplifier).run("100ms command pause\n3s end")
        #expect(table(paused)[2] == "1100 output amplifier 0:  0")
    }

    @Test func nothingIsHeardBeforeTheLead() throws {
        let (rows, samples) = try lab(Self.amplifier).listen("0s command pause\n5s command announce gong\n8s end")
        let first = try #require(samples.firstIndex { $0 != 0 })
        // The music begins at 0 and is paused at once. The first frame of the announcement follows 300 ms after 5 s.
        #expect(first == 48 * 5_300, "\(first)")
        #expect(
            table(rows).suffix(4) == [
                "5000 command announce gong: amplifier 0", "5800 sound ended gong: amplifier 0",
                "6800 output amplifier 0:  0", "8000 end:  0",
            ])
        let (_, music) = try lab(Self.amplifier).listen("1s end")
        #expect(music[..<(48 * 300)].allSatisfy { $0 == 0 } && music[48 * 310] != 0)
    }

    @Test func aSoundWaitsForTheLongerOfLeadAndRamp() throws {
        // The music has just begun to wait for its own lead.
        let rows = try lab(Self.amplifier).run("250ms command announce gong\n2s end")
        #expect(try rows.at("sound ended gong").outputs == ["amplifier"])
        #expect(table(rows)[2].hasPrefix("850 sound ended gong"))
    }

    @Test func aConfigurationChangeDuringTheLeadRepeatsNothing() throws {
        let rows = try lab(Self.amplifier).run("100ms configuration 44100 2\n1s end")
        #expect(table(rows).last == "1000 end: amplifier 700")
    }

    @Test func leadAndLagRunWhileTheSystemSleeps() throws {
        let rows = try lab("[Output amplifier]\nMeans=amplifier\nLead=2s\nLag=1s").run(
            "500ms asleep 1100ms\n3s command pause\n3100ms asleep 5s\n9s end")
        #expect(
            table(rows) == [
                "0 boot: amplifier 0", "500 asleep 1100ms: amplifier 0", "1600 awake: amplifier 0",
                "3000 command pause: amplifier 1000", "3100 asleep 5s: amplifier 1000",
                "8100 awake: amplifier 1000", "8100 output amplifier 0:  1000", "9000 end:  1000",
            ])
    }

    @Test func aLostDeviceEndsTheSoundAtOnce() throws {
        let rows = try lab(Self.amplifier).run("1s device lost\n4s device reset\n5s end")
        #expect(
            table(rows) == [
                "0 boot: amplifier 0", "1000 device lost: amplifier 700", "2000 output amplifier 0:  700",
                "4000 device reset: amplifier 700", "5000 end: amplifier 1400",
            ])
    }

    @Test func aPowerCutTurnsEverythingOff() throws {
        let rows = try lab(Self.amplifier + "\n[Output ok]\nMeans=healthy").run("1s power-cut\n2s boot\n3s end")
        #expect(table(rows)[2].hasPrefix("2000 boot: amplifier+ok"))
        let positions = rows.compactMap { $0.state?.position }
        // The music waits for the lead again.
        #expect((positions.last ?? .zero) - positions[positions.count - 2] == .milliseconds(700))
    }

    @Test func outputsFollowTheColumnsOfTheirNames() throws {
        let meanings = ["ducked", "healthy", "interrupted", "playing", "recording", "silent", "sounding"]
        let lab = try lab(meanings.map { "[Output \($0)]\nMeans=\($0)" }.joined(separator: "\n"))
        let rows = try lab.run(
            """
            1s assert alarm
            2s assert phone-call
            3s deassert phone-call
            4s deassert alarm
            5s command announce gong
            6s line cover-closed lost
            7s end
            """)
        let outputs = rows.compactMap { row in row.state.map { "\(row.event): \($0.outputs.map(\.rawValue))" } }
        #expect(
            outputs.filter { !$0.hasPrefix("line") && !$0.hasPrefix("end") } == [
                "boot: [\"healthy\", \"playing\"]",
                "assert alarm: [\"ducked\", \"healthy\", \"playing\"]",
                "assert phone-call: [\"healthy\", \"interrupted\", \"silent\"]",
                "deassert phone-call: [\"ducked\", \"healthy\", \"playing\"]",
                "deassert alarm: [\"healthy\", \"playing\"]",
                "command announce gong: [\"ducked\", \"healthy\", \"playing\", \"sounding\"]",
                "sound ended gong: [\"healthy\", \"playing\"]",
                "fault cover-closed lost: [\"playing\"]",
            ])
    }

    @Test func theTimelineHasALaneForEachOutput() throws {
        let lab = try lab(Self.amplifier + "\n[Output lamp]\nMeans=interrupted")
        var rehearsal = try lab.rehearsal("1s assert phone-call\n3s end")
        rehearsal.timeline = lab.path("t.svg")
        _ = try rehearsal.run()
        let svg = try String(contentsOfFile: lab.path("t.svg"), encoding: .utf8)
        for words in ["output: amplifier", "amplifier asserted, 0", "output: interrupted", "lamp asserted, 1"] {
            #expect(svg.contains(words), "\(words)")
        }
    }
}
