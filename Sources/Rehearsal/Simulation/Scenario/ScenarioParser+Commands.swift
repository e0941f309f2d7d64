import AudioSession
import Configuration
import Time

extension ScenarioParser {
    func command(_ arguments: [String]) throws(Complaint) -> Command {
        let all = Set(Command.plain.map(\.description)).union(["announce", "hush", "seek", "volume"]).sorted()
        guard let name = arguments.first else { throw Complaint("name a command: \(all.alternatives)") }
        let value = arguments.dropFirst().joined(separator: " ")
        switch name {
        // A sound that does not exist leads to an answer, not to a mistake.
        case "announce":
            guard arguments.count == 2 else { throw Complaint("name one sound: command announce gong") }
            return .announce(Announcement(SoundID(value)))
        case "hush":
            guard value.isEmpty else { throw Complaint("hush takes no arguments") }
            return .hush
        case "seek":
            guard !value.isEmpty else { throw Complaint("write the position in the track: command seek 12.5s") }
            return .seek(to: try position(value))
        case "volume":
            guard !value.isEmpty else { throw Complaint("write the level: command volume -6dB, or mute") }
            return .volume(try level(value))
        default:
            guard let command = Command(plain: name) else {
                throw .unknown("command", name, among: all)
            }
            guard value.isEmpty else { throw Complaint("\(name) takes no arguments") }
            return command
        }
    }

    private func position(_ text: String) throws(Complaint) -> Duration {
        guard let position = TimeSpan.parsePosition(text) else {
            throw Complaint("‘\(text)’ is not a position: write 12.5s or 1min30s")
        }
        return position
    }

    private func level(_ text: String) throws(Complaint) -> Level {
        guard let level = Level.parse(text) else {
            throw Complaint("‘\(text)’ is not a level: write -6dB (from -120dB to 0dB), or mute")
        }
        return level
    }
}
