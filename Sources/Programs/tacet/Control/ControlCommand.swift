import Simulation

/// A sub-command that sends a command to the supervisor.
protocol ControlCommand: Subcommand {
    /// The command in the form that `org.tacet.Session1.Command` takes.
    static func commandText(_ options: Options) throws(UsageError) -> String
}

extension ControlCommand {
    static func commandText(_ options: Options) throws(UsageError) -> String { manual.name }

    static func run(_ options: Options) throws -> ExitCode {
        let command = try commandText(options)
        let (answer, reason) = try DaemonConnection(options).command(command)
        if options.flags.contains("--json") {
            Terminal.say(JSON.object([("answer", JSON.string(answer)), ("reason", JSON.string(reason))]))
        } else {
            Terminal.say(reason.isEmpty ? answer : "\(answer): \(reason)")
        }
        return answer == "success" || answer == "deferred" ? .done : .failed
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
