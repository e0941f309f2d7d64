import Configuration
import Systemd
import Time

/// `tacet assert`: asserts a signal for as long as this program, or a command, runs.
enum AssertCommand: Subcommand {
    static let manual = Manual(
        name: "assert", summary: "assert a signal while a command runs",
        operand: .init("NAME", "signal", .one, .nothing), takesCommand: true,
        options: [
            .init("--for", .init("TIME", .words(["10s", "1min", "1h"])), "release the signal after this time"),
            .init("--stdin", nil, "read the level of the signal from standard input, as lines with 1 or 0"),
            .init(
                "--lease", .init("TIME", .words(["500ms", "2s", "10s"])),
                "with --stdin, lose the signal if no line has stated its level for this time (default: 2s)"),
            DaemonConnection.option,
        ],
        text: """
            Asserts a signal that has Source=bus. With a command after ‘--’, the signal is asserted while the command \
            runs, and it is released however the command ends. The exit code is then that of the command. It is 128 plus \
            the number of the signal if a signal killed the command, 127 if there is no such command, and 126 if the \
            command cannot be run. Without a command, the signal is asserted until you press Ctrl-C, or for the time of \
            --for.

            The command always runs. If the daemon is not running, does not answer or rejects the signal, the program \
            reports this on standard error and asserts the signal as soon as it can. If the daemon or the bus restarts, or \
            if the configuration lacks the signal for a while, the signal is asserted again afterwards.

            Without a command, the program fails if the daemon rejects the signal or is not running. If the daemon or the \
            bus is too busy to answer, it keeps trying. With --for, it also waits for a daemon that is not running. The \
            attempts then last for the time of --for, or for 2s if that is longer, and the signal is asserted for the time \
            of --for afterwards.

            At the end, the program waits for up to half a minute until the daemon has released the signal. Another SIGINT \
            or SIGTERM ends it at once, and the signal is lost.

            SIGTERM and SIGHUP are passed to the command. If the command ignores them, it continues and the signal stays \
            asserted. If this program is killed, the signal is lost, so LostGrace= and WhenLost= apply, and the command \
            continues. If the command becomes a daemon, its end is the end of its first process. Use the option that keeps \
            such a program in the foreground.

            With --stdin, another program states the level of an input that Tacet cannot read itself. It writes lines with \
            1, which asserts the signal, and with 0, which releases it, and it repeats the level even if that has not \
            changed. Any other line is ignored, apart from a message about the first one. If no line has stated the level \
            for the time of --lease, or if one of the two programs ends, the signal is lost, so LostGrace= and WhenLost= \
            apply. The next line with a level ends the loss. The example tacet-adapter in \
            /usr/share/doc/tacet/examples uses this.

            Several programs can assert the same signal. It is released when the last of them has ended. ‘tacet deassert’ \
            releases it for all of them. Only root and members of the group tacet may assert signals.
            """,
        examples: [
            .init("Assert a signal during a call:", "tacet assert phone-call -- my-voip-call"),
            .init(
                "Follow an input that a command reads:",
                "while piTest -1 -q -r I_1; do sleep 0.05; done | tacet assert door --stdin"),
        ],
        failure: "the daemon rejected the signal, or standard input has ended", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let time = try time("--for", in: options, .milliseconds(1) ... .seconds(100_000_000_000))
        let lease = try self.time("--lease", in: options, .milliseconds(100) ... .seconds(3_600))
        if options.flags.contains("--stdin") {
            guard time == nil, options.command.isEmpty else {
                throw UsageError("--stdin cannot be combined with --for or with a command", subcommand: manual.name)
            }
            return try InputAssertion(
                of: options.operands[0], on: try DaemonConnection.bus(options), lease: lease ?? .seconds(2)
            ).run()
        }
        guard lease == nil else { throw UsageError("--lease needs --stdin", subcommand: manual.name) }
        let assertion = try Assertion(
            of: options.operands[0], on: try DaemonConnection.bus(options), for: time, during: options.command)
        return try assertion.run()
    }

    /// Returns the value of an option, or nil if it is not given.
    private static func time(
        _ name: String, in options: Options, _ range: ClosedRange<Duration>
    ) throws(UsageError) -> Duration? {
        guard let text = options.values[name] else { return nil }
        guard let time = TimeSpan.parse(text) else {
            throw UsageError("‘\(text)’ is not a time: write 10s or 1min 30s", subcommand: manual.name)
        }
        guard range.contains(time) else {
            throw UsageError(
                "\(name) must be from \(TimeSpan.format(range.lowerBound)) to \(TimeSpan.format(range.upperBound))",
                subcommand: manual.name)
        }
        return time
    }
}

/// `tacet deassert`: releases a signal for all programs that assert it.
enum DeassertCommand: Subcommand {
    static let manual = Manual(
        name: "deassert", summary: "release a signal that programs assert",
        operand: .init("NAME", "signal", .one, .nothing), options: [DaemonConnection.option],
        text: """
            Releases a signal that has Source=bus for all programs that assert it. Its ReleaseDelay= applies. A program \
            may assert the signal again. This command also clears the fault of a signal whose program has disappeared. \
            It fails while another configuration is being applied. Only root and members of the group tacet may release \
            signals.
            """,
        failure: "the signal was not released", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let answer = try DaemonConnection(options).set(options.operands[0], asserted: false)
        Terminal.say(answer == .success ? "Released." : "Not released: another configuration is being applied.")
        return answer == .success ? .done : .failed
    }
}
