import AudioSession
import Simulation
import Testing

/// The times at which the frames of an announcement and of the music are played.
@Suite struct AnnouncementTests {
    private static let configuration = """
        [Playback]
        Library=music
        Repeat=none
        FadeOut=50ms
        FadeIn=50ms
        DuckAttack=100ms
        DuckRelease=100ms
        [Signal phone-call]
        ReleaseDelay=0s
        [Sound gong]
        File=gong.wav
        [Sound stop]
        File=stop.wav
        Effect=pause
        Priority=40
        [Sound bell]
        File=bell.wav
        Effect=mix

        """

    /// The music is on the left channel, the sounds are on the right one, and the gong lasts 1 s.
    private func lab(_ configuration: String = "", rate: Int = 48_000) throws -> Lab {
        let lab = try Lab(Self.configuration + configuration)
        try lab.write("music/one.wav", frames: 20 * rate, rate: rate) { [Int32($0 << 8), 0] }
        for (name, frames) in [("gong", rate), ("stop", rate / 2), ("bell", rate / 10)] {
            try lab.write(name + ".wav", frames: frames, rate: rate) { [0, Int32($0 + 1) << 8] }
        }
        return lab
    }

    private func isHeard(_ samples: [Int32], from start: Int, frames: Int, first: Int = 0) -> Bool {
        (0..<frames).allSatisfy { samples[start + $0] >> 8 == Int32(first + $0 + 1) }
    }

    /// Returns the gain at a frame of music in which the value of each frame is its number.
    private func gain(_ samples: [Int32], at frame: Int, number: Int? = nil) -> Double {
        Double(samples[frame]) / Double((number ?? frame) << 8)
    }

    private let ducked = 0.1995

    @Test func musicIsLoweredBeforeASoundBegins() throws {
        let (rows, heard) = try lab().listenToAll("1s command announce gong\n3s end")
        #expect(rows.events == ["0.0 boot", "1.0 command announce gong", "2.1 sound ended gong", "3.0 end"])
        #expect(try rows.at("command announce gong").gain == Level(decibels: -14))
        #expect(heard[0][47_999] == 47_999 << 8)
        #expect(heard[1][..<52_800].allSatisfy { $0 == 0 })
        #expect(isHeard(heard[1], from: 52_800, frames: 48_000))
        #expect(heard[1][100_800...].allSatisfy { $0 == 0 })
        for frame in stride(from: 52_800, to: 100_800, by: 100) {
            try #require(abs(gain(heard[0], at: frame) - ducked) < 1e-3)
        }
        #expect(heard[0][105_600] == 105_600 << 8)
    }

    /// `FadeOut` is ten times as long as `DuckAttack`, so that waiting for it would be visible.
    private static let mute = """
        [Signal alarm]
        Effect=duck
        DuckLevel=mute
        ReleaseDelay=0s
        [Playback]
        FadeOut=1s
        """

    @Test func pausingAnnouncementOverAMuteDuckDoesNotWait() throws {
        let (rows, heard) = try lab(Self.mute).listenToAll(
            "1s assert alarm\n2s command announce stop\n4s deassert alarm\n6s end")
        #expect(isHeard(heard[1], from: 96_000, frames: 24_000))
        #expect(rows.events[3] == "2.5 sound ended stop")
    }

    @Test func pausingAnnouncementDuringTheRampToMuteWaitsForItsEnd() throws {
        let (_, heard) = try lab(Self.mute).listenToAll("1s assert alarm\n1.04s command announce stop\n4s end")
        // The ramp began at frame 48,000 and lasts 4,800 frames.
        #expect(heard[1][..<52_800].allSatisfy { $0 == 0 } && isHeard(heard[1], from: 52_800, frames: 24_000))
        #expect(heard[0][52_000] != 0 && heard[0][52_800...].allSatisfy { $0 == 0 })
    }

    @Test func announcementWaitsForACall() throws {
        let (rows, heard) = try lab().listenToAll(
            "1s assert phone-call\n2s command announce gong\n5s deassert phone-call\n7s end")
        let waiting = try rows.at("command announce gong")
        #expect(waiting.answer == .deferred && waiting.waiting == ["gong"] && waiting.sound == nil)
        #expect(
            try rows.at("deassert phone-call").notifications == [.ended(.shouldResume), .soundBegan("gong", id: 1)])
        #expect(heard[1][..<240_000].allSatisfy { $0 == 0 })
        #expect(isHeard(heard[1], from: 240_000, frames: 48_000))
        // The music resumes beneath it with the frame at which it was stopped.
        #expect(abs(gain(heard[0], at: 250_000, number: 58_000) - ducked) < 1e-3)
    }

    @Test func announcementThatWaitsTooLongIsNeverHeard() throws {
        let (rows, heard) = try lab().listenToAll(
            "1s assert phone-call\n2s command announce gong\n12.5s deassert phone-call\n14s end")
        #expect(try rows.at("sound expired gong").notifications == [.soundExpired("gong", id: 1)])
        #expect(rows.events.contains("12.0 sound expired gong"))
        #expect(heard[1].allSatisfy { $0 == 0 })
    }

    @Test func announcementThatIsCutStartsAgainFromItsBeginning() throws {
        let (rows, heard) = try lab().listenToAll("1s command announce gong\n1.5s command announce stop\n4s end")
        let cut = try rows.at("command announce stop")
        #expect(cut.notifications == [.soundCut("gong", id: 1, because: .displaced), .soundBegan("stop", id: 2)])
        #expect(cut.waiting == ["gong"] && cut.position == .seconds(1.5))
        // The sound fades out within 20 ms, and the other sound begins when the music has faded out.
        #expect(isHeard(heard[1], from: 52_800, frames: 19_200))
        #expect(heard[1][72_100] > 0 && heard[1][72_960..<74_400].allSatisfy { $0 == 0 })
        #expect(isHeard(heard[1], from: 74_400, frames: 24_000))
        #expect(heard[0][74_400..<98_400].allSatisfy { $0 == 0 })
        // The gong is played at once and in full, because the music returns only to the ducked level.
        #expect(isHeard(heard[1], from: 98_400, frames: 48_000))
        #expect(abs(gain(heard[0], at: 110_400, number: 84_000) - ducked) < 1e-3)
    }

    @Test func musicStaysLowBetweenTwoAnnouncements() throws {
        let (rows, heard) = try lab().listenToAll("1s command announce gong\n1.2s command announce gong\n4s end")
        #expect(
            try rows.at("sound ended gong").notifications == [.soundEnded("gong", id: 1), .soundBegan("gong", id: 2)])
        #expect(isHeard(heard[1], from: 52_800, frames: 48_000) && isHeard(heard[1], from: 100_800, frames: 48_000))
        for frame in stride(from: 52_800, to: 148_800, by: 10) {
            try #require(abs(gain(heard[0], at: frame) - ducked) < 1e-3, "frame \(frame)")
        }
    }

    @Test func powerCutWithdrawsAnnouncements() throws {
        let (rows, heard) = try lab().listenToAll(
            "1s command announce gong\n1.1s command announce bell\n1.5s power-cut\n2s boot\n4s end")
        #expect(try rows.at("boot", occurrence: 1).waiting == [])
        #expect(isHeard(heard[1], from: 52_800, frames: 19_200))
        #expect(heard[1][72_000...].allSatisfy { $0 == 0 })
    }

    @Test func lostDeviceCutsAnAnnouncementThatRestartsOnItsReturn() throws {
        let (rows, heard) = try lab().listenToAll("1s command announce gong\n1.5s device lost\n2s device reset\n4s end")
        #expect(
            try rows.at("device lost").notifications == [
                .soundCut("gong", id: 1, because: .deviceLost), .mediaServicesWereLost,
            ])
        #expect(heard[1][72_000..<96_000].allSatisfy { $0 == 0 })
        #expect(isHeard(heard[1], from: 96_000, frames: 48_000))
    }

    @Test func formatChangeNeitherCutsNorDelaysAnAnnouncement() throws {
        let (rows, heard) = try lab().listenToAll("1s command announce gong\n1.5s configuration 48000 2\n4s end")
        #expect(rows.events.contains("2.1 sound ended gong"))
        #expect(isHeard(heard[1], from: 52_800, frames: 48_000))
    }

    @Test func sleepCutsAnAnnouncementThatRestartsOnWaking() throws {
        let (rows, heard) = try lab().listenToAll("1s command announce gong\n1.5s asleep 2s\n6s end")
        #expect(
            try rows.at("awake").notifications == [
                .soundCut("gong", id: 1, because: .asleep), .soundBegan("gong", id: 1),
            ])
        #expect(heard[1][72_000..<168_000].allSatisfy { $0 == 0 })
        #expect(isHeard(heard[1], from: 168_000, frames: 48_000))
    }

    @Test func announcementThatExpiresDuringSleepIsDroppedOnWaking() throws {
        let (rows, heard) = try lab().listenToAll(
            "1s assert phone-call\n2s command announce gong\n3s asleep 1min\n4s deassert phone-call\n65s end")
        #expect(try rows.at("awake").notifications == [.soundExpired("gong", id: 1), .ended(.shouldResume)])
        #expect(heard[1].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [44_100, 96_000]) func announcementsPlayAtOtherSampleRates(rate: Int) throws {
        let (rows, heard) = try lab(rate: rate).listenToAll(
            "0s configuration \(rate) 2\n0s boot\n1s command announce gong\n3s end")
        #expect(rows.events == ["0.0 boot", "1.0 command announce gong", "2.1 sound ended gong", "3.0 end"])
        let start = rate * 11 / 10
        #expect(heard[1][..<start].allSatisfy { $0 == 0 } && isHeard(heard[1], from: start, frames: rate))
        #expect(heard[1][(start + rate)...].allSatisfy { $0 == 0 })
    }

    @Test func announcementsPlayOnOneChannel() throws {
        let (_, heard) = try lab().listenToAll(
            "0s configuration 48000 1\n0s boot\n0.5s command pause\n1s command announce gong\n3s end")
        // Each channel has half the level, because both may be at full scale.
        #expect(heard.count == 1)
        let halves = (1...48_000).map { (number: Int32) in number << 7 }
        #expect(Array(heard[0][48_000..<96_000]) == halves)
        #expect(heard[0][96_000...].allSatisfy { $0 == 0 })
    }

    @Test func muteDoesNotAffectAnnouncements() throws {
        let (_, heard) = try lab().listenToAll("0.5s command volume mute\n1s command announce gong\n3s end")
        #expect(heard[0][48_000...].allSatisfy { $0 == 0 } && isHeard(heard[1], from: 52_800, frames: 48_000))
    }

    @Test func announcementsBeyondTheQueueAreRefusedAndTheRestPlayWithoutAGap() throws {
        let lines = Array(repeating: "1s command announce bell", count: 1_000).joined(separator: "\n")
        let (rows, heard) = try lab().listenToAll(lines + "\n5s end")
        let answers = rows.filter { $0.event == "command announce bell" }.map { $0.state?.answer?.name }
        #expect(answers.first == "success")
        #expect(answers[1...16].allSatisfy { $0 == "deferred" })
        #expect(answers.count == 1_000 && answers[17...].allSatisfy { $0 == "commandFailed" })
        #expect(rows.map { $0.state?.waiting.count ?? 0 }.max() == 16)
        // 17 announcements follow each other without a gap.
        #expect(repeats(heard[1], in: 48_000..<129_600, every: 4_800))
        #expect(heard[1][129_600...].allSatisfy { $0 == 0 })
        #expect(rows.notifications.count { $0 == "soundEnded(bell)" } == 17)
    }

    @Test func unreadableAnnouncementIsAnsweredAndNeverHeard() throws {
        let lab = try lab("[Sound gong]\nFile=lost.wav\n")
        let (rows, heard) = try lab.listenToAll("1s command announce gong\n1s command announce nonsense\n2s end")
        #expect(rows.compactMap { $0.state?.answer } == [.noSuchContent, .noSuchContent])
        #expect(rows.allSatisfy { $0.state?.faults == [Fault(sound: "gong")] })
        #expect(heard[1].allSatisfy { $0 == 0 })
    }

    @Test func soundThatEndsWhenAnotherBeginsDoesNotEndIt() throws {
        let lab = try lab("[Signal alarm]\nEffect=ignore\nPriority=90\nDebounce=0s\nCue=stop\n")
        // The gong ends at 2.1 s, when the line settles.
        let rows = try lab.run("1s command announce gong\n2.1s line alarm 1\n3s end")
        #expect(rows.events.filter { $0.contains("sound ended stop") } == ["2.6 sound ended stop"])
    }

    @Test func musicIsLowWhenTheSoundBeginsEvenIfItsRampChanges() throws {
        let lab = try lab(
            "[Playback]\nDuckRelease=2s\nFadeIn=2s\n[Sound bell]\nEffect=duck\nDuckLevel=-20dB\nPriority=20\n")
        // The level rises from -20 to -14 dB during the attack. The second time, the volume changes.
        let (_, heard) = try lab.listenToAll(
            "1s command announce bell\n1.05s command announce gong\n8s command announce gong\n8.06s command volume -1dB\n10s end"
        )
        #expect(heard[1][52_800] >> 8 == 1 && heard[1][388_800] >> 8 == 1)
        #expect(gain(heard[0], at: 52_800) < ducked + 1e-3 && gain(heard[0], at: 388_800) < ducked + 1e-3)
    }
}
