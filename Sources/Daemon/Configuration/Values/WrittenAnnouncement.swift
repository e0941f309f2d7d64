import AudioSession
import Spelling
import Time

/// A request for an announcement as people write it, such as `gong --priority 80 --expire 5s`.
public struct WrittenAnnouncement: Hashable, Sendable {
    /// The options after the name of the sound. Each is followed by its value.
    public enum Option: String, Hashable, Sendable, CaseIterable {
        case priority = "--priority"
        case expire = "--expire"
        case file = "--file"
    }

    /// The announcement, which has not been numbered.
    public var announcement: Announcement
    /// The path of a file to play instead of the sound's own file, or nil.
    public var file: String?

    /// Parses the words after `announce`.
    /// - Parameter options: The options that are allowed. If there are none, every word belongs to the name of the sound.
    public static func parse(_ words: [String], options: [Option]) throws(CommandError) -> WrittenAnnouncement {
        let end = options.isEmpty ? nil : words.firstIndex { $0.hasPrefix("--") }
        let name = words[..<(end ?? words.endIndex)].joined(separator: " ")
        guard SoundID.canBeName(name) else {
            throw CommandError(
                text: name.isEmpty ? "announce" : name,
                problem: name.isEmpty ? "does not name a sound" : "is not the name of a sound",
                advice: "write announce with the NAME of a [Sound NAME] section, such as announce gong")
        }
        var written = WrittenAnnouncement(announcement: Announcement(SoundID(name)))
        var rest = words[(end ?? words.endIndex)...]
        var given: Set<Option> = []
        while let word = rest.popFirst() {
            // Both --priority 80 and --priority=80 are accepted, as on the command line.
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.rawValue == parts[0] }) else {
                throw CommandError(
                    text: word, problem: "is not an option here",
                    advice: "write \(options.map(\.rawValue).alternatives), followed by its value")
            }
            guard given.insert(option).inserted else {
                throw CommandError(text: option.rawValue, problem: "is given twice", advice: "remove one of them")
            }
            try written.set(option, to: parts.count > 1 ? parts[1] : rest.popFirst() ?? "")
        }
        return written
    }

    private mutating func set(_ option: Option, to text: String) throws(CommandError) {
        func reject(_ problem: String, _ advice: String) -> CommandError {
            CommandError(
                text: text.isEmpty ? option.rawValue : text, problem: text.isEmpty ? "has no value" : problem,
                advice: advice)
        }
        switch option {
        case .priority:
            guard let priority = Self.priority(text) else { throw reject("is not a priority", Self.priorityAdvice) }
            announcement.priority = priority
        case .expire:
            guard let expire = Self.expire(text) else { throw reject("is not a time", Self.expireAdvice) }
            announcement.expire = expire
        case .file:
            guard !text.isEmpty else { throw reject("", "write the path of an audio file") }
            file = text
        }
    }

    public static let priorityAdvice = "write a number from 0 to 100"
    public static let expireAdvice = "write 10s, 1min 30s or infinity"

    /// Parses a priority.
    /// - Returns: nil if the text is not a number within `SoundPolicy.priorities`.
    public static func priority(_ text: String) -> Int? {
        Int(text).flatMap { SoundPolicy.priorities.contains($0) ? $0 : nil }
    }

    /// Parses the time for which an announcement waits.
    /// - Returns: nil if the text is neither a time of at least a microsecond nor `infinity`.
    public static func expire(_ text: String) -> Announcement.Expire? {
        if text == "infinity" { return .never }
        return TimeSpan.parse(text).flatMap { $0 >= .microseconds(1) ? .after($0) : nil }
    }
}
