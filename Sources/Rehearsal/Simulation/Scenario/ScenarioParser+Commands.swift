import AudioSession
import Configuration
import Spelling

extension ScenarioParser {
    /// Parses a command. A sound that does not exist leads to an answer, not to a mistake.
    func command(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        guard !arguments.isEmpty else { throw Complaint("name a command: \(WrittenCommand.words.alternatives)") }
        do throws(CommandError) {
            let command = try WrittenCommand.parse(arguments.joined(separator: " "))
            return if case .command(let command) = command { .event(.command(command)) } else { .relative(command) }
        } catch {
            throw Complaint("\(error)")
        }
    }
}
