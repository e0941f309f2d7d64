import AudioSession
import Configuration
import Glibc
import Simulation

/// `tacet simulate`: runs a scenario against a configuration on a virtual clock, without hardware.
enum SimulateCommand: Subcommand {
    static let manual = Manual(
        name: "simulate", summary: "rehearse a scenario: no hardware, no waiting",
        operand: .init("SCENARIO", "scenario", .one, .file),
        options: [
            .init("--config", .init("FILE", .file), "the configuration file; default: the installed one"),
            .init("--state", .init("DIR", .folder), "keep the saved state in DIR; default: discard it after the run"),
            .init("--wav", .init("OUT.wav", .file), "write the sound to a WAV file"),
            .init("--trace", .init("OUT.jsonl", .file), "write the events, one JSON object per line"),
            .init("--timeline", .init("OUT.svg", .file), "draw the run as a picture"),
            .init(
                "--recordings", .init("DIR", .folder),
                "write what is recorded of the microphone, whose frames are their own numbers, into this empty folder"),
        ] + PictureOptions.options(defaultTitle: "the length and the name of the scenario"),
        text: """
            Runs the real supervisor on a virtual clock: an hour takes seconds, the same input gives the same bytes, \
            and every event takes effect at its exact frame. Prints the events in plain words, unless an output is ‘-’ \
            (standard output). SCENARIO ‘-’ is standard input.
            """,
        listing: .init(
            "Each line of a scenario is a time, an event and its arguments; # starts a comment; times never decrease:",
            """
            2s     assert phone-call      a signal, after conditioning
            5.25s  deassert phone-call
            6s     line phone-call 1      the raw electrical level: 0, 1 or lost
            6s     command pause          play pause playPause stop next previous, seek 12.5s, volume -6dB,
                                          announce gong, hush, record, stopRecording
            7s     device lost            device reset
            7.5s   configuration 44100 2  the device's rate and channels change
            8s     route lost             route back
            8s     capture lost           capture back: the microphone's device
            8s     asleep 10min           the system is suspended; wires may change meanwhile
            9s     power-cut              wires may change until the boot
            10s    boot                   (lines above a boot at 0s: the levels before it)
            12s    end
            """))

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
            options.operands[0], signals: loaded.configuration.session.signals.map(\.id))

        var rehearsal = Rehearsal(configuration: loaded.configuration, scenario: scenario)
        rehearsal.stateFolder = options.values["--state"]
        rehearsal.wav = options.values["--wav"]
        rehearsal.trace = options.values["--trace"]
        rehearsal.timeline = options.values["--timeline"]
        rehearsal.title = PictureOptions.title(options)
        rehearsal.showsNotifications = PictureOptions.showsNotifications(options)
        rehearsal.recordings = options.values["--recordings"]
        rehearsal.inputs = loaded.files + options.operands
        rehearsal.onWarning = { Terminal.complain("tacet: \($0)") }
        let outcome = try rehearsal.run()

        if !outputs.contains("-") {
            Terminal.say(TraceFormatter().lines(for: outcome.rows))
        }
        guard !outcome.nothingPlayable else {
            Terminal.complain(
                "tacet: \(loaded.configuration.playback.library ?? ""): no track can be played; put music there "
                    + "(such as FLAC, Opus or MP3 files), or set Library= to a folder or M3U playlist with music")
            return .failed
        }
        return .done
    }
}
