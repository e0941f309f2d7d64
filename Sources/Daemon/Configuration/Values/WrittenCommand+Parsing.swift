import AudioSession
import Spelling
import Time

/// The reason why a text is not a command.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the text that is wrong.
    let text: String
    /// The problem, which continues a sentence that starts with `text`, such as `is not a position`.
    let problem: String
    /// Advice on how to write a correct command.
    let advice: String

    public var description: String { "‘\(text)’ \(problem): \(advice)" }
}

extension WrittenCommand {
    /// What a level with a minus sign means.
    public enum MinusSign: Sendable {
        /// The level itself: `volume -6dB` sets the volume to −6 dB.
        case level
        /// A step, as for a button: `volume -6dB` lowers the volume by 6 dB.
        case step
    }

    /// The words that begin a command.
    public static let words = Command.plain.map(\.description) + ["seek", "volume", "announce"]

    /// Words that are also accepted, because `tacet` has sub-commands of these names.
    private static let synonyms: [String: Command] = ["toggle": .playPause, "cancel": .hush]

    /// Parses a command. Any number of spaces may separate its words.
    /// - Parameter options: The options that an announcement may have. A file is not part of the result.
    public static func parse(
        _ text: some StringProtocol, minus: MinusSign = .level, options: [WrittenAnnouncement.Option] = []
    ) throws(CommandError) -> WrittenCommand {
        let words = text.split(whereSeparator: { " \t".contains($0) }).map { String($0) }
        let name = words.first ?? ""
        // A time span may contain spaces, because systemd writes it as 1min 30s.
        let argument = words.dropFirst().joined(separator: " ")
        switch name {
        case "play" where !argument.isEmpty: return .choose(try choice(String(text.trimmed.dropFirst(name.count))))
        case "seek": return try seek(argument)
        case "volume": return try volume(argument, minus)
        case "announce":
            let written = try WrittenAnnouncement.parse(Array(words.dropFirst()), options: options)
            return .command(.announce(written.announcement))
        default:
            guard let command = Command(plain: name) ?? synonyms[name] else { throw unknown(name) }
            guard argument.isEmpty else {
                throw CommandError(text: name, problem: "takes no argument", advice: "write \(name) alone")
            }
            return .command(command)
        }
    }

    private static func unknown(_ name: String) -> CommandError {
        let suggestion = Spelling.suggestion(for: name, in: words + synonyms.keys.sorted()).map { "\($0) " } ?? ""
        let choices = Command.plain.map(\.description) + ["seek 1:30", "volume -6dB", "announce NAME"]
        return CommandError(
            text: name, problem: "is not a command", advice: "\(suggestion)write \(choices.alternatives)")
    }

    /// Parses the arguments of `play`, which are a name and options after it. A name may contain spaces.
    private static func choice(_ text: String) throws(CommandError) -> ChoiceRequest {
        var request = ChoiceRequest("")
        var words = text.split(separator: " ", omittingEmptySubsequences: false)
        while let index = words.lastIndex(where: isOption) {
            let value = words[(index + 1)...].joined(separator: " ").trimmed
            switch words[index] {
            case "--at": request.position = try position(String(value))
            case "--then": request.then = try ending(String(value))
            case let option:
                throw CommandError(
                    text: String(option), problem: "is not an option of play",
                    advice: "write --at POSITION, or --then \(endings)")
            }
            words = Array(words[..<index])
        }
        request.name = String(words.joined(separator: " ").trimmed)
        guard !request.name.isEmpty else {
            throw CommandError(
                text: "play", problem: "does not name anything",
                advice: "write a track, folder or playlist of the library before the options")
        }
        guard request.name.utf8.count <= ChoiceRequest.longestName else {
            throw CommandError(
                text: "\(request.name.prefix(40))…", problem: "is too long",
                advice: "write at most \(ChoiceRequest.longestName) bytes")
        }
        return request
    }

    private static var endings: String { ChoiceRequest.Ending.allCases.map(\.rawValue).alternatives }

    private static func isOption(_ word: Substring) -> Bool {
        word.hasPrefix("--") && word.utf8.count > 2 && word.utf8.dropFirst(2).allSatisfy { (0x61...0x7a).contains($0) }
    }

    private static func position(_ text: String) throws(CommandError) -> Duration {
        guard let position = TimeSpan.parsePosition(text), position <= Command.longestPosition else {
            throw CommandError(
                text: text.isEmpty ? "--at" : text, problem: text.isEmpty ? "needs a position" : "is not a position",
                advice: "write 1:30, 1:02:03, 90s or 1min 30s")
        }
        return position
    }

    private static func ending(_ text: String) throws(CommandError) -> ChoiceRequest.Ending {
        guard let ending = ChoiceRequest.Ending(rawValue: text) else {
            throw CommandError(
                text: text.isEmpty ? "--then" : text,
                problem: text.isEmpty ? "needs what follows" : "cannot follow a choice",
                advice: "write \(endings)")
        }
        return ending
    }

    private static func seek(_ text: String) throws(CommandError) -> WrittenCommand {
        let isRelative = text.hasPrefix("+") || text.hasPrefix("-")
        guard let time = TimeSpan.parsePosition(isRelative ? String(text.dropFirst()) : text) else {
            let clock = text.contains(":") ? "; each part after a colon has two digits, from 00 to 59" : ""
            throw CommandError(
                text: text.isEmpty ? "seek" : text, problem: text.isEmpty ? "needs a position" : "is not a position",
                advice: "write 1:30, 1:02:03, 90s or 1min 30s, or a step such as +10s or -10s\(clock)")
        }
        guard isRelative else { return .command(.seek(to: time)) }
        return .seek(by: text.hasPrefix("-") ? .zero - time : time)
    }

    private static func volume(_ text: String, _ minus: MinusSign) throws(CommandError) -> WrittenCommand {
        if text == "mute" { return .command(.volume(.mute)) }
        let isPercentage = text.hasSuffix("%")
        let isStep = text.hasPrefix("+") || text.hasPrefix("-") && (isPercentage || minus == .step)
        guard let number = isPercentage ? Decibels.number(text.dropLast().trimmed) : Decibels.parse(text) else {
            let advice = "write \(minus.levels), a percentage such as 50%, a step such as \(minus.steps), or mute"
            if text.isEmpty { throw CommandError(text: "volume", problem: "needs a level", advice: advice) }
            let problem = Decibels.number(text) == nil ? "is not a level" : "has no unit"
            throw CommandError(text: text, problem: problem, advice: advice)
        }
        func checkRange(_ range: ClosedRange<Double>, _ advice: String) throws(CommandError) {
            guard range.contains(number) else {
                throw CommandError(text: text, problem: "is out of range", advice: "write \(advice)")
            }
            guard !isStep || number != 0 else {
                throw CommandError(text: text, problem: "changes nothing", advice: "write \(advice)")
            }
        }
        switch (isPercentage, isStep) {
        case (true, true):
            try checkRange(-100...100, "a step of at most 100%, such as +10% or -10%")
            return .changeAmplitude(percent: number)
        case (true, false):
            try checkRange(0...100, "a percentage from 0% to 100%, or a step such as +10% or -10%")
            return .command(.volume(Level(amplitude: number / 100)))
        case (false, true):
            try checkRange(-60...60, "a step of at most 60dB, such as \(minus.steps)")
            return .changeVolume(decibels: number)
        case (false, false):
            try checkRange(Level.range, "\(minus.levels), or a step such as \(minus.steps)")
            return .command(.volume(Level(decibels: number) ?? .full))
        }
    }
}

extension WrittenCommand.MinusSign {
    /// The levels that can be written.
    fileprivate var levels: String {
        switch self {
        case .level: "a level from -120dB to 0dB, such as -6dB"
        case .step: "0dB"
        }
    }

    /// Examples of a step.
    fileprivate var steps: String {
        switch self {
        case .level: "+3dB or -10%"
        case .step: "+3dB or -3dB"
        }
    }
}
