import AudioSession
import Configuration
import Glibc
import Playback
import Simulation

/// `tacet simulate`: runs a scenario against a configuration on a virtual clock, without hardware.
enum SimulateCommand: Subcommand {
    static let manual = Manual(
        name: "simulate", summary: "rehearse a scenario without hardware",
        operand: .init("SCENARIO", "scenario", .one, .file),
        options: [
            .init("--config", .init("FILE", .file), "use this configuration file instead of the installed one"),
            .init(
                "--state", .init("DIR", .folder), "keep the saved state in DIR instead of discarding it after the run"),
            .init(
                "--input", .init("NAME=FILE", .file),
                "let this audio file arrive at the input NAME, again and again, instead of silence; this option may be "
                    + "given once for each input", repeats: true),
            .init("--wav", .init("OUT.wav", .file), "write the sound to a WAV file"),
            .init("--trace", .init("OUT.jsonl", .file), "write the events as one JSON object per line"),
            .init("--timeline", .init("OUT.svg", .file), "draw the run as a picture"),
            .init(
                "--recordings", .init("DIR", .folder),
                "write the recordings of a virtual microphone, whose frames contain their own numbers, into this empty folder"
            ),
        ] + PictureOptions.options(defaultTitle: "the length and the name of the scenario"),
        text: """
            Runs a scenario against the configuration. The supervisor is the real one, but the clock, the wires and the \
            sound device are virtual. An hour takes seconds, every event takes effect at its exact frame, and the same \
            input always gives the same output. The program prints each event with its consequences, unless an output is \
            ‘-’, which is standard output. If SCENARIO is ‘-’, it is read from standard input.
            """,
        listing: .init(
            "Each line of a scenario consists of a time, an event and its arguments. The times must not decrease. The character # "
                + "begins a comment at the beginning of a line and between spaces. The events are:",
            """
            2s     assert phone-call      a signal is asserted (after debouncing)
            5.25s  deassert phone-call    a signal is released
            6s     line phone-call 1      the electrical level of a line of a signal or button: 0, 1 or lost
            6s     complement door 0      the same for the second line of a changeover contact
            6s     command pause          a command: play, pause, playPause, stop, next, previous, hush,
                                          record, stopRecording, announce gong, seek 1:30 (or 12.5s, +10s,
                                          -10s), volume -6dB (or 50%, +3dB, -10%, mute),
                                          play stories/owl.flac --then stop
            6s     command announce gong --priority 80 --expire 5s --file delay.wav
                                          an announcement with its own priority, time to wait and file, whose path
                                          starts at the folder of the scenario
            6s     button play press      a button is pressed: press, long or double
            7s     device lost            the sound device disappears (device reset: it returns)
            7.5s   configuration 44100 2  the rate and the channels of the device change
            8s     route lost             the output is unplugged (route back: it is plugged in)
            8s     output muted           somebody mutes the output: muted, quiet or audible
            8s     capture lost           the microphone disappears (capture back: it returns)
            8s     input airplay 1        audio begins to arrive at an input (0: it ceases)
            8s     player mpd playing     a player changes by itself: playing, paused or gone
            8s     player mpd found paused   the same, but nobody has touched it
            8s     player mpd refuses     it ignores orders to pause until it is found or gone
            8s     asleep 10min           the system is suspended; lines may change meanwhile
            9s     power-cut              the power fails; lines may change until the boot
            10s    boot                   the power returns (events before a boot at 0s set the levels then)
            12s    end                    the rehearsal ends
            """))

    /// The files for inputs. The name of an input does not contain an equals sign.
    private static func inputFiles(_ options: Options) throws -> [InputID: Track] {
        var files: [InputID: Track] = [:]
        for value in options.lists["--input"] ?? [] {
            let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw UsageError("‘\(value)’ is not NAME=FILE", subcommand: manual.name)
            }
            guard files.updateValue(Track(path: parts[1]), forKey: InputID(parts[0])) == nil else {
                throw UsageError("--input is given twice for ‘\(parts[0])’", subcommand: manual.name)
            }
        }
        return files
    }

    static func run(_ options: Options) throws -> ExitCode {
        let outputs = ["--wav", "--trace", "--timeline"].compactMap { options.values[$0] }
        guard Set(outputs).count == outputs.count else {
            throw UsageError("two outputs have the same name", subcommand: manual.name)
        }
        if options.values["--timeline"] == nil, let option = PictureOptions.given(options) {
            throw UsageError("\(option) is for the picture: add --timeline OUT.svg", subcommand: manual.name)
        }

        let loaded = try Configuration.load(options.values["--config"].map { .file($0) } ?? .system)
        for warning in loaded.warnings { Terminal.complain("\(warning)") }
        let scenario = try Scenario.load(
            options.operands[0], for: loaded.configuration)

        var rehearsal = Rehearsal(configuration: loaded.configuration, scenario: scenario)
        rehearsal.stateFolder = options.values["--state"]
        rehearsal.wav = options.values["--wav"]
        rehearsal.trace = options.values["--trace"]
        rehearsal.timeline = options.values["--timeline"]
        rehearsal.title = PictureOptions.title(options)
        rehearsal.showsNotifications = PictureOptions.showsNotifications(options)
        rehearsal.recordings = options.values["--recordings"]
        rehearsal.inputFiles = try inputFiles(options)
        rehearsal.inputs = loaded.files + options.operands
        rehearsal.onWarning = { Terminal.complain("tacet: \($0)") }
        let outcome = try rehearsal.run()

        if !outputs.contains("-") {
            Terminal.say(TraceFormatter().lines(for: outcome.rows))
        }
        guard !outcome.nothingPlayable else {
            Terminal.complain(
                "tacet: \(loaded.configuration.playback.library ?? ""): no track can be played; copy music such as FLAC, Opus or "
                    + "MP3 files there, or set Library= to a folder or M3U playlist with music")
            return .failed
        }
        return .done
    }
}
