import SessionClient
import Systemd
import Vocabulary

/// `tacet why`: explains in one sentence why the music is silent.
enum WhyCommand: Subcommand {
    static let manual = Manual(
        name: "why", summary: "explain why the music is silent or ducked",
        options: [DaemonConnection.option],
        text: """
            Explains in one sentence why the music is silent, ducked or playing. The sentence gives the cause, the time at \
            which it began and its duration, and says what will happen next or what you can do. Any user may run this \
            command.
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
