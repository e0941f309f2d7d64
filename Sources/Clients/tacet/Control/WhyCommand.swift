import SessionClient
import Systemd
import Vocabulary

/// `tacet why`: explains in one sentence why it is quiet.
enum WhyCommand: Subcommand {
    static let manual = Manual(
        name: "why", summary: "explain why it is quiet or ducked",
        options: [DaemonConnection.option],
        text: """
            Explains in one sentence why it is quiet, ducked or playing: the cause, since when and for how long, and \
            what will happen next or what to do. Any user may run it.
            """, asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let properties = try DaemonConnection(options).properties(of: SessionAddress.session)
        guard case .string(let sentence)? = properties[.why] else {
            throw DaemonConnection.Unreachable.otherVersion
        }
        Terminal.say(sentence)
        return .done
    }
}
