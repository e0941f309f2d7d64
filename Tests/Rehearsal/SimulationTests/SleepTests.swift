import AudioSession
import Simulation
import Testing

/// A suspended system. Playback continues on waking, after every change in the meantime has been taken into account.
@Suite struct SleepTests {
    private func lab(_ configuration: String = "") throws -> Lab {
        let lab = try Lab("[Playback]\nLibrary=music\nResumeRewind=2s\n\(configuration)")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        return lab
    }

    @Test func musicContinuesOnWakingFromTheLastFrameHeard() throws {
        let (rows, samples) = try lab().listen("3s asleep 10s\n15s end")
        #expect(rows.events == ["0.0 boot", "3.0 asleep 10s", "13.0 awake", "15.0 end"])
        #expect(try rows.at("awake").position == .seconds(3))
        #expect(try rows.at("awake").directive == .play(.full) && rows.at("awake").notifications == [])
        #expect(try rows.at("end").position == .seconds(5))
        // The board is silent while asleep.
        #expect(samples[144_000..<624_000].allSatisfy { $0 == 0 })
        #expect(samples[143_999] == Int32(143_999) << 8)
        #expect(samples[624_000] == Int32(144_000) << 8)
        #expect(samples.count == 720_000)
    }

    /// The timeline shows neither music nor a session while the system is asleep.
    @Test func timelineShowsTheTimeAsleep() throws {
        let lab = try lab()
        var rehearsal = try lab.rehearsal("3s asleep 10s\n5s line phone-call 1\n15s end")
        rehearsal.timeline = lab.path("picture.svg")
        _ = try rehearsal.run()
        let picture = try String(contentsOfFile: lab.path("picture.svg"), encoding: .utf8)
        for words in ["asleep, 3 s – 13 s", "phone-call active, 13 s – 15 s"] {
            #expect(picture.contains("<title>\(words)"), "\(words)")
        }
        #expect(!picture.contains("no power"))
    }

    @Test func interruptionFoundOnWakingSilencesBeforeAnythingIsHeard() throws {
        let (rows, samples) = try lab().listen(
            "3s asleep 10s\n5s line phone-call 1\n14s line phone-call 0\n20s end")
        let asleep = try #require(rows.first { $0.event == "line phone-call 1" })
        #expect(asleep.json == #"{"t":5.0,"event":"line phone-call 1"}"#)
        let awake = try rows.at("awake")
        #expect(awake.notifications == [.began(.appWasSuspended)] && awake.directive == .silent)
        #expect(awake.position == .seconds(1))
        #expect(samples[3 * 48_000..<14 * 48_000].allSatisfy { $0 == 0 })
        #expect(try rows.at("deassert phone-call").notifications == [.ended(.shouldResume)])
    }

    @Test func interruptionThatEndedDuringSleepEndsOnWaking() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=0s").run(
            "2s assert phone-call\n3s asleep 10s\n5s deassert phone-call\n14s end")
        let awake = try rows.at("awake")
        #expect(awake.notifications == [.ended(.shouldResume)] && awake.directive == .play(.full))
    }

    @Test func releaseDelayStartsOnWaking() throws {
        let rows = try lab("[Signal phone-call]\nReleaseDelay=4s").run(
            "2s assert phone-call\n3s asleep 10s\n5s deassert phone-call\n20s end")
        #expect(try rows.at("awake").notifications == [])
        #expect(rows.events.suffix(2) == ["17.0 deassert phone-call", "20.0 end"])
    }

    @Test func deadlinesExpireDuringSleepAndTakeEffectOnWaking() throws {
        let rows = try lab("[Session]\nResumeDelay=5s\n[Signal phone-call]\nStuckAfter=4s").run(
            "2s assert alarm\n2s assert phone-call\n3s deassert alarm\n3.5s asleep 10s\n15s end")
        #expect(
            rows.events.suffix(4) == [
                "13.5 awake", "13.5 fault phone-call stuck", "13.5 duck ended", "15.0 end",
            ])
    }

    @Test func deviceAndRouteChangesDuringSleepAreReportedOnWaking() throws {
        let rows = try lab().run(
            "3s asleep 10s\n4s device lost\n5s route lost\n6s configuration 44100 2\n14s device reset\n15s end")
        #expect(
            try rows.at("awake").notifications.map(\.description) == [
                "mediaServicesWereLost", "routeChanged(oldDeviceUnavailable)", "configurationChanged",
            ])
        #expect(try rows.at("device reset").notifications == [.mediaServicesWereReset])
    }

    /// The rewind limit is saved on waking, even if the next checkpoint is a long time away.
    @Test func bootAfterWakingDoesNotRewindBeforeThePositionOfWaking() throws {
        let rows = try lab("[State]\nInterval=5s").run("4s asleep 2s\n6.5s power-cut\n7s boot\n8s end")
        #expect(try rows.at("awake").position == .seconds(4))
        #expect(try rows.at("boot", occurrence: 1).position == .seconds(4))
    }

    @Test func fadeOutInProgressIsCompleteOnWaking() throws {
        let lab = try Lab("[Playback]\nLibrary=music\nFadeOut=500ms\nFadeIn=0s")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let (rows, samples) = try lab.listen(
            "3s assert phone-call\n3.1s asleep 10s\n14s deassert phone-call\n15s end")
        #expect(try rows.at("deassert phone-call").position == .seconds(3))
        #expect(samples[14 * 48_000] == Int32((3 * 48_000) << 8))
    }

    @Test func powerCutDuringSleepBootsNormally() throws {
        let rows = try lab().run("3s asleep 10s\n4s power-cut\n5s boot\n20s end")
        #expect(rows.events == ["0.0 boot", "3.0 asleep 10s", "4.0 power-cut", "5.0 boot", "20.0 end"])
    }

    @Test(arguments: [
        ("3s asleep 1s", "more than 1s"), ("3s asleep", "more than 1s"),
        ("3s asleep 10s\n5s command play", "asleep until 13.0s"),
        ("3s asleep 10s\n5s asleep 3s", "already asleep"), ("3s power-cut\n4s asleep 10s", "power is off"),
        ("3s asleep 10s\n4s boot", "already running"),
    ]) func misplacedEventIsRejected(scenario: String, complaint: String) throws {
        #expect {
            _ = try lab().run(scenario)
        } throws: {
            $0 is ScenarioError && "\($0)".contains(complaint)
        }
    }

    @Test func fadeOutThatWasReversedIsOverAfterSleep() throws {
        let lab = try Lab("FadeOut=60ms\nDuckAttack=450ms\n[Sound gong]\nFile=gong.wav\nExpire=infinity")
        try lab.addTrack("one.wav", frames: 20 * 48_000)
        try lab.addSound("gong", frames: 48_000)
        let rows = try lab.run(
            """
            4s command announce gong
            5s command pause
            5.04s command play
            5.04s asleep 2s
            9s end
            """)
        #expect(try rows.at("awake").notifications.map(\.description) == ["soundCut(gong)", "soundBegan(gong)"])
        // Without the sleep, the gong would wait for the remaining 20 ms of the fade-out.
        #expect(rows.contains { $0.event == "sound ended gong" && $0.time == .milliseconds(8_040) })
    }
}
