import Files
import Glibc
import SessionClient
import Spelling
import Systemd
import Vocabulary

/// `tacet health`: reports the health to a monitoring system.
enum HealthCommand: Subcommand {
    static let manual = Manual(
        name: "health", summary: "report problems to a monitoring system",
        options: [.init("--json", nil, "print one JSON object"), DaemonConnection.option],
        text: """
            Prints one line. It begins with healthy and says what is playing, or it begins with unhealthy and lists every \
            problem. Problems are, for example, a signal that is lost or stuck, a missing sound device, a full disk, or \
            music that should play but does not advance. On a board with tacet-mqtt, a broker that cannot be reached is \
            also a problem. An interruption, a pause and a muted volume are not. Any user may run this command.

            The folder /usr/share/doc/tacet/examples contains a timer that runs it every minute, and a drop-in with \
            OnFailure= that reports a failure of the service itself.
            """,
        failure: "there is a problem, which the line describes", asksDaemon: true)

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
