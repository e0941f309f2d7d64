import AudioSession
import Configuration
import Testing

@Suite struct WrittenCommandTests {
    @Test(arguments: [
        ("play", "play"), ("playPause", "playPause"), ("toggle", "playPause"), ("hush", "hush"), ("cancel", "hush"),
        ("seek 90s", "seek 90.0s"), ("seek 90", "seek 90.0s"), ("seek 1min30s", "seek 90.0s"),
        ("seek 1min 30s", "seek 90.0s"), ("seek 1:30", "seek 90.0s"), ("seek 01:30.5", "seek 90.5s"),
        ("seek 90:00", "seek 5400.0s"), ("seek 1:02:03", "seek 3723.0s"), ("seek 0:00", "seek 0.0s"),
        ("volume mute", "volume mute"), ("volume -6 dB", "volume -6dB"), ("volume 0dB", "volume 0dB"),
        ("volume 100%", "volume 0dB"), ("volume 50%", "volume -6.02dB"), ("volume 12.5 %", "volume -18.06dB"),
        ("volume 0%", "volume mute"), ("announce gong", "announce gong"), ("  announce\tgong ", "announce gong"),
    ]) func parsesCommands(text: String, command: String) throws {
        guard case .command(let parsed) = try WrittenCommand.parse(text) else {
            Issue.record("\(text) is relative")
            return
        }
        #expect(parsed.description == command)
        #expect(try WrittenCommand.parse(command).description == command)
    }

    @Test(arguments: [
        ("seek +10s", "seek +10.0s", WrittenCommand.seek(by: .seconds(10))),
        ("seek -10s", "seek -10.0s", .seek(by: .seconds(-10))), ("seek +1:30", "seek +90.0s", .seek(by: .seconds(90))),
        ("seek -1min 30s", "seek -90.0s", .seek(by: .seconds(-90))), ("seek +0s", "seek +0.0s", .seek(by: .zero)),
        ("volume +3dB", "volume +3dB", .changeVolume(decibels: 3)),
        ("volume +10%", "volume +10%", .changeAmplitude(percent: 10)),
        ("volume -2.5 %", "volume -2.5%", .changeAmplitude(percent: -2.5)),
    ]) func parsesRelativeCommands(text: String, written: String, command: WrittenCommand) throws {
        let parsed = try WrittenCommand.parse(text)
        #expect(parsed == command && parsed.description == written)
        #expect(try WrittenCommand.parse(written) == command)
    }

    @Test(arguments: [
        ("play owl.flac", ChoiceRequest("owl.flac")),
        ("play My Songs -- live/a b.flac", ChoiceRequest("My Songs -- live/a b.flac")),
        ("play a --at 1:30 --then stop", ChoiceRequest("a", at: .seconds(90), then: .stop)),
        ("play a --then repeat --at 1min 30s", ChoiceRequest("a", at: .seconds(90), then: .repeat)),
    ]) func parsesChoices(text: String, request: ChoiceRequest) throws {
        #expect(try WrittenCommand.parse(text) == .choose(request))
        #expect(try WrittenCommand.parse("play \(request)") == .choose(request))
    }

    @Test func choiceHasANameOfAtMostAPath() {
        let long = String(repeating: "ö", count: 2049)
        #expect(throws: CommandError.self) { try WrittenCommand.parse("play \(long)") }
        #expect(throws: Never.self) { try WrittenCommand.parse("play \(long.dropFirst())") }
    }

    @Test func minusSignIsAStepForButtonsOnly() throws {
        let level = try #require(Level(decibels: -3))
        #expect(try WrittenCommand.parse("volume -3dB") == .command(.volume(level)))
        #expect(try WrittenCommand.parse("volume -3dB", minus: .step) == .changeVolume(decibels: -3))
    }

    @Test(arguments: [
        ("sing", "‘sing’ is not a command: write play, pause"),
        ("pley", "‘pley’ is not a command: did you mean ‘play’?"),
        ("", "‘’ is not a command"), ("pause loud", "‘pause’ takes no argument: write pause alone"),
        ("play a --loud", "‘--loud’ is not an option of play: write --at POSITION, or --then continue, stop or repeat"),
        ("play a --at far", "‘far’ is not a position: write 1:30"), ("play a --at", "‘--at’ needs a position"),
        ("play a --then never", "‘never’ cannot follow a choice: write continue, stop or repeat"),
        ("play --then stop", "‘play’ does not name anything: write a track, folder or playlist"),
        ("announce", "‘announce’ does not name a sound: write announce with the NAME"),
        ("announce two gongs", "‘two gongs’ is not the name of a sound"), ("announce gong\n", "‘gong\n’ is not"),
        ("seek", "‘seek’ needs a position: write 1:30, 1:02:03, 90s or 1min 30s, or a step such as +10s or -10s"),
        ("seek far", "‘far’ is not a position: write 1:30"), ("seek --5s", "‘--5s’ is not a position"),
        ("seek 1:75", "‘1:75’ is not a position: write 1:30"),
        ("volume", "‘volume’ needs a level: write a level from -120dB to 0dB, such as -6dB"),
        (
            "volume loud",
            "‘loud’ is not a level: write a level from -120dB to 0dB, such as -6dB, a percentage such as 50%"
        ),
        ("volume 6", "‘6’ has no unit: write a level"), ("volume -6dB now", "‘-6dB now’ is not a level"),
        ("volume 3dB", "‘3dB’ is out of range: write a level from -120dB to 0dB, such as -6dB, or a step such as +3dB"),
        ("volume 120%", "‘120%’ is out of range: write a percentage from 0% to 100%, or a step such as +10% or -10%"),
        ("volume -120%", "‘-120%’ is out of range: write a step of at most 100%"),
        ("volume +90dB", "‘+90dB’ is out of range: write a step of at most 60dB, such as +3dB"),
        ("volume +0dB", "‘+0dB’ changes nothing: write a step"), ("volume %", "‘%’ is not a level"),
    ]) func errorNamesWhatIsRight(text: String, error: String) {
        #expect { try WrittenCommand.parse(text) } throws: { "\($0)".hasPrefix(error) }
    }

    @Test(arguments: [
        "1:5", "1:60", "1:60:00", "1:00:60", "1:", ":30", "1.5:00", "1:2:3:4", "1:+5", "1:30s", "12345:00",
    ])
    func clockHasTwoDigitsAfterEachColon(position: String) {
        #expect { try WrittenCommand.parse("seek \(position)") } throws: {
            "\($0)".hasSuffix("each part after a colon has two digits, from 00 to 59")
        }
    }

    // MARK: Relative commands

    /// MPRIS: "If this would mean seeking back further than the start of the track, the position should be set to 0. If
    /// the value passed in would mean seeking beyond the end of the track, acts like a call to Next."
    @Test(arguments: [
        (Duration.seconds(10), Command.seek(to: .seconds(40))), (.seconds(-10), .seek(to: .seconds(20))),
        (.seconds(-31), .seek(to: .zero)), (.seconds(30), .seek(to: .seconds(60))), (.seconds(31), .next),
    ]) func relativeSeekStaysInsideTheTrack(offset: Duration, command: Command) {
        let written = WrittenCommand.seek(by: offset)
        #expect(written.sessionCommand(at: .full, position: .seconds(30), trackLength: .seconds(60)) == command)
    }

    @Test func relativeSeekWithoutALengthKeepsItsTarget() {
        let written = WrittenCommand.seek(by: .seconds(100))
        #expect(written.sessionCommand(at: .full, position: .seconds(30)) == .seek(to: .seconds(130)))
        #expect(written.sessionCommand(at: .full) == .seek(to: .seconds(100)))
    }

    @Test func volumeStepIsClampedAtFullAndMute() throws {
        let almostFull = try #require(Level(decibels: -2))
        #expect(WrittenCommand.changeVolume(decibels: 3).sessionCommand(at: almostFull) == .volume(.full))
        #expect(WrittenCommand.changeVolume(decibels: -60).sessionCommand(at: .mute) == .volume(.mute))
        #expect(WrittenCommand.changeAmplitude(percent: 50).sessionCommand(at: almostFull) == .volume(.full))
        #expect(WrittenCommand.changeAmplitude(percent: -100).sessionCommand(at: almostFull) == .volume(.mute))
        #expect(WrittenCommand.command(.playPause).sessionCommand(at: .full) == .playPause)
    }

    /// A percentage is the volume of MPRIS, so a slider and a command agree.
    @Test func percentStepChangesTheVolumeOfMPRIS() {
        let half = Level(amplitude: 0.5)
        guard case .volume(let level) = WrittenCommand.changeAmplitude(percent: 25).sessionCommand(at: half) else {
            Issue.record("not a volume")
            return
        }
        #expect(abs(level.amplitude - 0.75) < 1e-9)
    }
}
