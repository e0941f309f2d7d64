import AudioSession
import Configuration
import Foundation
import Simulation
import Testing

@Suite struct BadInputTests {
    @Test(arguments: [
        ("2s asert phone-call", "there is no event ‘asert’: did you mean ‘assert’?"),
        ("2s assert phonecall", "there is no signal ‘phonecall’: did you mean ‘phone-call’?"),
        (
            "2s command pley",
            "‘pley’ is not a command: did you mean ‘play’? write play, pause, playPause, stop, next, previous, hush, "
                + "record, stopRecording, seek 1:30, volume -6dB or announce NAME"
        ),
        (
            "2s command seek",
            "‘seek’ needs a position: write 1:30, 1:02:03, 90s or 1min 30s, or a step such as +10s or -10s"
        ),
        (
            "2s command seek far",
            "‘far’ is not a position: write 1:30, 1:02:03, 90s or 1min 30s, or a step such as +10s or -10s"
        ),
        (
            "2s command volume 3dB",
            "‘3dB’ is out of range: write a level from -120dB to 0dB, such as -6dB, or a step such as +3dB or -10%"
        ),
        ("soon assert alarm", "‘soon’ is not a time: write 2s, 5.25s, 300ms or 1min30s"),
        (
            "2s",
            "there is no event after the time: write one of assert, deassert, line, complement, button, command, "
                + "device, configuration, route, capture, input, output, player, asleep, power-cut, boot or end"
        ),
        (
            "2s line alarm high",
            "write a signal or a button and its electrical level: line phone-call 1 (or 0, or lost)"
        ),
        ("2s device broken", "write device lost or device reset"),
        (
            "2s configuration 44100",
            "write the device's rate, 8000 to 384000 Hz, and 1 to 8 channels: configuration 44100 2"
        ),
        ("2s boot", "the system is already running: a power-cut must come first"),
        ("2s assert", "name one signal: phone-call, alarm or cover-closed"),
        ("2s power-cut now", "power-cut takes no arguments"),
    ]) func mistakeIsReportedWithItsLineAndAdvice(line: String, complaint: String) throws {
        let lab = try Lab()
        lab.expectMistake(in: line, complaint)
    }

    @Test func allMistakesAreReportedAtOnce() throws {
        let lab = try Lab()
        #expect {
            try lab.rehearsal("3s assert alarm\n2s end\n4s foo\n5s power-cut\n6s power-cut\n7s end\n8s boot")
        } throws: { error in
            let mistakes = (error as? ScenarioError)?.mistakes ?? []
            return mistakes.map(\.line) == [2, 3, 5, 7]
        }
    }

    @Test func missingScenarioIsAnError() throws {
        #expect {
            try Scenario.load("/nonexistent/scenario", for: .builtIn)
        } throws: {
            "\($0)" == "cannot read the scenario /nonexistent/scenario: No such file or directory"
        }
    }

    /// /dev/zero has no end.
    @Test(arguments: ["/dev/zero", "/dev/full"]) func deviceIsNotAScenario(path: String) throws {
        #expect {
            try Scenario.load(path, for: .builtIn)
        } throws: {
            "\($0)".hasPrefix("cannot read the scenario \(path): it is a device, not a file; ")
        }
    }

    @Test func pipeIsNotAScenarioAndIsNotWaitedFor() throws {
        let lab = try Lab()
        let pipe = lab.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect {
            try Scenario.load(pipe, for: .builtIn)
        } throws: {
            "\($0)".contains("it is a FIFO, not a file")
        }
    }

    @Test func longScenarioIsRejectedUnread() throws {
        let lab = try Lab()
        let path = lab.path("long")
        try Data(repeating: UInt8(ascii: "#"), count: (4 << 20) + 1).write(to: URL(fileURLWithPath: path))
        #expect {
            try Scenario.load(path, for: .builtIn)
        } throws: {
            "\($0)".contains("it is longer than 4 MiB")
        }
    }

    @Test func corruptTrackIsSkippedAndTheMusicContinues() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        try "no music".write(toFile: lab.path("music/2.flac"), atomically: true, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: lab.path("music/3.wav")))
        try lab.addNumberedTrack("4.wav", seconds: 1)
        let rows = try lab.run("0.5s command next\n1s command previous\n5s end")
        #expect(try rows.at("command next").track == "4.wav")
        #expect(try rows.at("command previous").track == "1.wav")
        #expect(rows.events.suffix(3) == ["2.0 track ended", "3.0 playlist ended", "5.0 end"])
        #expect(lab.warnings.filter { $0.hasPrefix("skipped: ") }.count == 2)
    }

    @Test func findsTheOnePlayableTrackAmongFiveThousandBadFiles() throws {
        let lab = try Lab()
        for number in 0..<5000 {
            try "no music".write(toFile: lab.path("music/\(number).flac"), atomically: false, encoding: .utf8)
        }
        try lab.addNumberedTrack("good.wav", seconds: 1)
        let rows = try lab.run("3s end")
        #expect(try rows.at("boot").track == "good.wav" && rows.at("boot").directive == .play(.full))
        #expect(rows.events == ["0.0 boot", "1.0 playlist ended", "3.0 end"])
        #expect(lab.warnings.filter { $0.hasPrefix("skipped: ") }.count == 5000)
    }

    @Test func libraryWithoutAPlayableTrackIsReported() throws {
        let lab = try Lab()
        try "no music".write(toFile: lab.path("music/1.flac"), atomically: true, encoding: .utf8)
        let outcome = try lab.rehearsal("1s command play\n2s end").run()
        #expect(outcome.nothingPlayable)
        #expect(try outcome.rows.at("command play").answer == .noActionableNowPlayingItem)
    }

    @Test func failedOutputLeavesNoPartialFiles() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        var rehearsal = try lab.rehearsal("1s end")
        rehearsal.wav = lab.path("heard.wav")
        rehearsal.trace = lab.path("nowhere/trace.jsonl")
        #expect {
            try rehearsal.run()
        } throws: {
            "\($0)" == "cannot write \(lab.path("nowhere/trace.jsonl")): No such file or directory"
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: lab.folder)
        #expect(left.sorted() == ["music", "scenario", "tacet.conf"])
    }

    @Test func failedRecordingLeavesNoTrace() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        var rehearsal = try lab.rehearsal("1s end")
        rehearsal.trace = lab.path("trace.jsonl")
        rehearsal.wav = "/dev/full"
        #expect(throws: SimulationError.self) { try rehearsal.run() }
        let left = try FileManager.default.contentsOfDirectory(atPath: lab.folder)
        #expect(left.sorted() == ["music", "scenario", "tacet.conf"])
    }

    @Test func fullDiskIsAnErrorWithTheSystemsMessage() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        var rehearsal = try lab.rehearsal("1s end")
        rehearsal.wav = "/dev/full"
        #expect {
            try rehearsal.run()
        } throws: {
            "\($0)".contains("/dev/full") && "\($0)".contains("No space left on device")
        }
    }

    /// Skipping corrupt tracks reaches the end of the list, which stops the music. After that, `play` finds the good
    /// track.
    @Test(arguments: ["next", "previous"]) func corruptTrackAtTheEndOfTheListStopsTheMusic(command: String) throws {
        let lab = try Lab()
        try "no music".write(toFile: lab.path("music/0.flac"), atomically: true, encoding: .utf8)
        try lab.addNumberedTrack("1.wav", seconds: 10)
        try "no music".write(toFile: lab.path("music/2.flac"), atomically: true, encoding: .utf8)
        let rows = try lab.run("1s command \(command)\n2s command play\n3s end")
        let state = try rows.at("command \(command)")
        #expect(state.answer == .success && state.intent == .stopped && state.track == "1.wav")
        #expect(try rows.at("command play").answer == .success)
        #expect(try rows.at("end").position == .seconds(1))
    }

    @Test func corruptRepeatedTrackIsSkippedForTheNext() throws {
        let lab = try Lab("[Playback]\nLibrary=music\nRepeat=track")
        try "no music".write(toFile: lab.path("music/0.flac"), atomically: true, encoding: .utf8)
        try lab.addNumberedTrack("1.wav", seconds: 1)
        let rows = try lab.run("2.5s end")
        #expect(rows.events == ["0.0 boot", "1.0 track ended", "2.0 track ended", "2.5 end"])
        #expect(try rows.at("end").track == "1.wav")
    }

    @Test func noOutputReplacesAnInputOrAnotherOutput() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        for output in ["music/1.wav", "scenario"] {
            var rehearsal = try lab.rehearsal("1s end")
            rehearsal.inputs = [lab.path("scenario")]
            rehearsal.wav = lab.path(output)
            #expect(throws: SimulationError.self) { try rehearsal.run() }
        }
        var twice = try lab.rehearsal("1s end")
        twice.trace = lab.path("out")
        twice.timeline = lab.path("music/../out")
        #expect(throws: SimulationError.self) { try twice.run() }
        #expect(try lab.left(lab.path("music/1.wav")).count == 48_000)
    }

    @Test func outputFollowsASymbolicLink() throws {
        let lab = try Lab()
        try lab.addNumberedTrack("1.wav", seconds: 1)
        try FileManager.default.createSymbolicLink(atPath: lab.path("link"), withDestinationPath: lab.path("real"))
        try Data().write(to: URL(fileURLWithPath: lab.path("real")))
        var rehearsal = try lab.rehearsal("1s end")
        rehearsal.trace = lab.path("link")
        _ = try rehearsal.run()
        #expect(try String(contentsOfFile: lab.path("real"), encoding: .utf8).contains("boot"))
    }

    @Test func overlongScenarioIsRejected() throws {
        let lab = try Lab()
        #expect {
            try lab.rehearsal("100000000000s assert alarm\n20000000000s end")
        } throws: {
            "\($0)".contains("scenario:1: a scenario can last at most 31 days")
        }
    }
}
