import AudioSession
import Simulation
import Testing

/// The times at which the frames of a cue are played, from its first one to its end, its cut or its next repetition.
@Suite struct CueTests {
    private static let configuration = """
        [Playback]
        Library=music
        FadeOut=50ms
        FadeIn=50ms
        DuckAttack=100ms
        DuckRelease=100ms
        [Signal alarm]
        Effect=duck
        ReleaseDelay=0s
        Priority=90
        Cue=siren
        [Sound siren]
        File=siren.wav
        Repeat=yes

        """

    /// The music is on the left channel and the siren is on the right one.
    private func lab(_ configuration: String = "", siren: Int = 12_000) throws -> Lab {
        let lab = try Lab(Self.configuration + configuration)
        try lab.write("music/one.wav", frames: 480_000, rate: 48_000) { [Int32($0 << 8), 0] }
        try lab.write("siren.wav", frames: siren, rate: 48_000) { [0, Int32($0 + 1) << 8] }
        return lab
    }

    private func numbers(_ samples: [Int32]) -> [Int32] { samples.map { $0 >> 8 } }

    @Test func alarmIsHeardInACall() throws {
        let lab = try lab()
        let (rows, heard) = try lab.listenToAll("1s assert phone-call\n2s assert alarm\n3s deassert alarm\n4s end")
        let siren = heard[1]
        #expect(try rows.at("assert alarm").sound == "siren")
        #expect(siren[..<96_000].allSatisfy { $0 == 0 })
        // The siren begins at once, because the music is silent, and repeats every 12,000 frames without a gap.
        #expect(repeats(siren, in: 96_000..<144_000, every: 12_000))
        // The siren fades out in 20 ms, which is 960 frames.
        #expect(siren[144_000] > 0 && siren[144_700] > 0)
        #expect(siren[144_960...].allSatisfy { $0 == 0 })
        #expect(heard[0][50_400...].allSatisfy { $0 == 0 })
    }

    @Test func callOfHigherPrioritySilencesTheAlarm() throws {
        let lab = try lab("[Signal phone-call]\nPriority=100\nReleaseDelay=0s\n")
        let (rows, heard) = try lab.listenToAll(
            "1s assert alarm\n2s assert phone-call\n3s deassert phone-call\n4s end")
        #expect(
            rows.notifications.filter { $0.hasPrefix("sound") } == [
                "soundBegan(siren)", "soundCut(siren)", "soundBegan(siren)",
            ])
        let siren = heard[1]
        // The attack takes 100 ms.
        #expect(siren[..<52_800].allSatisfy { $0 == 0 })
        #expect(repeats(siren, in: 52_800..<96_000, every: 12_000))
        #expect(siren[96_960..<144_000].allSatisfy { $0 == 0 })
        // The siren starts at once and from its beginning, because the music is silent and fades in to the level that
        // the alarm allows.
        #expect(siren[144_000] >> 8 == 1 && siren[144_001] >> 8 == 2)
    }

    @Test(arguments: [("hold", 5.0), ("release", 2.0)])
    func stuckAlarmIsHeardUntilItIsReleased(whenStuck: String, ends: Double) throws {
        let lab = try lab("[Signal alarm]\nStuckAfter=1s\nWhenStuck=\(whenStuck)\n")
        let (rows, heard) = try lab.listenToAll("1s assert alarm\n5s command play\n6s end")
        let end = Int(ends * 48_000)
        #expect(repeats(heard[1], in: 52_800..<end, every: 12_000))
        #expect(heard[1][(end + 960)...].allSatisfy { $0 == 0 })
        let cut = try #require(
            rows.first { $0.state?.notifications.contains(.soundCut("siren", because: .released)) ?? false })
        #expect(cut.event == (whenStuck == "hold" ? "command play" : "fault alarm stuck"))
        // Afterwards the music returns.
        #expect(heard[0][287_999] == Int32(287_999) << 8)
    }

    @Test func cueWithoutRepeatIsHeardOncePerBegin() throws {
        let lab = try lab("[Sound siren]\nRepeat=no\n")
        let (rows, heard) = try lab.listenToAll(
            "1s assert alarm\n3s deassert alarm\n4s assert alarm\n5s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 assert alarm", "1.35 sound ended siren", "3.0 deassert alarm", "4.0 assert alarm",
                "4.35 sound ended siren", "5.0 end",
            ])
        for start in [52_800, 196_800] {
            #expect(repeats(heard[1], in: start..<start + 12_000, every: 12_000))
            #expect(heard[1][start - 1] == 0 && heard[1][start + 12_000] == 0)
        }
    }

    @Test func cueContinuesAfterAPowerCutFromItsBeginning() throws {
        let (_, heard) = try lab().listenToAll("1s assert alarm\n1.5s power-cut\n2s boot\n3s end")
        #expect(heard[1][72_000..<96_000].allSatisfy { $0 == 0 })
        // The music starts from silence.
        #expect(repeats(heard[1], in: 96_000..<144_000, every: 12_000))
    }

    @Test func missingFileIsAToneAndAFaultInEveryRow() throws {
        let lab = try lab("[Sound siren]\nFile=lost.wav\n")
        let (rows, heard) = try lab.listenToAll("1s assert phone-call\n2s assert alarm\n12s deassert alarm\n13s end")
        #expect(rows.allSatisfy { $0.state?.faults == [Fault(sound: "siren")] })
        #expect(
            rows.events == ["0.0 boot", "1.0 assert phone-call", "2.0 assert alarm", "12.0 deassert alarm", "13.0 end"])
        let tone = heard[1]
        // The tone fills every 10 ms, and its peak is -6 dBFS.
        for start in stride(from: 96_000, to: 576_000, by: 480) {
            let peak = tone[start..<start + 480].map { abs(Int64($0)) }.max() ?? 0
            try #require(peak > 1_000_000_000 && peak < 1_080_000_000, "\(peak) at frame \(start)")
        }
        #expect(tone[..<96_000].allSatisfy { $0 == 0 } && tone[576_960...].allSatisfy { $0 == 0 })
        #expect(lab.warnings.contains { $0.contains("siren") })
    }

    @Test func muteDoesNotAffectTheAlarm() throws {
        let (_, heard) = try lab().listenToAll("1s command volume mute\n2s assert alarm\n3s end")
        #expect(heard[0][52_800...].allSatisfy { $0 == 0 })
        #expect(repeats(heard[1], in: 100_800..<144_000, every: 12_000))
    }
}
