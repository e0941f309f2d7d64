import AudioSession
import Configuration
import Spelling
import Testing

@Suite("Conflicting and missing settings in sections")
struct SectionTests {
    @Test("Two sections cannot use the same line")
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
                "\(file):4: error: [Signal cover-closed] uses A on gpiochip1, which [Signal alarm] already uses (\(file):2) (each line can have only one use: specify another)",
                "\(file):12: error: [Button c] uses line 5 of gpiochip0, which [Button b] already uses (\(file):8) (each line can have only one use: specify another)",
            ])
        let apart = "[Signal alarm]\nLine=A\nChip=gpiochip0\n[Signal cover-closed]\nLine=A\nChip=gpiochip1"
        #expect(try diagnose(apart) == [])
    }

    @Test(
        "There can be 100 sections of a kind, also in several files",
        arguments: ["Signal", "Sound", "Button", "Output"])
    func limits(kind: String) throws {
        let folder = try TemporaryFolder()
        let builtIn = kind == "Signal" ? 3 : 0
        let headings = (builtIn..<102).map { "[\(kind) n\($0)]\n" }
        let file = try folder.write("tacet.conf", headings[..<(100 - builtIn)].joined())
        let words = { diagnostics(of: .file(file)).map(\.description).filter { $0.contains("too many") } }
        #expect(words() == [])
        let other = try folder.write("tacet.conf.d/a.conf", headings[(100 - builtIn)...].joined())
        #expect(
            words() == [
                "\(other):1: error: [\(kind) n100] is one too many (at most 100 sections of a kind are possible)"
            ])
    }

    @Test("A line must be specified completely, and only once")
    func wiring() throws {
        #expect(
            try diagnose("[Signal alarm]\nLine=A\nChip=c\nOffset=1").first?.contains("specifies its line twice")
                == true)
        #expect(
            try diagnose("[Signal alarm]\nOffset=1") == [
                "2: error: [Signal alarm] has Offset= without Chip= (write Chip= with the label of the chip that has this line, such as pinctrl-rp1)"
            ])
        #expect(
            try diagnose("[Signal alarm]\nChip=c") == [
                "2: error: [Signal alarm] has Chip= but no line (add Line= or Offset=)"
            ])
    }

    @Test("A signal that is not built in needs an effect, and one without a line causes a warning")
    func signals() throws {
        let effects = Effect.all.map(\.name).alternatives
        #expect(
            try diagnose("[Signal door]\nLine=DOOR") == [
                "1: error: [Signal door] does not specify its effect (write Effect= with \(effects))"
            ])
        #expect(
            try diagnose("[Signal alarm]\nAlert=yes") == [
                "1: warning: [Signal alarm] has no line, so it can be rehearsed, but no wire will ever assert it (write Line=, or Chip= and Offset=, as listed by ‘tacet lines’, or write Enabled=no if this board does not have it)"
            ])
    }

    @Test("A disabled section is ignored: it needs neither line nor effect, and its line stays free")
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
        #expect(configuration.sources.keys.map(\.rawValue) == ["alarm"] && configuration.lines.count == 1)
        #expect(configuration.buttons.isEmpty)
        let enabled = try load(text + "\n[Signal cover-closed]\nEnabled=").configuration
        #expect(enabled.session.signals.map(\.id) == ["alarm", "cover-closed"])
    }

    @Test("A bad value is reported once, and not again as missing")
    func noEcho() throws {
        #expect(try diagnose("[Signal door]\nLine=DOOR\nEffect=x").count == 1)
        #expect(try diagnose("[Button b]\nLine=B\nCommand=x").count == 1)
        #expect(try diagnose("[Signal alarm]\nChip=c\nOffset=x").count == 1)
    }

    @Test("Keys without effect cause a warning")
    func effectless() throws {
        #expect(
            try diagnose("[Signal cover-closed]\nLine=A\nDuckLevel=mute\nResume=manual\nResumeWithin=1h") == [
                "3: warning: DuckLevel= in [Signal cover-closed] is ignored because the signal's effect is pause (write Effect=duck, or remove it)",
                "5: warning: ResumeWithin= in [Signal cover-closed] is ignored because with Resume=manual, resuming is never recommended (write Resume=auto, or remove it)",
            ])
        #expect(
            try diagnose("[Signal alarm]\nLine=A\nReleaseDelay=5s\nStuckAfter=5s") == [
                "3: warning: ReleaseDelay= in [Signal alarm] is not shorter than StuckAfter=, so a single pulse would count as stuck (write a StuckAfter= well above 5s)"
            ])
        #expect(try diagnose("[Signal alarm]\nLine=A\nReleaseDelay=5s\nStuckAfter=6s") == [])
    }

    @Test("A button needs a command and a line")
    func buttons() throws {
        #expect(
            try diagnose("[Button b]") == [
                "1: error: [Button b] has no command (write Command= with what the button does, such as playPause)",
                "1: error: [Button b] has no line (write Line=, or Chip= and Offset=, as listed by ‘tacet lines’)",
            ])
        #expect(
            try diagnose("[Button b]\nLine=B\nCommand=play\nWhenLost=release\nLostGrace=1s") == [
                "4: error: WhenLost= is not supported in [Button b]: a button whose line is lost always counts as released (remove it)",
                "5: error: LostGrace= is not supported in [Button b]: a button whose line is lost always counts as released (remove it)",
            ])
        #expect(try diagnose("[Signal alarm]\nLine=A\nWhenLost=release\nLostGrace=1s") == [])
    }
}
