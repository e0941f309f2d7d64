import Files
import Glibc
import SessionClient
import Spelling

/// `tacet monitor`: prints every event as it happens.
enum MonitorCommand: Subcommand {
    static let manual = Manual(
        name: "monitor", summary: "follow every event as it happens",
        options: [.init("--json", nil, "print one JSON object per line"), DaemonConnection.option],
        text: """
            Prints the current state, and then a line for each event with the time of day, the event and its consequence. \
            If the daemon stops, the program reports this and waits until the daemon returns. It ends when you press \
            Ctrl-C or when its output is closed. Any user may run it.

            With --json, each line is an object as in a trace of tacet-simulate(1). The member time is the time of the wall \
            clock, and t is the time of the monotonic clock in seconds. Two events do not occur in traces: now is the \
            current state, and gone means that the daemon is not available. The event gone has only the times.
            """, failure: "the output cannot be written", asksDaemon: true)

    /// The time within which the supervisor must report its state.
    private static let timeout = Duration.seconds(5)

    static func run(_ options: Options) throws -> ExitCode {
        let follower = SessionFollower(try DaemonConnection.bus(options))
        guard let first = follower.next(within: timeout) else {
            throw DaemonConnection.Unreachable(
                description: "the daemon does not report its state\n\(DaemonConnection.Unreachable.advice)")
        }
        if case .unavailable(let reason) = first {
            throw DaemonConnection.Unreachable(description: "\(reason)\n\(DaemonConnection.Unreachable.advice)")
        }
        // Ctrl-C is the usual way to end the program.
        signal(SIGINT) { _ in _exit(ExitCode.done.rawValue) }
        signal(SIGPIPE, SIG_IGN)
        return follow(follower, from: first, asJSON: options.flags.contains("--json"))
    }

    private static func follow(_ follower: SessionFollower, from first: SessionUpdate, asJSON: Bool) -> ExitCode {
        var page = MonitorPage()
        var update: SessionUpdate? = first
        // The output is polled, so that the program ends when its reader has gone, even if no event occurs.
        let reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while let news = update {
            let line = asJSON ? page.json(news) : page.line(news)
            switch Terminal.write(line) {
            case 0: break
            case EPIPE: return .done
            case let code:
                Terminal.complain("tacet: cannot write standard output: \(String(errno: code))")
                return .failed
            }
            update = follower.next(or: [reader])
        }
        return .done
    }
}
