import SessionClient
import Systemd

/// `tacet why`: the sentence that a technician came for.
enum WhyCommand: Subcommand {
    static let manual = Manual(
        name: "why", summary: "say why it is quiet, or turned down",
        options: [DaemonConnection.option],
        text: """
            Says in one sentence why it is quiet, turned down or playing: the cause, since when and for how long, and \
            what will happen next or what to do. Anyone may ask.
            """, asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let properties = try DaemonConnection(options).properties(of: SessionAddress.session)
        guard case .string(let sentence)? = properties["Why"] else {
            throw DaemonConnection.Unreachable(description: "what answers is no Tacet of this version")
        }
        Terminal.say(sentence)
        return .done
    }
}
