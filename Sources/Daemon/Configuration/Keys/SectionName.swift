import Spelling

/// The text between the brackets of a heading, such as `Signal phone-call`.
struct SectionName: IniSection, Sendable {
    let kind: SectionKind
    /// The name of the section, which is empty if its kind does not take one.
    let name: String

    /// The maximum length of a name in bytes. Names also serve as file names, journal fields and command-line
    /// arguments.
    private static let longestName = 40

    init(_ text: String) throws(BadValue) {
        let words = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" }.map { String($0.trimmed) }
        let title = words.first ?? ""
        guard let kind = SectionKind(rawValue: title) else {
            throw .unknownSection(title, among: SectionKind.allCases.map(\.rawValue), in: SectionName.self)
        }
        let name = words.count == 2 ? words[1] : ""
        if kind.takesName {
            try SectionName.check(name, of: kind)
        } else if !name.isEmpty {
            throw BadValue(problem: "has a name", advice: "there is only one such section: write \(kind.heading)")
        }
        self.kind = kind
        self.name = name
    }

    /// The heading as it is written in the file, such as `[Signal phone-call]`.
    var description: String { name.isEmpty ? "[\(kind.rawValue)]" : "[\(kind.rawValue) \(name)]" }

    static var all: [(heading: String, keys: [String])] {
        SectionKind.allCases.map { ($0.heading, KeyTable.names(of: $0)) }
    }

    var keys: [String] { KeyTable.names(of: kind) }

    func reason(against key: String) -> String? { KeyTable.unsupported[kind]?[key] }

    private static func check(_ name: String, of kind: SectionKind) throws(BadValue) {
        let example =
            switch kind {
            case .signal: "phone-call"
            case .sound: "gong"
            case .output: "amplifier"
            case .input, .player: "airplay"
            default: "play"
            }
        guard !name.isEmpty else {
            throw BadValue(
                problem: "has no name", advice: "write \(kind.heading), such as [\(kind.rawValue) \(example)]")
        }
        guard name.utf8.allSatisfy(isAllowed) else {
            throw BadValue(
                problem: "has a name with characters other than letters, digits, ‘-’, ‘_’ and ‘.’",
                advice: "write a name such as \(example)")
        }
        guard name.utf8.count <= longestName else {
            throw BadValue(
                problem: "has a name \(name.utf8.count) bytes long", advice: "at most \(longestName) are allowed")
        }
    }

    /// Returns true if a section can have this name.
    static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension BadValue {
    static func unknownSection(_ name: String, among names: [String], in sections: (some IniSection).Type) -> BadValue {
        BadValue(
            problem: "is an unknown section",
            advice: Spelling.suggestion(for: name, in: names)
                ?? "the sections are \(sections.all.map(\.heading).alternatives)")
    }
}

/// The kinds of sections.
enum SectionKind: String, Hashable, Sendable, CaseIterable {
    case session = "Session"
    case playback = "Playback"
    case signal = "Signal"
    case button = "Button"
    case output = "Output"
    case sound = "Sound"
    case input = "Input"
    case player = "Player"
    case recording = "Recording"
    case state = "State"
    case health = "Health"

    /// True if there can be several sections of this kind, each with a name, such as `[Signal phone-call]`.
    var takesName: Bool { [.signal, .button, .output, .sound, .input, .player].contains(self) }

    /// The heading, such as `[Signal NAME]`.
    var heading: String { takesName ? "[\(rawValue) NAME]" : "[\(rawValue)]" }
}
