import AudioSession
import Configuration

extension ScenarioParser {
    func command(_ arguments: [String]) throws(Complaint) -> Command {
        let all = Command.plain.keys.sorted() + ["seek", "volume"]
        guard let name = arguments.first else { throw Complaint("name a command: \(all.alternatives)") }
        switch (name, arguments.count) {
        case ("seek", 2): return .seek(to: try position(arguments[1]))
        case ("seek", _): throw Complaint("write the position in the track: command seek 12.5s")
        case ("volume", 2): return .volume(try level(arguments[1]))
        case ("volume", _): throw Complaint("write the level: command volume -6dB, or mute")
        default:
            guard let command = Command.plain[name] else {
                throw .unknown("command", name, among: all)
            }
            guard arguments.count == 1 else { throw Complaint("\(name) takes no arguments") }
            return command
        }
    }

    private func position(_ text: String) throws(Complaint) -> Duration {
        let magnitude = text.hasPrefix("-") ? String(text.dropFirst()) : text
        guard let position = TimeSpan.parse(magnitude) else {
            throw Complaint("‘\(text)’ is no position: write 12.5s or 1min30s")
        }
        return text.hasPrefix("-") ? .zero - position : position
    }

    private func level(_ text: String) throws(Complaint) -> Level {
        guard let level = Level.parse(text) else {
            throw Complaint("‘\(text)’ is no level: write -6dB (from -120dB to 0dB), or mute")
        }
        return level
    }
}
