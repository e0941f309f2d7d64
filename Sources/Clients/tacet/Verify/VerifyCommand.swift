import Configuration
import Simulation
import Time
import Verification

/// `tacet verify`: checks the rules in every reachable state of the session under this configuration.
enum VerifyCommand: Subcommand {
    static let manual = Manual(
        name: "verify", summary: "prove the rules for this configuration in every reachable state",
        options: [
            .init("--config", .init("FILE", .file), "use this configuration file instead of the installed one"),
            .init("--json", nil, "print one JSON object"),
            .init("--time-limit", .init("TIME", .nothing), "stop exploring after TIME (default: 60s)"),
            .init(
                "--memory-limit", .init("SIZE", .nothing), "stop exploring before using SIZE of memory (default: 1G)"),
        ],
        text: """
            Visits every state that the session can reach under this configuration through signals, users, sounds, the sound \
            device and power cuts, and checks the rules of interruptions in each state. If a rule is broken, the program \
            prints only the shortest path to the violation, as a scenario for ‘tacet simulate’.

            The program also prints bounds. For each signal, it prints the longest time from its assertion until it has taken \
            full effect, which consists of debounce, queue and fade. The daemon logs a warning if a signal takes longer. For \
            cues and announcements, it prints the longest time until they begin if the sound device is open and no sound of \
            a higher priority plays. It also prints the delay that the Lead= of an amplifier causes, and the longest time \
            until a checkpoint begins.

            It warns about likely mistakes, such as a signal that can never have an effect, an interruption that never \
            resumes, a cue that is never played during another interruption, or music that can stay silent for good.

            If an [Output] is an amplifier, the program also visits every state of the amplifier. In this exploration, music \
            and sounds begin and end at any time, so the result holds for every session.

            If there are inputs or players, the program also visits the states of one input of each role, the player of one \
            of them, one player without an input, and two signals besides those of the page. All of these together have too \
            many states, so some of them are explored at a time. In this exploration, everything happens at one instant.

            The exploration makes some assumptions. Only one line chatters at a time. A signal can get stuck only if it has \
            StuckAfter=. The library has two tracks. Announcements are explored one at a time and with the priority of their \
            sound, and meanwhile no line chatters and the track does not change. Of several sounds that do not differ in any \
            way that matters to the rules, only one is announced.

            If a button chooses what plays, choices are also explored. A choice has one track, and meanwhile no line chatters \
            and the route is not lost.

            If [Recording] has During=interruptions, interruptions do not affect recording, and the texts of the rules 4, 13 \
            and 14 say so.

            With more than three signals, equivalent states count once, and only one of them is visited. States are \
            equivalent if they differ only in which of several similar signals is asserted or stuck, in whether an asserted \
            line chatters, or in facts that no rule refers to, such as the track. Signals are similar if everything but \
            their names and lines has the same effect on the session. With more than five signals, at most two similar \
            ones are explored at a time, and at most two lines change while the power is off.

            If all signals together have more states than the limits of time and memory allow, the program explores each \
            signal, each pair and each combination of three instead. It lists everything that the limits leave out as ‘not \
            explored’. The exit code is 0 unless a rule is broken in the explored part. Each limit can be ‘infinity’. The \
            progress is printed to standard error.
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
                throw UsageError(
                    "‘\(text)’ is not a time: write a time such as 60s or 10min, or infinity", subcommand: manual.name)
            }
        }
        if let text = options.values["--memory-limit"] {
            limits.memory = text == infinity ? nil : ByteSize.parse(text)
            guard limits.memory.map({ $0 >= least }) ?? (text == infinity) else {
                throw UsageError(
                    "‘\(text)’ is not a size of at least \(ByteSize.format(least)): write a size such as 500M or 4G, or infinity",
                    subcommand: manual.name)
            }
        }
        return limits
    }

    private static let infinity = "infinity"
    /// The minimum amount of memory, in bytes, with which an exploration is useful.
    private static let least: Int64 = 64 << 20
}
