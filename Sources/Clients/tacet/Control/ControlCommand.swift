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
    /// Creates the manual of a command for the music.
    ///
    /// - Parameters:
    ///   - deferred: The consequence of the answer `deferred`, or nil if the command does not have this answer.
    ///   - nothing: The reason for the answer `noActionableNowPlayingItem`, or nil if the command does not have it.
    static func control(
        _ name: String, _ summary: String, _ text: String, operand: Operand? = nil, deferred: String? = nil,
        nothing: String? = nil
    ) -> Manual {
        let answers =
            ["success"]
            + [deferred.map { "deferred (\($0))" }, nothing.map { "noActionableNowPlayingItem (\($0))" }]
            .compactMap { $0 }
        return Manual(
            name: name, summary: summary, operand: operand,
            options: [.init("--json", nil, "the answer as one JSON object"), DaemonConnection.option],
            text: text + """
                \n\nPrints the answer, which is \(answers.joined(separator: ", ")), or commandFailed, followed by the \
                reason. Only root and members of the group tacet may send commands.
                """, failure: "the command failed", asksDaemon: true)
    }
}
