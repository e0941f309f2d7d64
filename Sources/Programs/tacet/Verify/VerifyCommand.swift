import Configuration
import Simulation
import Verification

/// `tacet verify`: every reachable state of the session, under this configuration.
enum VerifyCommand: Subcommand {
    static let manual = Manual(
        name: "verify", summary: "prove the rules for this configuration, in every state that there is",
        options: [
            .init("--config", .init("FILE", .file), "the configuration; without it, the installed one"),
            .init("--json", nil, "one JSON object"),
        ],
        text: """
            Visits every state that the session can get into under this configuration, by its signals, by users, by the \
            sound device and by the power, and checks in each that the rules of interruptions hold. If one is \
            broken, it prints the shortest way there as a scenario for ‘tacet simulate’, and nothing else.

            It states how soon after the edge of its wire each signal has taken effect: debounce, queue and fade. The \
            daemon logs a warning when a begin takes longer.

            It also warns of what is legal but odd: a signal that can never have an effect, an interruption that never \
            resumes, a silence that nothing ends.

            Lines that chatter do so one at a time. A signal gets stuck only if it has StuckAfter=. The library counts \
            as two tracks. Where all signals together have too many states, any three of them are looked at together, \
            and the answer says so.
            """,
        failure: "a rule is broken, or the configuration has mistakes")

    static func run(_ options: Options) throws -> ExitCode {
        let loaded = try Configuration.load(options.values["--config"].map { .file($0) } ?? .system)
        let verdict = Verdict(loaded)
        if options.flags.contains("--json") {
            Terminal.say(verdict.json)
            return verdict.isGood ? .done : .failed
        }
        for warning in verdict.warnings { Terminal.complain(warning) }
        if let complaint = verdict.complaint { Terminal.complain("tacet: \(complaint)") }
        Terminal.say(verdict.text)
        return verdict.isGood ? .done : .failed
    }
}
