import AudioSession
import Configuration
import Spelling
import Vocabulary

extension ScenarioParser {
    /// Parses a command. A sound that does not exist leads to an answer, not to a mistake.
    func command(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        guard let first = arguments.first else {
            throw Complaint("name a command: \(WrittenCommand.words.alternatives)")
        }
        do throws(CommandError) {
            guard first == "announce" else {
                let command = try WrittenCommand.parse(arguments.joined(separator: " "))
                return if case .command(let command) = command { .event(.command(command)) } else { .relative(command) }
            }
            let written = try WrittenAnnouncement.parse(
                Array(arguments.dropFirst()), options: WrittenAnnouncement.Option.allCases)
            guard let path = written.file else { return .event(.command(.announce(written.announcement))) }
            return .announce(written.announcement, file: resolved(path))
        } catch {
            throw Complaint("\(error)")
        }
    }

    /// Returns a path that starts at the folder of the scenario, unless it is absolute.
    private func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }

    /// Parses a press of a button.
    func button(_ arguments: [String]) throws(Complaint) -> ScenarioEvent {
        guard arguments.count == 2, let press = Button.Press(rawValue: arguments[1]) else {
            let presses = Button.Press.allCases.map(\.rawValue).alternatives
            throw Complaint("write a button and how it is pressed (\(presses)): button play press")
        }
        guard let button = buttons.first(where: { $0.name == arguments[0] }) else {
            throw .unknown("button", arguments[0], among: buttons.map(\.name))
        }
        guard button.command(of: press) != nil else {
            let key = press == .long ? "LongCommand" : "DoubleCommand"
            throw Complaint(
                "the button \(button.name) has no command for this: write \(key)= in [Button \(button.name)], or "
                    + "\(ScenarioWord.button.rawValue) \(button.name) \(Button.Press.short.rawValue)")
        }
        return .button(button.name, press)
    }
}
