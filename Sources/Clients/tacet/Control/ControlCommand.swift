import AudioSession
import Configuration
import SessionClient
import Simulation
import Spelling

/// A sub-command that sends a command to the supervisor.
protocol ControlCommand: Subcommand {
    static func command(_ options: Options) throws(UsageError) -> WrittenCommand
}

extension ControlCommand {
    static func run(_ options: Options) throws -> ExitCode {
        let command = try command(options)
        let daemon = try DaemonConnection(options)
        let answer = try daemon.send(command)
        if options.flags.contains("--json") {
            let reason = if case .commandFailed(let reason) = answer { reason } else { "" }
            Terminal.say(JSON.object([("answer", JSON.string(answer.name)), ("reason", JSON.string(reason))]))
        } else {
            Terminal.say(try daemon.sentence(answer, to: command))
        }
        return answer == .success || answer == .deferred ? .done : .failed
    }

    /// Parses a command whose arguments are the operands.
    static func parse(_ word: String, _ options: Options) throws(UsageError) -> WrittenCommand {
        try parse(word, options.operands)
    }

    static func parse(_ word: String, _ arguments: [String]) throws(UsageError) -> WrittenCommand {
        do throws(CommandError) {
            return try WrittenCommand.parse(([word] + arguments).joined(separator: " "))
        } catch {
            throw UsageError("\(error)", subcommand: manual.name)
        }
    }
}

extension DaemonConnection {
    /// Returns the answer to a command in words. The current state says how long a queued command has to wait.
    func sentence(_ answer: Answer, to command: WrittenCommand) throws -> String {
        let state = answer == .deferred ? try snapshot() : nil
        return AnswerText(command, state).sentence(answer) ?? "Done."
    }
}

extension Manual {
    /// The answers of a command, besides `success` and `commandFailed`, which every command has.
    struct Answers {
        /// The meaning of `deferred`, or nil if the command is never queued.
        var deferred: String?
        /// The meaning of `noActionableNowPlayingItem`, or nil if the command always has something to act on.
        var nothing: String?
        /// The meaning of `noSuchContent`, or nil if the command does not name anything.
        var noContent: String?

        fileprivate var lines: String {
            let rows: [(String, String?)] = [
                (Answer.success.name, "The command was executed."), (Answer.deferred.name, deferred),
                (Answer.noActionableNowPlayingItem.name, nothing), (Answer.noSuchContent.name, noContent),
                (Answer.commandFailed("").name, "The command failed for the given reason."),
            ]
            return rows.compactMap { name, meaning in
                meaning.map { name + String(repeating: " ", count: max(1, 28 - name.count)) + $0 }
            }.joined(separator: "\n")
        }
    }

    /// - Parameters:
    ///   - summary: Without a capital and a full stop.
    ///   - aliases: Other names of the sub-command.
    static func control(
        _ name: String, _ summary: String, _ text: String, aliases: [String] = [], operand: Operand? = nil,
        options: [Option] = [], examples: [Example] = [], _ answers: Answers = Answers()
    ) -> Manual {
        Manual(
            name: name, summary: summary, aliases: aliases, operand: operand,
            options: options + [.init("--json", nil, "print the answer as one JSON object"), DaemonConnection.option],
            text: text + "\n\nOnly root and members of the group tacet may send commands.",
            listing: .init(
                "Prints what happened in words. With --json, prints an object with the members answer and reason instead. "
                    + "The answer is one of these words:", answers.lines),
            examples: examples, failure: "the command was not executed", asksDaemon: true)
    }
}
