import AudioSession
import Foundation
import Simulation
import Testing

/// Tracks, folders and playlists that are chosen in place of the library's list.
@Suite struct ChoiceTests {
    /// A library with the tracks `one.wav` and `two.wav` of 60 s, the tracks `stories/1.wav` and `stories/2.wav` of 2 s,
    /// and the playlist `list.m3u`, which contains `two.wav`.
    private func lab(_ configuration: String = "Repeat=playlist") throws -> Lab {
        let lab = try Lab("[Playback]\nLibrary=music\nFadeOut=100ms\n\(configuration)\n[Input phone]\nFrom=pipe:/p\n")
        try FileManager.default.createDirectory(atPath: lab.path("music/stories"), withIntermediateDirectories: true)
        try lab.addNumberedTrack("one.wav", seconds: 60)
        try lab.addNumberedTrack("two.wav", seconds: 60, first: 60 * 48_000)
        try lab.addNumberedTrack("stories/1.wav", seconds: 2, first: 130 * 48_000)
        try lab.addNumberedTrack("stories/2.wav", seconds: 2, first: 140 * 48_000)
        try "two.wav\n".write(toFile: lab.path("music/list.m3u"), atomically: true, encoding: .utf8)
        return lab
    }

    private func run(_ scenario: String, _ configuration: String = "Repeat=playlist") throws -> [TraceRow] {
        try lab(configuration).run(scenario)
    }

    @Test func libraryContinuesWhereItWasLeftAfterTheLastTrack() throws {
        let rows = try run("10s command play stories\n20s end", "ResumeRewind=5s")
        let choice = try rows.at("command play stories")
        #expect(choice.track == "1.wav" && choice.position == .zero && choice.intent == .playing)
        #expect(rows.contains { $0.event == "command play stories" && $0.state?.answer == .success })
        #expect(try rows.at("track ended").track == "2.wav")
        let after = try rows.at("track ended", occurrence: 1)
        #expect(after.track == "one.wav" && after.position == .seconds(10))
        #expect(rows.last?.state?.position == .seconds(16))
    }

    @Test func nameMayContainTheCharacterThatBeginsAComment() throws {
        let lab = try lab()
        try lab.addNumberedTrack("#1 hit #2.wav", seconds: 2)
        let rows = try lab.run("#no time\n1s command play #1 hit #2.wav  # a comment\n \t# another\n2s end #\n")
        #expect(try rows.at("command play #1 hit #2.wav").track == "#1 hit #2.wav")
    }

    @Test func libraryPlaysOnEvenIfItWasPausedOrStopped() throws {
        for command in ["pause", "stop"] {
            let rows = try run("10s command \(command)\n11s command play stories\n20s end")
            let left = command == "pause" ? Duration.seconds(10) : .zero
            #expect(rows.last?.state?.gain == .full && rows.last?.state?.track == "one.wav")
            #expect(rows.last?.state?.position == left + .seconds(5))
        }
    }

    @Test func nothingOfTheChoiceOrTheLibraryIsLostOrRepeated() throws {
        let (rows, samples) = try lab().listen("1s command play stories\n8s end")
        #expect(rows.count == 5)
        func number(_ frame: Int) -> Int { Int(samples[frame] >> 8) }
        // Both jumps are mixed with 20 ms of what was played before them.
        #expect(number(48_000 - 1) == 47_999)
        #expect(number(48_000 + 2000) == 130 * 48_000 + 2000)
        #expect(number(3 * 48_000 - 1) == 132 * 48_000 - 1 && number(3 * 48_000 + 2000) == 140 * 48_000 + 2000)
        #expect(number(5 * 48_000 - 1) == 142 * 48_000 - 1)
        #expect(number(5 * 48_000 + 2000) == 48_000 + 2000 && number(7 * 48_000) == 3 * 48_000)
    }

    @Test func stopEndsAtTheStartOfTheChoiceAndRepeatNeverEnds() throws {
        let stopped = try run("1s command play stories --then stop\n10s command play\n13s end")
        let end = try stopped.at("playlist ended")
        #expect(end.intent == .stopped && end.track == "1.wav" && end.position == .zero)
        #expect(stopped.last?.state?.track == "2.wav" && stopped.last?.state?.position == .seconds(1))
        let repeated = try run("1s command play stories --then repeat\n10s end", "Repeat=none")
        #expect(repeated.last?.state?.track == "1.wav" && repeated.last?.state?.position == .seconds(1))
    }

    @Test func nextAndPreviousLeaveAChoiceAtItsEndsAsItSays() throws {
        let left = try run("10s command play stories\n11s command next\n12s command next\n13s end")
        #expect(try left.at("command next").track == "2.wav")
        let back = try left.at("command next", occurrence: 1)
        #expect(back.track == "one.wav" && back.position == .seconds(10) && back.gain == .full)
        let before = try run("10s command play stories\n10s command pause\n11s command previous\n12s end")
        #expect(before.last?.state?.track == "one.wav" && before.last?.state?.intent == .paused)
        let stopped = try run("10s command play stories --then stop\n11s command previous\n12s end")
        #expect(stopped.last?.state?.intent == .stopped && stopped.last?.state?.track == "1.wav")
        let wrapped = try run("10s command play stories --then repeat\n11s command previous\n12s end")
        #expect(wrapped.last?.state?.track == "2.wav" && wrapped.last?.state?.gain == .full)
    }

    @Test func anotherChoiceReplacesTheFirstOne() throws {
        let rows = try run("10s command play stories\n11s command play list.m3u --at 0:58\n14s end")
        #expect(try rows.at("command play list.m3u --at 0:58").position == .seconds(58))
        #expect(rows.last?.state?.track == "one.wav" && rows.last?.state?.position == .seconds(11))
    }

    @Test func choiceInACallIsDeferredAndItsLastCommand() throws {
        let rows = try run(
            "10s assert phone-call\n11s command play stories\n12s deassert phone-call\n13s end",
            "[Signal phone-call]\nResume=manual")
        let chosen = try rows.at("command play stories")
        #expect(chosen.answer == .deferred && chosen.gain == nil && chosen.track == "1.wav")
        #expect(rows.last?.state?.gain == .full && rows.last?.state?.position == .seconds(1))
    }

    @Test func choiceSurvivesAPowerCut() throws {
        let rows = try run(
            "10s command play stories --then repeat\n13s power-cut\n20s boot\n22s end", "[State]\nInterval=100ms")
        let booted = try rows.at("boot", occurrence: 1)
        #expect(booted.track == "2.wav" && booted.gain == .full && abs(booted.position.seconds - 1) < 0.11)
        #expect(rows.last?.state?.track == "1.wav")
        let left = try run("10s command play stories\n11s power-cut\n20s boot\n27s end")
        #expect(left.last?.state?.track == "one.wav")
    }

    @Test func choiceThatIsLostInAPowerCutContinuesTheLibrary() throws {
        let lab = try lab("[State]\nInterval=100ms")
        var first = try lab.rehearsal("10s command play stories --then repeat\n13s power-cut")
        var second = try lab.rehearsal("1s end")
        (first.stateFolder, second.stateFolder) = (lab.path("state"), lab.path("state"))
        _ = try first.run()
        try FileManager.default.removeItem(atPath: lab.path("music/stories"))
        let rows = try second.run().rows
        #expect(rows.last?.state?.track == "one.wav" && rows.last?.state?.position == .seconds(11))
    }

    @Test func inputThatSoundsIsPassedOverUntilItBeginsAnew() throws {
        let rows = try run(
            """
            1s input phone 1
            3s command play stories
            4s input phone 0
            6.5s input phone 1
            7s end
            """)
        #expect(try rows.at("sounds phone").source == .input("phone"))
        let chosen = try rows.at("command play stories")
        #expect(
            chosen.source == .library && chosen.track == "1.wav" && chosen.notifications == [.sourceChanged(.library)])
        #expect(try rows.at("silent phone").source == .library)
        #expect(rows.last?.state?.source == .input("phone"))
    }

    @Test(arguments: [
        "absent.wav", "../music/one.wav", "stories/../../etc/passwd", "/etc/passwd", "https://radio.example/", "empty",
        "broken.wav", "outside",
    ])
    func whatIsNotPlayableInTheLibraryChangesNothing(name: String) throws {
        let lab = try lab()
        try FileManager.default.createDirectory(atPath: lab.path("music/empty"), withIntermediateDirectories: true)
        try "not audio".write(toFile: lab.path("music/broken.wav"), atomically: true, encoding: .utf8)
        try lab.addSound("outside", frames: 48_000)
        try FileManager.default.createSymbolicLink(
            atPath: lab.path("music/outside"), withDestinationPath: lab.path("outside.wav"))
        let rows = try lab.run("10s command pause\n11s command play \(name)\n12s end")
        let answered = try rows.at("command play \(name)")
        #expect(answered.answer == .noSuchContent && answered.intent == .paused)
        #expect(answered.track == "broken.wav" || answered.track == "one.wav")
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
