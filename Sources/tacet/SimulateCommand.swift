import AudioSession
import Configuration
import Glibc
import Simulation

/// `tacet simulate`: plays a scenario against a configuration, with no hardware and in no time.
enum SimulateCommand: Subcommand {
    static let name = "simulate"
    static let usage = "simulate SCENARIO [--config FILE] …"
    static let summary = "rehearse a scenario: no hardware, no waiting"
    static let help = """
        Usage: tacet simulate SCENARIO [--config FILE] [--state DIR] [--wav OUT.wav] [--trace OUT.jsonl]
                              [--timeline OUT.svg]

        Runs the real supervisor on a virtual clock: an hour takes seconds, the same input gives the same bytes,
        and everything happens at its exact frame. Prints what happened in plain words, unless an output is ‘-’,
        which is standard output. SCENARIO ‘-’ is standard input.

          --config FILE     the configuration; without it, the installed one
          --state DIR       keep the saved state there; without it, it lives and dies with the run
          --wav OUT.wav     what is heard
          --trace OUT.jsonl what happens, a JSON object a line
          --timeline OUT.svg  a picture of it

        A scenario's line is a time, an event and its arguments; # begins a comment; times never go back:

          2s     assert phone-call      a signal, as it is after conditioning
          5.25s  deassert phone-call
          6s     line phone-call 1      the raw electrical level: 0, 1 or lost
          6s     command pause          play pause playPause stop next previous, seek 12.5s, volume -6dB
          7s     device lost            device reset
          7.5s   configuration 44100 2  the device's rate and channels change
          8s     route lost
          9s     power-cut              wires may change until the boot
          10s    boot
          12s    end

        Exit codes: 0 done, 1 failed, 64 usage.
        """

    static func run(_ arguments: [String]) throws -> ExitCode {
        let known = ["--config", "--state", "--wav", "--trace", "--timeline"]
        let options = try Options(arguments, known: known, subcommand: name)
        guard options.operands.count == 1 else {
            throw UsageError(
                options.operands.isEmpty ? "name a scenario" : "name one scenario only", subcommand: name)
        }
        let outputs = ["--wav", "--trace", "--timeline"].compactMap { options.values[$0] }
        guard Set(outputs).count == outputs.count else {
            throw UsageError("two outputs have the same name", subcommand: name)
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
        rehearsal.inputs = loaded.files + options.operands
        rehearsal.onWarning = { Terminal.complain("tacet: \($0)") }
        let outcome = try rehearsal.run()

        if !outputs.contains("-") {
            for line in Story(loaded.configuration).tell(outcome.rows) { print(line) }
        }
        guard !outcome.nothingPlayable else {
            Terminal.complain(
                "tacet: \(loaded.configuration.playback.library ?? ""): no track can be played; put music there "
                    + "(WAV, FLAC, Ogg Vorbis, Opus or MP3), or set Library= to a folder or an M3U that has some")
            return .failed
        }
        return .done
    }
}
