import AudioSession
import Spelling

/// A sub-command that sends a command to the supervisor.
protocol ControlCommand: Subcommand {
    static func command(_ options: Options) throws(UsageError) -> Command
}

extension ControlCommand {
    static func run(_ options: Options) throws -> ExitCode {
        let command = try command(options)
        let answer = try DaemonConnection(options).send(command)
        let reason = if case .commandFailed(let reason) = answer { reason } else { "" }
        if options.flags.contains("--json") {
            Terminal.say(JSON.object([("answer", JSON.string(answer.name)), ("reason", JSON.string(reason))]))
        } else {
            Terminal.say(reason.isEmpty ? answer.name : "\(answer.name): \(reason)")
        }
        return answer == .success || answer == .deferred ? .done : .failed
    }
}

extension Manual {
    static func control(_ name: String, _ summary: String, _ text: String, operand: Operand? = nil) -> Manual {
        Manual(
            name: name, summary: summary, operand: operand,
            options: [.init("--json", nil, "the answer as one JSON object"), DaemonConnection.option],
            text: text + """
                \n\nPrints the answer: success; deferred (it takes effect when nothing blocks playback any more); \
                noActionableNowPlayingItem (there is nothing to play); commandFailed, with the reason. Only root and \
                the group tacet may send commands.
                """, failure: "the command failed", asksDaemon: true)
    }
}
