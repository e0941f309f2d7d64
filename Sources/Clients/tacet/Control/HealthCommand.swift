import Files
import Glibc
import SessionClient
import Spelling
import Systemd
import Vocabulary

/// `tacet health`: reports the health to a monitoring system.
enum HealthCommand: Subcommand {
    static let manual = Manual(
        name: "health", summary: "one line and an exit code for a monitoring system",
        options: [.init("--json", nil, "one JSON object"), DaemonConnection.option],
        text: """
            Prints one line: healthy, and what is playing; or unhealthy, and everything that is wrong, such as a line \
            that is lost or stuck, a missing sound device, a full disk, or music that should be heard but does \
            not advance; and, on a board with tacet-mqtt, a broker that cannot be reached. Interruptions, a pause and a \
            muted volume are no problems. Any user may run it.

            /usr/share/doc/tacet/examples has a timer that runs it every minute, and a drop-in with OnFailure= that \
            reports a failure of the service itself.
            """,
        failure: "something is wrong: the line says what", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let report = try report(options)
        Terminal.say(options.flags.contains("--json") ? report.json : report.line)
        return report.exitCode
    }

    /// The problems that tacet-mqtt reports, if it runs on this board.
    private static var fleetProblems: [String] {
        guard let file = try? OpenFile.open("/run/tacet-mqtt/problems", O_RDONLY | O_NONBLOCK),
            let bytes = try? file.readAll(limit: 1 << 16)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(\.visible)
    }

    private static func report(_ options: Options) throws -> HealthReport {
        do {
            let report = HealthReport(try DaemonConnection(options).properties(of: SessionAddress.session))
            return report.adding(fleetProblems)
        } catch let error as DaemonConnection.Unreachable {
            return .notRunning(error.description)
        }
    }
}
