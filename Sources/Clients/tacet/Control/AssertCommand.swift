import Configuration
import Systemd
import Time

/// `tacet assert`: asserts a signal for as long as this program, or a command, runs.
enum AssertCommand: Subcommand {
    static let manual = Manual(
        name: "assert", summary: "assert a signal, for as long as a command runs",
        operand: .init("NAME", "signal", .one, .nothing), takesCommand: true,
        options: [
            .init("--for", .init("TIME", .words(["10s", "1min", "1h"])), "release it after this long"),
            DaemonConnection.option,
        ],
        text: """
            Asserts a signal with Source=bus. With a command, the signal is asserted while the command runs, however it \
            ends: tacet assert phone-call -- my-voip-call. The exit code is then the command's (128 plus the signal's \
            number if a signal killed it; 127 if there is no such command, 126 if it cannot be run). Without a command, \
            it is asserted until Ctrl-C, or for the time of --for.

            The command always runs: if the supervisor is not running, or rejects the signal, this program says so on \
            standard error, and asserts the signal as soon as it can. A restart of the supervisor or of the bus, and a \
            configuration that lacks the signal for a while, are bridged: the signal is asserted again.

            SIGTERM and SIGHUP are passed to the command. If it ignores them, it still runs, and the signal stays \
            asserted. If this program is killed, the signal is lost, LostGrace= and WhenLost= apply, and the command \
            continues without it. A command that becomes a daemon ends for this program when its first process does: \
            use its option for the foreground.

            Several programs can assert one signal: it is released when the last of them has ended. tacet deassert \
            releases it for all of them. Only root and the group tacet may do this.
            """,
        failure: "the supervisor rejected the signal", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        var time: Duration?
        if let text = options.values["--for"] {
            guard let parsed = TimeSpan.parse(text), parsed >= .milliseconds(1) else {
                throw UsageError("‘\(text)’ is not a time: write 10s, or 1min 30s", subcommand: manual.name)
            }
            time = parsed
        }
        let assertion = try Assertion(
            of: options.operands[0], on: try DaemonConnection.bus(options), for: time, during: options.command)
        return try assertion.run()
    }
}

/// `tacet deassert`: releases a signal for all programs that assert it.
enum DeassertCommand: Subcommand {
    static let manual = Manual(
        name: "deassert", summary: "release a signal that programs assert",
        operand: .init("NAME", "signal", .one, .nothing), options: [DaemonConnection.option],
        text: """
            Releases a signal with Source=bus for all programs that assert it; its ReleaseDelay= applies. A program that \
            asserts it again is free to do so. This also clears the fault of a signal whose program has disappeared. \
            Prints the answer: success, or commandFailed while another configuration is being applied. Only root and the \
            group tacet may do this.
            """,
        failure: "the signal was not released", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let answer = try DaemonConnection(options).set(options.operands[0], asserted: false)
        Terminal.say(answer.name)
        return answer == .success ? .done : .failed
    }
}
