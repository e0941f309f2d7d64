import AudioSession
import Foundation
import Simulation
import Testing

/// The traces of scenarios.
@Suite struct TraceTests {
    @Test func interruptionIsTracedWithAllFields() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("one.wav", seconds: 10)
        let rows = try lab.run("2s assert phone-call\n5.25s deassert phone-call # hung up\n12s end\n")
        let expected = """
            {"t":2.0,"event":"assert phone-call","intent":"playing","session":"interrupted","playing":false,\
            "gain_db":null,"volume_db":0,"microphone_muted":false,"services":"available","active":["phone-call"],\
            "notifications":["began(default)"],"track":"one.wav","position":2.0,"answer":null,"faults":[],\
            "sound":null,"waiting":[],"outputs":[],"recording":false,"recorded":0.0,\
            "source":"library","players":[]}
            """
        #expect(rows.map(\.json)[1] == expected)
        #expect(
            rows.events == [
                "0.0 boot", "2.0 assert phone-call", "5.25 deassert phone-call", "12.0 end",
            ])
        #expect(try rows.at("end").position == .milliseconds(8750))
    }

    @Test func everyTraceLineIsAJSONObject() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("a \"quoted\" \\ name.wav", seconds: 1)
        for row in try lab.run("0.5s command pause\n1s power-cut\n2s assert alarm\n3s boot\n4s end") {
            let object = try JSONSerialization.jsonObject(with: Data(row.json.utf8)) as? [String: Any]
            let keys = try #require(object?.keys)
            #expect(keys.count == (row.state == nil ? 2 : 22))
        }
    }

    @Test func rawLevelsAreConditioned() throws {
        let lab = try Lab("[Signal phone-call]\nDebounce=30ms\nReleaseDelay=500ms\nActiveLow=yes")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run(
            """
            1s line phone-call 0
            1.01s line phone-call 1
            2s line phone-call 0
            3s line phone-call 1
            3.2s line phone-call 0
            4s line phone-call 1
            6s end
            """)
        #expect(
            rows.events.filter { !$0.contains("line") } == [
                "0.0 boot", "2.03 assert phone-call", "4.53 deassert phone-call", "6.0 end",
            ])
        #expect(try rows.at("line phone-call 0", occurrence: 1).isInterrupted == false)
    }

    @Test func scenarioEventsComeBeforeTimersOfTheSameInstant() throws {
        let lab = try Lab("[Signal phone-call]\nDebounce=100ms")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run("1s line phone-call 1\n1.1s command pause\n1.1s command play\n2s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 line phone-call 1", "1.1 command pause", "1.1 command play", "1.1 assert phone-call",
                "2.0 end",
            ])
    }

    @Test func stuckSignalIsReleasedAndClearedWhenDeasserted() throws {
        let lab = try Lab("[Signal phone-call]\nStuckAfter=2s\nWhenStuck=release")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run("1s assert phone-call\n5s deassert phone-call\n6s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 assert phone-call", "3.0 fault phone-call stuck", "5.0 deassert phone-call",
                "5.0 cleared phone-call stuck", "6.0 end",
            ])
        let stuck = try rows.at("fault phone-call stuck")
        #expect(
            stuck.directive == .play(.full) && stuck.active == []
                && stuck.faults.map(\.description) == ["phone-call:stuck"])
        #expect(try rows.at("deassert phone-call").faults == [])
        #expect(rows.notifications == ["began(default)", "ended(shouldResume)"])
    }

    @Test func chatteringSignalIsAFaultUntilItSettles() throws {
        let lab = try Lab("[Signal alarm]\nChatterLimit=4\nChatterWindow=100ms")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let edges = (0..<8).map { "\(1000 + $0 * 10)ms line alarm \(1 - $0 % 2)" }.joined(separator: "\n")
        let rows = try lab.run(edges + "\n3s end")
        #expect(
            rows.events.filter { !$0.contains("line") } == [
                "0.0 boot", "1.04 fault alarm chatter", "1.17 cleared alarm chatter", "1.17 deassert alarm", "3.0 end",
            ])
        #expect(rows.notifications == ["duckBegan(-14)", "duckEnded"])
    }

    @Test func lostLineIsReleasedAfterItsGracePeriod() throws {
        let lab = try Lab("[Signal phone-call]\nLostGrace=1s\nWhenLost=release")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run("1s assert phone-call\n2s line phone-call lost\n5s line phone-call 1\n6s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 assert phone-call", "2.0 line phone-call lost", "2.0 fault phone-call lost",
                "3.0 deassert phone-call", "5.0 line phone-call 1", "5.0 cleared phone-call lost",
                "5.03 assert phone-call", "6.0 end",
            ])
    }

    @Test func runIncludesEventsThatFollowAtTheLastInstant() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run("1s line phone-call lost")
        #expect(rows.events == ["0.0 boot", "1.0 line phone-call lost", "1.0 fault phone-call lost"])
    }

    @Test func deassertOverridesARawLevelOfTheSameInstant() throws {
        let lab = try Lab("[Signal phone-call]\nDebounce=0s")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run("1s line phone-call 1\n1s deassert phone-call\n2s end")
        #expect(rows.events == ["0.0 boot", "1.0 line phone-call 1", "1.0 deassert phone-call", "2.0 end"])
        #expect(try rows.at("end").isInterrupted == false)
    }

    @Test func bootWithoutMusicKeepsTheSavedTrackAndPosition() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 10)
        try lab.addNumberedTrack("2.wav", seconds: 10)
        for (run, library) in ["music", "empty", "music"].enumerated() {
            try FileManager.default.createDirectory(atPath: lab.path("empty"), withIntermediateDirectories: true)
            lab.configuration = "[Playback]\nLibrary=\(library)\n"
            var rehearsal = try lab.rehearsal(run == 0 ? "1s command next\n4s command pause\n5s end" : "1s end")
            rehearsal.stateFolder = lab.path("state")
            let rows = try rehearsal.run().rows
            if run == 2 {
                let boot = try rows.at("boot")
                #expect(boot.track == "2.wav" && boot.position == .seconds(3) && boot.intent == .paused)
            }
        }
    }

    @Test func tracksPlayInOrderUntilThePlaylistEnds() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        try lab.addNumberedTrack("2.wav", seconds: 2)
        let rows = try lab.run("5s end")
        #expect(rows.events == ["0.0 boot", "1.0 track ended", "3.0 playlist ended", "5.0 end"])
        let next = try rows.at("track ended")
        #expect(next.track == "2.wav" && next.position == .zero && next.directive == .play(.full))
        let end = try rows.at("playlist ended")
        #expect(end.track == "1.wav" && end.intent == .stopped && end.position == .zero)
    }

    /// At the instant when a track ends, the scenario's events come first, so they are handled before the track ends.
    @Test(arguments: [
        ("next", "2.wav", 0, 500), ("previous", "1.wav", 0, 0), ("seek 200ms", "1.wav", 200, 700),
        ("stop", "1.wav", 0, 0),
        ("pause", "1.wav", 1000, 1000),
    ]) func commandAtTheEndOfATrackActsOnThatTrack(command: String, track: String, position: Int, later: Int) throws {
        let lab = try Lab()
        for number in 1...3 { try lab.addNumberedTrack("\(number).wav", seconds: 1) }
        let rows = try lab.run("1s command \(command)\n1.5s end")
        #expect(rows.events == ["0.0 boot", "1.0 command \(command)", "1.5 end"])
        let state = try rows.at("command \(command)")
        #expect(state.answer == .success && state.track == track && state.position == .milliseconds(position))
        let end = try rows.at("end")
        #expect(end.track == track && end.position == .milliseconds(later))
    }

    @Test func commandAtTheEndOfTheMusicKeepsItPlaying() throws {
        let lab = try Lab()
        for number in 1...3 { try lab.addNumberedTrack("\(number).wav", seconds: 1) }
        let (rows, samples) = try lab.listen("3s command previous\n3.5s end")
        #expect(rows.events.suffix(2) == ["3.0 command previous", "3.5 end"])
        #expect(try rows.at("end").position == .milliseconds(500))
        #expect(samples.last == Int32(23_999 << 8))
    }

    @Test func pauseAtTheEndOfTheMusicPausesInsteadOfStopping() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        let rows = try lab.run("1s command pause\n2s command play\n3s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 command pause", "2.0 command play", "2.0 playlist ended", "3.0 end",
            ])
        #expect(try rows.at("command pause").intent == .paused)
    }

    /// The fade-out continues from the current position, but `play` restarts the track, even during the fade-out.
    @Test(arguments: ["stop", "previous"]) func playDuringTheFadeOutOfAStopStartsTheTrackOver(command: String) throws {
        let lab = try Lab("[Playback]\nLibrary=music\nRepeat=none\nFadeOut=200ms\nFadeIn=0s")
        try lab.addNumberedTrack("1.wav", seconds: 60)
        let (rows, samples) = try lab.listen("4s command \(command)\n4.1s command play\n5s end")
        #expect(try rows.at("command \(command)").position == .zero)
        #expect(try rows.at("command play").position == .zero)
        let fading = samples[4 * 48_000 + 10]
        #expect(fading > Int32(3 * 48_000 << 8), "the fade-out does not continue what was heard")
        #expect(samples[196_900] == Int32((196_900 - 196_800) << 8))
    }

    @Test func powerCutLosesAtMostOneCheckpointInterval() throws {
        let lab = try Lab("[State]\nInterval=1s")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run("7.9s power-cut\n9s boot\n10s end")
        #expect(rows[1].state == nil && rows[1].json == #"{"t":7.9,"event":"power-cut"}"#)
        let position = try rows.at("boot", occurrence: 1).position
        #expect(position <= .milliseconds(7900) && position >= .milliseconds(6900))
    }

    @Test func interruptionSurvivesAPowerCutUntilTheCallEnds() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run(
            "4s assert phone-call\n5s power-cut\n6s boot\n7s power-cut\n7.5s deassert phone-call\n8s boot\n9s end")
        let busy = try rows.at("boot", occurrence: 1)
        #expect(busy.notifications == [.began(.appWasSuspended)] && busy.position == .seconds(4))
        let free = try rows.at("boot", occurrence: 2)
        #expect(free.notifications == [.ended(.shouldResume)] && free.directive == .play(.full))
        #expect(try rows.at("end").position == .seconds(5))
    }

    @Test func stateFolderKeepsTheStateBetweenRuns() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("one.wav", seconds: 60)
        var first = try lab.rehearsal("3s command pause\n4s end")
        first.stateFolder = lab.path("state")
        _ = try first.run()
        var second = try lab.rehearsal("1s end")
        second.stateFolder = lab.path("state")
        let boot = try second.run().rows[0].state
        #expect(boot?.intent == .paused && boot?.position == .seconds(3))
        try "rubbish".write(toFile: lab.path("state/state"), atomically: true, encoding: .utf8)
        let third = try second.run().rows[0].state
        #expect(third?.intent == .playing && third?.position == .zero)
        #expect(lab.warnings.contains { $0.contains("damaged") })
        #expect(FileManager.default.fileExists(atPath: lab.path("state/state.damaged")))
    }

    @Test func everyCommandGetsItsAnswer() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 10)
        try lab.addNumberedTrack("2.wav", seconds: 10)
        let rows = try lab.run(
            """
            1s command next
            2s command seek 0min 5.5s
            3s command previous
            4s command seek -3s
            5s assert phone-call
            6s command playPause
            6s command play
            7s command volume -6dB
            8s command seek 11s
            9s command stop
            9s command pause
            9s command seek 1s
            10s end
            """)
        let answers = rows.compactMap { row in row.state?.answer.map { "\(row.event.dropFirst(8)): \($0.name)" } }
        #expect(
            answers == [
                "next: success", "seek 0min 5.5s: success", "previous: success", "seek -3s: success",
                "playPause: deferred",
                "play: deferred", "volume -6dB: success", "seek 11s: success", "stop: success",
                "pause: noActionableNowPlayingItem", "seek 1s: noActionableNowPlayingItem",
            ])
        #expect(try rows.at("command seek 0min 5.5s").position == .milliseconds(5500))
        #expect(try rows.at("command previous").track == "1.wav")
        #expect(try rows.at("command seek 11s").track == "2.wav")
        #expect(try rows.at("command volume -6dB").volume.decibels == -6)
        #expect(try rows.at("command stop").track == "2.wav")
    }

    @Test func relativeCommandsStartFromThePresentPositionAndVolume() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 10)
        try lab.addNumberedTrack("2.wav", seconds: 10)
        let rows = try lab.run(
            """
            1s command seek +1:00
            2s command seek 0:05
            3s command pause
            3s command seek +1.5s
            4s command seek -1min
            5s command volume -12dB
            6s command volume +3dB
            7s command volume 100%
            8s command volume -50%
            9s end
            """)
        #expect(try rows.at("command seek +1:00").track == "2.wav")
        #expect(try rows.at("command seek 0:05").position == .seconds(5))
        #expect(try rows.at("command seek +1.5s").position == .milliseconds(7500))
        #expect(try rows.at("command seek -1min").position == .zero)
        #expect(try rows.at("command volume +3dB").volume.decibels == -9)
        #expect(try rows.at("command volume 100%").volume == .full)
        #expect(try rows.at("command volume -50%").volume.decibels.rounded() == -6)
    }

    @Test func interruptionRewindsAndPauseDoesNot() throws {
        let lab = try Lab("[Playback]\nLibrary=music\nResumeRewind=1500ms")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run(
            """
            1s assert phone-call
            2s deassert phone-call
            6s assert phone-call
            7s deassert phone-call
            8s command pause
            9s command play
            10s end
            """)
        #expect(try rows.at("deassert phone-call").position == .zero)
        #expect(try rows.at("assert phone-call", occurrence: 1).position == .milliseconds(2500))
        #expect(try rows.at("deassert phone-call", occurrence: 1).position == .milliseconds(2500))
        #expect(try rows.at("command play").position == .milliseconds(3500))
    }

    @Test func deviceAndRouteChangesAreNotified() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("one.wav", seconds: 60)
        let rows = try lab.run(
            """
            1s device lost
            2s command next
            3s device reset
            4s configuration 44100 2
            5s route lost
            6s command play
            7s end
            """)
        #expect(
            rows.notifications == [
                "mediaServicesWereLost", "mediaServicesWereReset", "configurationChanged",
                "routeChanged(oldDeviceUnavailable)",
            ])
        #expect(try rows.at("device lost").servicesAvailable == false)
        #expect(try rows.at("device lost").position == .seconds(1))
    }

    @Test func sameInputGivesTheSameBytes() throws {
        let lab = try Lab("[Playback]\nLibrary=music\nShuffle=yes")
        for number in 1...5 { try lab.addNumberedTrack("\(number).wav", seconds: 2) }
        let files = try (1...2).map { run in
            var rehearsal = try lab.rehearsal(
                "3s assert phone-call\n4s configuration 44100 1\n5s deassert phone-call\n8s end")
            rehearsal.wav = lab.path("\(run).wav")
            rehearsal.trace = lab.path("\(run).jsonl")
            rehearsal.timeline = lab.path("\(run).svg")
            _ = try rehearsal.run()
            return try ["wav", "jsonl", "svg"].map {
                try Data(contentsOf: URL(fileURLWithPath: lab.path("\(run).\($0)")))
            }
        }
        #expect(files[0] == files[1])
    }

    @Test func timelineHasATitleAndNotificationsOnRequest() throws {
        let lab = try Lab()
        var rehearsal = try lab.rehearsal("1s assert phone-call\n2s command pause\n3s deassert phone-call\n8.5s end")
        rehearsal.timeline = lab.path("picture.svg")
        func picture() throws -> String {
            _ = try rehearsal.run()
            return try String(contentsOfFile: lab.path("picture.svg"), encoding: .utf8)
        }
        let plain = try picture()
        #expect(plain.contains(">8.5 seconds of scenario</title>"))
        #expect(plain.contains("<title>interrupted by phone-call, 1 s – 3 s</title>"))
        #expect(!plain.contains(">notifications<") && !plain.contains("began(default)"))
        rehearsal.title = "A call & a pause"
        rehearsal.showsNotifications = true
        let full = try picture()
        #expect(full.contains(">A call &amp; a pause</title>"))
        for words in [">notifications<", ">began(default)<", ">commands<", ">pause → success<"] {
            #expect(full.contains(words), "\(words)")
        }
    }

    @Test func timelineShowsWhichSignalsTurnTheMusicDown() throws {
        let lab = try Lab("[Signal alarm]\nLine=ALARM\nEffect=duck\nDuckLevel=-18dB")
        var rehearsal = try lab.rehearsal(
            "1s assert alarm\n2s assert phone-call\n3s deassert phone-call\n4s deassert alarm\n6s end")
        rehearsal.timeline = lab.path("picture.svg")
        _ = try rehearsal.run()
        let picture = try String(contentsOfFile: lab.path("picture.svg"), encoding: .utf8)
        for words in [
            "turned down by alarm, 1 s – 2 s", "interrupted by phone-call, 2 s – 3 s",
            "turned down by alarm, 3 s – 4 s", "the music may play, 4 s – 6 s",
        ] { #expect(picture.contains("<title>\(words)</title>"), "\(words)") }
        #expect(picture.contains(">turns down to −18 dB<"))
    }

    /// A suppressed alert also stays suppressed when it is stuck, because it has no effect that could be dropped.
    @Test func timelineShowsHowEachSignalWasTreated() throws {
        let lab = try Lab(
            """
            [Session]
            PrefersNoInterruptionsFromSystemAlerts=yes
            [Signal phone-call]
            StuckAfter=2s
            WhenStuck=release
            [Signal ring]
            Line=RING
            Effect=pause
            Alert=yes
            StuckAfter=2s
            """)
        var rehearsal = try lab.rehearsal(
            "1s assert phone-call\n2s assert ring\n5s power-cut\n6s deassert phone-call\n7s boot\n8s end")
        rehearsal.timeline = lab.path("picture.svg")
        _ = try rehearsal.run()
        let picture = try String(contentsOfFile: lab.path("picture.svg"), encoding: .utf8)
        for words in [
            "phone-call active, 1 s – 3 s", "phone-call ignored: stuck, 3 s – 5 s", "ring suppressed, 2 s – 5 s",
            "ring suppressed, 7 s – 8 s",
        ] { #expect(picture.contains("<title>\(words)</title>")) }
        #expect(!picture.contains("<title>phone-call active, 7 s"))
    }

    @Test func withoutALibraryCommandsHaveNoActionableItem() throws {
        let lab = try Lab("[Playback]\nLibrary=\n")
        let rows = try lab.run("1s command play\n2s command next\n3s assert phone-call\n4s end")
        #expect(try rows.at("command play").answer == .noActionableNowPlayingItem)
        #expect(try rows.at("command next").answer == .noActionableNowPlayingItem)
        #expect(try rows.at("assert phone-call").notifications == [.began(.default)])
        #expect(try rows.at("end").track == nil)
    }
}
