import Simulation

/// A sub-command that has the supervisor do something.
protocol ControlCommand: Subcommand {
    /// As `Session1` takes it.
    static func words(_ options: Options) throws(UsageError) -> String
}

extension ControlCommand {
    static func words(_ options: Options) throws(UsageError) -> String { manual.name }

    static func run(_ options: Options) throws -> ExitCode {
        let words = try words(options)
        let (answer, reason) = try DaemonConnection(options).command(words)
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
                \n\nPrints the answer: success; deferred (it is heard when nothing blocks any more); \
                noActionableNowPlayingItem (there is nothing to play); commandFailed, and why. Root and the group tacet \
                may command.
                """, failure: "it could not be done", asksDaemon: true)
    }
}
