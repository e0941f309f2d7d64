import Glibc
import SessionClient
import Simulation

/// `tacet monitor`: every event as it happens.
enum MonitorCommand: Subcommand {
    static let manual = Manual(
        name: "monitor", summary: "follow every event as it happens",
        options: [.init("--json", nil, "one JSON object a line"), DaemonConnection.option],
        text: """
            Says what is so now, and then a line for each event: the time of day, what happened, and what follows from \
            it. A supervisor that goes away is said, and waited for. It ends with Ctrl-C, or when nobody reads any \
            more. Anyone may look.

            With --json each line is an object as tacet-simulate writes them into a trace, with the time by the wall \
            clock (time) and in seconds by the monotonic one (t). Two kinds of events are its own: now says what is so; \
            gone, of which there are the times only, that nobody is there.
            """, failure: "its lines cannot be written", asksDaemon: true)

    /// How long the supervisor may take to say what is so.
    private static let patience = Duration.seconds(5)

    static func run(_ options: Options) throws -> ExitCode {
        let follower = SessionFollower(try DaemonConnection.bus(options))
        guard let first = follower.next(within: patience) else {
            throw DaemonConnection.Unreachable(
                description: "the supervisor does not say what is so\n\(DaemonConnection.Unreachable.advice)")
        }
        if case .unavailable(let reason) = first {
            throw DaemonConnection.Unreachable(description: "\(reason)\n\(DaemonConnection.Unreachable.advice)")
        }
        // Whoever stops looking has seen enough.
        signal(SIGINT) { _ in _exit(ExitCode.done.rawValue) }
        signal(SIGPIPE, SIG_IGN)
        return follow(follower, from: first, asJSON: options.flags.contains("--json"))
    }

    private static func follow(_ follower: SessionFollower, from first: SessionUpdate, asJSON: Bool) -> ExitCode {
        var page = MonitorPage()
        var update: SessionUpdate? = first
        // A reader that goes away is noticed though nothing happens.
        let reader = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while let news = update {
            let line = asJSON ? page.json(news) : page.line(news)
            switch Terminal.write(line) {
            case 0: break
            case EPIPE: return .done
            case let code:
                Terminal.complain("tacet: cannot write standard output: \(String(cString: strerror(code)))")
                return .failed
            }
            update = follower.next(or: [reader])
        }
        return .done
    }
}
