import AudioSession
import Configuration
import Testing

@Suite("What does not fit together in a section, or between two")
struct SectionTests {
    @Test("A line can be one thing only")
    func collisions() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "tacet.conf",
            """
            [Signal alarm]
            Line=A
            [Signal cover-closed]
            Line=A
            Chip=gpiochip1
            [Button b]
            Chip=/dev/gpiochip0
            Offset=5
            Command=play
            [Button c]
            Chip=gpiochip0
            Offset=5
            Command=stop
            """)
        #expect(
            diagnostics(of: .file(file)).map(\.description) == [
                "\(file):4: error: [Signal cover-closed] uses A on gpiochip1, which [Signal alarm] has already (\(file):2) (a line can be one thing only: name another)",
                "\(file):12: error: [Button c] uses line 5 of gpiochip0, which [Button b] has already (\(file):8) (a line can be one thing only: name another)",
            ])
        let apart = "[Signal alarm]\nLine=A\nChip=gpiochip0\n[Signal cover-closed]\nLine=A\nChip=gpiochip1"
        #expect(try diagnose(apart) == [])
    }

    @Test("A line is named once, and whole")
    func wiring() throws {
        #expect(
            try diagnose("[Signal alarm]\nLine=A\nChip=c\nOffset=1").first?.contains("names its line twice") == true)
        #expect(
            try diagnose("[Signal alarm]\nOffset=1") == [
                "2: error: [Signal alarm] has Offset= without Chip= (write Chip= with the chip that counts so, such as gpiochip0)"
            ])
        #expect(
            try diagnose("[Signal alarm]\nChip=c") == [
                "2: error: [Signal alarm] has Chip= alone, which is no line (write Line= or Offset= as well)"
            ])
    }

    @Test("A signal of another name says its effect, and one without a line is worth a second look")
    func signals() throws {
        #expect(
            try diagnose("[Signal door]\nLine=DOOR") == [
                "1: error: [Signal door] does not say its effect (write Effect= with pause, duck, mute-microphone, checkpoint or ignore)"
            ])
        #expect(
            try diagnose("[Signal alarm]\nAlert=yes") == [
                "1: warning: [Signal alarm] has no line: it can be rehearsed, but no wire will ever assert it (write Line=, or Chip= and Offset=; `tacet lines` shows what there is; or Enabled=no if this board does not have it)"
            ])
    }

    @Test("A disabled section is as if it were not there: it needs neither line nor effect, and leaves its line free")
    func disabled() throws {
        let text = """
            [Signal phone-call]
            Line=A
            Enabled=no
            [Signal alarm]
            Line=A
            [Signal cover-closed]
            Enabled=no
            [Signal door]
            Enabled=no
            [Button b]
            Enabled=no
            """
        #expect(try diagnose(text) == [])
        let configuration = try load(text).configuration
        #expect(configuration.session.signals.map(\.id) == ["alarm"])
        #expect(configuration.wiring.keys.map(\.rawValue) == ["alarm"] && configuration.lines.count == 1)
        #expect(configuration.buttons.isEmpty)
        let enabled = try load(text + "\n[Signal cover-closed]\nEnabled=").configuration
        #expect(enabled.session.signals.map(\.id) == ["alarm", "cover-closed"])
    }

    @Test("A bad value is told once, not again as a missing one")
    func noEcho() throws {
        #expect(try diagnose("[Signal door]\nLine=DOOR\nEffect=x").count == 1)
        #expect(try diagnose("[Button b]\nLine=B\nCommand=x").count == 1)
        #expect(try diagnose("[Signal alarm]\nChip=c\nOffset=x").count == 1)
    }

    @Test("Keys without effect are warned of")
    func effectless() throws {
        #expect(
            try diagnose("[Signal cover-closed]\nLine=A\nDuckLevel=mute\nResume=manual\nResumeWithin=1h") == [
                "3: warning: DuckLevel= of [Signal cover-closed] has no effect: its effect is pause (write Effect=duck, or remove it)",
                "5: warning: ResumeWithin= of [Signal cover-closed] has no effect: it never recommends resuming (write Resume=auto, or remove it)",
            ])
        #expect(
            try diagnose("[Signal alarm]\nLine=A\nReleaseDelay=5s\nStuckAfter=5s") == [
                "3: warning: ReleaseDelay= of [Signal alarm] is not shorter than StuckAfter=: a single pulse would be stuck (write a StuckAfter= well above 5s)"
            ])
        #expect(try diagnose("[Signal alarm]\nLine=A\nReleaseDelay=5s\nStuckAfter=6s") == [])
    }

    @Test("A button has a command and a line")
    func buttons() throws {
        #expect(
            try diagnose("[Button b]") == [
                "1: error: [Button b] has no command (write Command= with what it asks for, such as playPause)",
                "1: error: [Button b] has no line (write Line=, or Chip= and Offset=; `tacet lines` shows what there is)",
            ])
        #expect(
            try diagnose("[Button b]\nLine=B\nCommand=play\nWhenLost=release\nLostGrace=1s") == [
                "4: error: WhenLost= is refused: a button whose line is lost is not pressed, whatever it was before (remove it)",
                "5: error: LostGrace= is refused: a button whose line is lost is not pressed, whatever it was before (remove it)",
            ])
        #expect(try diagnose("[Signal alarm]\nLine=A\nWhenLost=release\nLostGrace=1s") == [])
    }
}
