import AudioSession
import Simulation
import Testing

/// Buttons, and the options of announcements, in scenarios.
@Suite struct ButtonTests {
    private static let configuration = """
        [Signal phone-call]
        ReleaseDelay=0s
        [Button music]
        Line=MUSIC
        Command=playPause
        LongCommand=stop
        [Button next]
        Line=NEXT
        ActiveLow=yes
        Command=volume -6dB
        [Button gong]
        Line=GONG
        Debounce=0s
        Command=announce gong --priority 80
        DoubleCommand=hush
        [Sound gong]
        File=gong.wav
        Expire=1s

        """

    private func lab(_ configuration: String = "") throws -> Lab {
        let lab = try Lab(Self.configuration + configuration)
        try lab.addTrack("one.wav", frames: 20 * 48_000)
        try lab.addSound("gong", frames: 24_000)
        return lab
    }

    @Test func pressHasTheAnswerOfItsCommand() throws {
        let rows = try lab().run(
            """
            1s button music press
            2s button music press
            3s button music long
            4s button next press
            5s button gong press
            5s button gong double
            6s end
            """)
        #expect(try rows.at("button music press").intent == .paused)
        #expect(try rows.at("button music press", occurrence: 1).intent == .playing)
        let stop = try rows.at("button music long")
        #expect(stop.intent == .stopped && stop.answer == .success && stop.position == .zero)
        #expect(try rows.at("button next press").volume == Level(decibels: -6))
        #expect(try rows.at("button gong press").sound == "gong")
        #expect(try rows.at("button gong double").notifications.map(\.description) == ["soundCut(gong)"])
    }

    @Test func pressDuringACallCountsAsACommand() throws {
        let rows = try lab().run(
            """
            1s assert phone-call
            2s button music press
            3s button gong press
            4s deassert phone-call
            5s end
            """)
        // The priority of the button's announcement is higher than the one of the call.
        #expect(try rows.at("button music press").answer == .deferred)
        #expect(try rows.at("button gong press").answer == .success)
        #expect(try rows.at("deassert phone-call").intent == .playing)
    }

    @Test func lineOfAButtonIsDebouncedAndMeasured() throws {
        let rows = try lab().run(
            """
            1s line music 1
            1.01s line music 0
            2s line music 1
            2.2s line music 0
            3s line music 1
            5s line music 0
            6s line next 0
            6.7s line next 1
            8s end
            """)
        // The bounce of 10 ms is ignored. A step of the volume repeats after 500 ms and then every 120 ms.
        #expect(
            rows.events.filter { $0.contains("button") } == [
                "2.23 button music press", "3.63 button music long", "6.03 button next press", "6.53 button next press",
                "6.65 button next press",
            ])
        #expect(try rows.at("line music 1").answer == nil)
        #expect(try rows.at("button music press").answer == .success)
        #expect(try rows.at("button next press", occurrence: 2).volume == Level(decibels: -18))
    }

    @Test func pressComesAfterEverythingElseOfItsInstant() throws {
        let rows = try lab("[Signal door]\nLine=DOOR\nEffect=pause\nDebounce=0s\n").run(
            "1s line gong 1\n1s line door 1\n1s line gong 0\n2s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 line gong 1", "1.0 line door 1", "1.0 line gong 0", "1.0 assert door",
                "1.4 button gong press", "1.9 sound ended gong", "2.0 end",
            ])
    }

    @Test func pressAcrossAPowerCutOrASleepIsNotACommand() throws {
        let lab = try lab()
        let rows = try lab.run(
            """
            1s line music 1
            1.1s power-cut
            1.2s line next 0
            2s boot
            4s line music 0
            4s line next 1
            5s line gong 1
            5.1s asleep 10s
            6s line gong 0
            7s line music 1
            18s line music 0
            20s line gong lost
            21s line gong 0
            22s end
            """)
        #expect(rows.events.filter { $0.contains(" button ") } == [])
        #expect(lab.warnings.contains { $0.contains("the button gong has the fault lost") }, "\(lab.warnings)")
    }

    @Test func thousandPressesASecondAreChatter() throws {
        let lab = try lab()
        let presses = (0..<1000).map { "\(1000 + $0)ms line music \($0 % 2 == 0 ? 1 : 0)" }
        let rows = try lab.run(presses.joined(separator: "\n") + "\n10s end")
        #expect(rows.events.filter { $0.contains("button") } == [])
        #expect(lab.warnings.contains { $0.contains("the button music has the fault chatter") }, "\(lab.warnings)")
    }

    // MARK: Options of announcements

    @Test func announcementHasItsOwnPriorityAndTime() throws {
        let rows = try lab().run(
            """
            1s assert phone-call
            2s command announce gong --priority 80
            3s command announce gong --expire 500ms
            4s command announce gong --expire infinity
            6s deassert phone-call
            8s end
            """)
        #expect(try rows.at("command announce gong --priority 80").answer == .success)
        #expect(try rows.at("command announce gong --expire 500ms").answer == .deferred)
        #expect(
            rows.events.contains("3.5 sound expired gong") && rows.events.contains("6.5 sound ended gong"),
            "\(rows.events)")
    }

    @Test func announcementPlaysItsOwnFile() throws {
        let lab = try lab("[Playback]\nDuckAttack=0s\n")
        try lab.addSound("delay", frames: 9_600) { _ in 1 << 24 }
        let (rows, heard) = try lab.listen("1s command announce gong --file delay.wav\n2s end")
        #expect(
            rows.events == [
                "0.0 boot", "1.0 command announce gong --file delay.wav", "1.2 sound ended gong", "2.0 end",
            ])
        #expect(heard[48_000..<57_600].allSatisfy { $0 == 1 << 24 } && heard[57_600...].allSatisfy { $0 == 0 })
        let missing = try lab.run("1s command announce gong --file no.wav\n2s end")
        #expect(try missing.at("command announce gong --file no.wav").answer == .noSuchContent)
        #expect(lab.warnings.contains { $0.contains("no.wav") })
    }

    @Test(arguments: [
        ("2s button", "write a button and how it is pressed (press, long or double): button play press"),
        ("2s button music tap", "write a button and how it is pressed (press, long or double): button play press"),
        ("2s button musik press", "there is no button ‘musik’: did you mean ‘music’?"),
        (
            "2s button next long",
            "the button next has no command for this: write LongCommand= in [Button next], or button next press"
        ),
        (
            "2s button music double",
            "the button music has no command for this: write DoubleCommand= in [Button music], or button music press"
        ),
        ("2s line music 2", "write a signal or a button and its electrical level: line phone-call 1 (or 0, or lost)"),
        ("2s line musik 1", "there is no signal or button ‘musik’: did you mean ‘music’?"),
        ("2s complement music 1", "there is no signal ‘music’: use one of phone-call, alarm or cover-closed"),
        ("2s command announce gong --priority high", "‘high’ is not a priority: write a number from 0 to 100"),
        ("2s command announce gong --file", "‘--file’ has no value: write the path of an audio file"),
        (
            "2s command announce gong --volume 3",
            "‘--volume’ is not an option here: write --priority, --expire or --file, followed by its value"
        ),
    ]) func mistakeIsReportedWithItsLineAndAdvice(line: String, complaint: String) throws {
        let lab = try lab()
        lab.expectMistake(in: line, complaint)
    }

    @Test func buttonCannotBePressedDuringASleep() throws {
        let lab = try lab()
        #expect {
            try lab.rehearsal("1s asleep 10s\n2s button music press")
        } throws: {
            "\($0)".hasSuffix(":2: the system is asleep until 11.0s and cannot take a command")
        }
    }
}
