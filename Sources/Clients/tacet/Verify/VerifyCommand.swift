import Configuration
import Simulation
import Time
import Verification

/// `tacet verify`: checks the rules in every reachable state of the session under this configuration.
enum VerifyCommand: Subcommand {
    static let manual = Manual(
        name: "verify", summary: "prove the rules for this configuration, in every reachable state",
        options: [
            .init("--config", .init("FILE", .file), "the configuration file; default: the installed one"),
            .init("--json", nil, "one JSON object"),
            .init("--time-limit", .init("TIME", .nothing), "stop exploring after TIME; default: 60s"),
            .init(
                "--memory-limit", .init("SIZE", .nothing), "stop exploring before using SIZE of memory; default: 1G"),
        ],
        text: """
            Visits every state that the session can reach under this configuration, through signals, users, sounds, the \
            sound device and power cuts, and checks the rules of interruptions in each. If a rule is broken, it prints only \
            the shortest path there, as a scenario for ‘tacet simulate’.

            It states how soon after the edge on its wire each signal takes effect at the latest: debounce, queue and \
            fade. The daemon logs a warning when a signal takes longer. It also states how soon cues and announcements are \
            heard if nothing of higher priority prevents it and the sound device is open, by how much the Lead= of an \
            amplifier delays them, and how soon a checkpoint begins.

            It also warns about likely mistakes: a signal that can never have an effect, an interruption that never \
            resumes, a cue that no other interruption lets through, a silence that nothing ends.

            If an [Output] is an amplifier, it also visits every state of it: music and sounds then begin and end at any \
            time, so that the result holds for every session.

            Assumptions: only one line chatters at a time; a signal can get stuck only if it has StuckAfter=; the \
            library has two tracks. Announcements are explored one at a time, with the priority of their sound; no \
            line chatters meanwhile, and the track does not change. Of sounds that differ only in what does not matter \
            to the rules, one is announced.

            If all signals together have more states than the limits of time and memory allow, it explores each signal, \
            each pair and each combination of three instead. Whatever the limits leave out is listed as ‘not explored’, \
            and the exit code is 0 unless a rule is broken in what was explored. Each limit can be ‘infinity’. How far it \
            has come is printed to standard error.
            """,
        failure: "a rule is broken, or the configuration has mistakes")

    static func run(_ options: Options) throws -> ExitCode {
        let loaded = try Configuration.load(options.values["--config"].map { .file($0) } ?? .system)
        let budget = ExplorationBudget(
            try limits(options), every: Terminal.progressInterval, report: Terminal.showProgress)
        let verdict = Verdict(loaded, budget: budget)
        Terminal.endProgress()
        if options.flags.contains("--json") {
            Terminal.say(verdict.json)
            return verdict.isGood ? .done : .failed
        }
        for warning in verdict.warnings { Terminal.complain(warning) }
        if let brokenRule = verdict.brokenRule { Terminal.complain("tacet: \(brokenRule)") }
        Terminal.say(verdict.text)
        return verdict.isGood ? .done : .failed
    }

    private static func limits(_ options: Options) throws(UsageError) -> ExplorationBudget.Limits {
        var limits = ExplorationBudget.Limits()
        if let text = options.values["--time-limit"] {
            limits.time = text == infinity ? nil : TimeSpan.parse(text)
            guard limits.time.map({ $0 > .zero }) ?? (text == infinity) else {
                throw UsageError("‘\(text)’ is not a time: write e.g. 60s, 10min or infinity", subcommand: manual.name)
            }
        }
        if let text = options.values["--memory-limit"] {
            limits.memory = text == infinity ? nil : ByteSize.parse(text)
            guard limits.memory.map({ $0 >= least }) ?? (text == infinity) else {
                throw UsageError(
                    "‘\(text)’ is not a size of at least \(ByteSize.format(least)): write e.g. 500M, 4G or infinity",
                    subcommand: manual.name)
            }
        }
        return limits
    }

    private static let infinity = "infinity"
    /// The least memory, in bytes, that suffices for anything.
    private static let least: Int64 = 64 << 20
}
