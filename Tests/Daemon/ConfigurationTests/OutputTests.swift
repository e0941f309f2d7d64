import AudioSession
import Configuration
import Spelling
import Testing

@Suite struct OutputTests {
    private func load(_ text: String) throws -> Configuration {
        let folder = try TemporaryFolder()
        return try Configuration.load(.file(folder.write("tacet.conf", text))).configuration
    }

    @Test func everyKeyOfAnOutputIsRead() throws {
        let outputs = try load(
            """
            [Output valve]
            Chip=gpiochip1
            Offset=7
            ActiveLow=yes
            Bias=pull-up
            Drive=open-drain
            Means=amplifier
            Lead=2s
            Lag=1min
            [Output lamp]
            Line=LAMP
            Means=interrupted
            [Output amplifier]
            Line=AMP
            Means=amplifier
            [Output none]
            Enabled=no
            """
        ).outputs
        #expect(
            outputs == [
                Output(
                    OutputPolicy(id: "valve", meaning: .amplifier(lead: .seconds(2), lag: .seconds(60))),
                    wiring: Wiring(line: .offset(7, chip: "gpiochip1"), bias: .pullUp), isActiveLow: true,
                    drive: .openDrain),
                Output(
                    OutputPolicy(id: "lamp", meaning: .follows(.interrupted)),
                    wiring: Wiring(line: .named("LAMP", chip: nil))),
                Output(
                    OutputPolicy(id: "amplifier", meaning: .amplifier(lead: .milliseconds(50), lag: .seconds(1))),
                    wiring: Wiring(line: .named("AMP", chip: nil))),
            ])
    }

    @Test func theSummaryNamesOutputs() throws {
        let summary = try load("[Output amp]\nLine=AMP\nMeans=amplifier\n[Output lamp]\nMeans=healthy").summary
        #expect(
            summary.contains(
                "output amp           amplifier (on 50ms before the sound, off 1s after it), on AMP (active high, push-pull)"
            ), "\(summary)")
        #expect(summary.contains("output lamp          healthy, without a line"), "\(summary)")
    }

    @Test func mistakesInOutputsAreReported() throws {
        let meanings = OutputMeaning.all.map(\.name).alternatives
        #expect(
            try diagnose("[Output amp]\nLine=A") == [
                "1: error: [Output amp] does not specify what it means (write Means= with \(meanings))"
            ])
        #expect(
            try diagnose("[Output amp]\nLine=A\nMeans=loud").first?.hasPrefix("3: error: Means=loud is unknown") == true
        )
        #expect(
            try diagnose("[Output lamp]\nLine=A\nMeans=playing\nLead=1s\nLag=2s") == [
                "4: warning: Lead= in [Output lamp] is ignored because the output means playing (write Means=amplifier, or remove it)",
                "5: warning: Lag= in [Output lamp] is ignored because the output means playing (write Means=amplifier, or remove it)",
            ])
        #expect(
            try diagnose("[Output lamp]\nMeans=playing") == [
                "1: warning: [Output lamp] has no line, so it can be rehearsed, but does not drive anything (write Line=, or Chip= and Offset=, as listed by ‘tacet lines’, or write Enabled=no if this board does not have it)"
            ])
        #expect(
            try diagnose("[Output lamp]\nLine=A\nMeans=playing\nDebounce=5ms") == [
                "4: error: Debounce= is not supported in [Output lamp]: an output is driven, not read (remove it)"
            ])
        #expect(try diagnose("[Output amp]\nLine=A\nMeans=amplifier\nLead=11s").first?.contains("out of range") == true)
        #expect(
            try diagnose("[Output]\nMeans=playing").first
                == "1: error: [Output] has no name (write [Output NAME], such as [Output amplifier])")
    }

    @Test func anOutputCannotShareTheLineOfASignal() throws {
        #expect(
            try diagnose("[Signal alarm]\nLine=A\n[Output lamp]\nLine=A\nMeans=playing").first?.contains(
                "[Output lamp] uses A, which [Signal alarm] already uses") == true)
    }

    @Test func onlyTheMeaningOfAnOutputCanChangeDuringPlayback() throws {
        let before = try load("[Output amp]\nLine=A\nMeans=amplifier")
        let slower = try load("[Output amp]\nLine=A\nMeans=amplifier\nLead=1s")
        #expect(before.adopting(slower) == slower)
        for text in [
            "[Output amp]\nLine=B\nMeans=amplifier", "[Output amp]\nLine=A\nActiveLow=yes\nMeans=amplifier", "",
        ] {
            let other = try load(text)
            #expect(before.adopting(other) != other, "\(text)")
        }
    }
}
