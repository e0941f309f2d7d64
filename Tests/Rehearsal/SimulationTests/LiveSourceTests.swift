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

    private static let desk = "[Input desk]\nFrom=pipe:/run/desk\nIdle=50ms\nPlayer=vlc\n[Player vlc]\nBus=vlc\n"
    private static let radio = "[Input radio]\nFrom=pipe:/run/radio\nAutomatic=yes\nPlayer=mpd\n[Player mpd]\nBus=mpd\n"
    private static let call = "[Signal phone-call]\nReleaseDelay=0s\nResume=manual\n"

    @Test func settleTimeDoesNotShortenTheAttack() throws {
        let rows = try run(
            "1s input radio 1\n3s input radio 0\n5s input radio 1\n9s end",
            Self.radio + "[Input radio]\nAttack=1s\nIdle=1s\nSettleTime=0s")
        #expect(rows.filter { $0.event == "sounds radio" }.map(\.time) == [.seconds(2), .seconds(6)])
    }

    @Test func pauseOfTheLibraryAlsoPausesThePlayerOfAnAutomaticInput() throws {
        let rows = try run("1s player mpd playing\n2s command pause\n3s command play\n4s end", Self.radio)
        #expect(try rows.at("command pause").source == .library)
        #expect(try rows.at("command pause").players == ["mpd"])
        #expect(try rows.at("command play").players == [])
    }

    @Test func inputThatBeginsToSoundReleasesItsPlayerFromAPauseThatNobodyRequested() throws {
        let rows = try run(
            """
            1s input desk 1
            2s input desk 0
            3s player vlc playing
            4s assert phone-call
            5s deassert phone-call
            6s input desk 1
            7s end
            """, Self.desk + Self.call)
        #expect(try rows.at("deassert phone-call").players == ["vlc"])
        let begun = try rows.at("sounds desk", occurrence: 1)
        #expect(begun.intent == .playing)
        #expect(begun.players == [])
    }

    @Test func playerIsReleasedWhenTheEpisodeEndsThatTheUserStoppedItIn() throws {
        let lab = try Lab(
            "[Playback]\nLibrary=music\n[Signal phone-call]\nReleaseDelay=0s\n[Player vlc]\nBus=vlc\n"
                + "[Sound gong]\nFile=gong.wav\nEffect=pause\n")
        try lab.addTrack("one.wav", frames: 60 * 48_000)
        try lab.addSound("gong", frames: 48_000)
        let rows = try lab.run(
            """
            1s player vlc playing
            2s assert phone-call
            3s command stop
            4s command announce gong
            5s deassert phone-call
            8s end
            """)
        #expect(try rows.at("command announce gong").players == ["vlc"])
        let end = try rows.at("deassert phone-call")
        #expect(end.sound == "gong")
        #expect(end.players == [])
        #expect(rows.last?.state?.players == [])
    }

    /// What a player has not confirmed is not known.
    @Test func playerThatRefusesToPauseIsAFaultUntilItIsFoundPaused() throws {
        let rows = try run(
            """
            1s player vlc playing
            1s player vlc refuses
            2s assert phone-call
            6s player vlc found paused
            7s end
            """, Self.call + "[Player vlc]\nBus=vlc\n")
        let fault = Fault(player: "vlc", .unconfirmed)
        #expect(try rows.at("assert phone-call").players == [])
        let late = try #require(rows.first { $0.event == "fault vlc unconfirmed" })
        #expect(late.time == .seconds(4) && late.state?.faults == [fault] && late.state?.players == [])
        #expect(try rows.at("cleared vlc unconfirmed").players == ["vlc"] && rows.last?.state?.faults == [])
    }

    @Test func inputThatTheUserPausedBeginsAnewAfterABootThatFindsItSilent() throws {
        let scenario = "1s input desk 1\n2s command pause\n3s input desk 0"
        let begins = "9s input desk 1\n12s end"
        let rows = try run("\(scenario)\n\(begins)", Self.desk)
        #expect(try rows.at("sounds desk", occurrence: 1).intent == .paused)
        for cut in ["4s power-cut\n5s boot", "2.5s power-cut\n2.6s input desk 0\n5s boot"] {
            let before = cut.hasPrefix("4s") ? scenario : "1s input desk 1\n2s command pause"
            let rows = try run("\(before)\n\(cut)\n\(begins)", Self.desk)
            #expect(try rows.at("boot", occurrence: 1).source == .library)
            #expect(try rows.at("sounds desk", occurrence: 1).intent == .playing)
        }
    }

    @Test func playerThatIsStartedDuringAPowerCutPlaysItsPausedInput() throws {
        let rows = try run(
            "1s player vlc playing\n1s input desk 1\n2s command pause\n3s power-cut\n4s player vlc playing\n5s boot\n6s end",
            Self.desk)
        #expect(try rows.at("command pause").players == ["vlc"])
        let boot = try rows.at("boot", occurrence: 1)
        #expect(boot.source == .input("desk"))
        #expect(boot.intent == .playing)
        #expect(boot.players == [])
    }
}
