// Writes the parts of other files (not in Swift) that the vocabulary determines, or checks that they are up to date. It
// is compiled together with Sources/Core/Vocabulary as specified in the Makefile.
import Foundation

/// A generated file, or the generated part of a file between two marks.
struct Product {
    let path: String
    /// The part's name in its marks, or nil if the whole file is generated.
    let part: String?
    let content: String

    init(_ path: String, part: String? = nil, _ content: String) {
        (self.path, self.part, self.content) = (path, part, content)
    }

    /// Returns the file as it should be.
    ///
    /// - Throws: A message if the file cannot be read or lacks the marks.
    func expected() throws -> String {
        guard let part else { return content }
        let file = try String(contentsOfFile: path, encoding: .utf8)
        let (begin, end) = (#".\" begin \#(part), written by ‘make vocabulary’"# + "\n", #".\" end \#(part)"# + "\n")
        guard let from = file.range(of: begin), let to = file.range(of: end), from.upperBound <= to.lowerBound else {
            throw Missing(description: "\(path) has no lines ‘\(begin.dropLast())’ and ‘\(end.dropLast())’")
        }
        return file.replacingCharacters(in: from.upperBound..<to.lowerBound, with: content)
    }

    struct Missing: Error, CustomStringConvertible { let description: String }
}

/// Escapes text for troff, which interprets a hyphen as a line break, and a period or apostrophe at the start as a
/// request.
func troff(_ text: String) -> String {
    let text = text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
        .replacing(/([A-Za-z][A-Za-z0-9.\\-]*)(?=\([0-9]\))/) { "\\fB\($0.output.1)\\fR" }
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
}

/// Returns the items of a list in a manual page.
func items(_ rows: [(name: String, text: String)]) -> String {
    rows.map { ".TP\n.B \(troff($0.name))\n\($0.text)\n" }.joined()
}

/// Returns the explanation of an event: its meaning, the remedy if there is one, and the identifier.
func explanation(_ row: JournalRow) -> String {
    ([row.meaning, row.remedy].compactMap { $0 }.map(troff) + ["MESSAGE_ID=\(row.messageID)"]).joined(
        separator: "\n.IP\n")
}

let events = items(JournalEvent.allCases.map { ($0.rawValue, explanation($0.row)) })

let fleetEvents = items(FleetJournalEvent.allCases.map { ($0.rawValue, explanation($0.row)) })

let playersEvents = items(PlayersJournalEvent.allCases.map { ($0.rawValue, explanation($0.row)) })

let streamEvents = items(StreamJournalEvent.allCases.map { ($0.rawValue, explanation($0.row)) })

/// The fields. A field without an explanation shares the explanation of the next one.
let fields: String = {
    var (names, rows): ([String], [(String, String)]) = ([], [])
    for field in JournalField.allCases {
        names.append(field.name + "=")
        guard let summary = field.summary else { continue }
        rows.append((names.joined(separator: ", "), troff(summary)))
        names = []
    }
    return items(rows)
}()

/// Returns the members of a bus interface, each in bold with its types. A member without an explanation shares the
/// explanation of the next one.
func members(_ rows: [(name: String, types: String, summary: String?)]) -> String {
    var (heads, text): ([String], String) = ([], "")
    for row in rows {
        heads.append("\\fB\(row.name)\\fR\(row.types)")
        guard let summary = row.summary else { continue }
        text +=
            ".TP\n\(heads.joined(separator: ", "))\n" + troff(summary).replacingOccurrences(of: "\n\n", with: "\n.IP\n")
            + "\n"
        heads = []
    }
    return text
}

/// Returns a list of arguments, such as `(s name, t id)`.
func list(_ arguments: SessionMethod.Arguments) -> String {
    "(" + arguments.map { "\($0.type) \($0.name)" }.joined(separator: ", ") + ")"
}

let methods = members(
    SessionMethod.allCases.map { method in
        let answers = method.answers.isEmpty ? "" : " → \(list(method.answers))"
        return (method.rawValue, list(method.inputs) + answers, method.summary)
    })

let properties = members(
    SessionProperty.allCases.map { ($0.rawValue, "\($0.isReported ? "" : "*") (\($0.type))", $0.summary) })

let signals = members(SessionSignal.allCases.map { ($0.rawValue, list($0.arguments), $0.summary) })

let python = """
    \"\"\"The journal's events and their message IDs. Written by `make vocabulary`.\"\"\"

    MESSAGE_IDS = {
    \(JournalEvent.allCases.map { "    \"\($0.rawValue)\": \"\($0.messageID)\"," }.joined(separator: "\n"))
    }

    """

let products = [
    Product("deploy/man/tacet.journal.7", part: "events", events),
    Product("deploy/man/tacet.journal.7", part: "fleet events", fleetEvents),
    Product("deploy/man/tacet.journal.7", part: "players events", playersEvents),
    Product("deploy/man/tacet.journal.7", part: "stream events", streamEvents),
    Product("deploy/man/tacet.journal.7", part: "fields", fields),
    Product("deploy/man/org.tacet.Session1.5", part: "methods", methods),
    Product("deploy/man/org.tacet.Session1.5", part: "properties", properties),
    Product("deploy/man/org.tacet.Session1.5", part: "signals", signals),
    Product("Tests/System/virtual-board/bench/events.py", python),
]

/// Returns the faults of a catalog. Each catalog must contain the identifiers of its entries, and its texts may name
/// only existing fields.
func catalogFaults(_ path: String, _ identifiers: [String]) throws -> [String] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let entries = lines.filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
    let words = lines.filter { !$0.hasPrefix("#") }.joined(separator: " ").components(separatedBy: "@")
    let named = words.filter { $0.hasPrefix(JournalField.prefix) && !$0.contains(" ") }
    return Set(identifiers).subtracting(entries).sorted().map { "\(path) has no entry \($0)" }
        + Set(entries).subtracting(identifiers).sorted().map { "\(path) has \($0), which nothing writes" }
        + Set(named).subtracting(JournalField.allCases.map(\.name)).sorted().map { "\(path): there is no field \($0)" }
        + (Set(entries).count == entries.count ? [] : ["\(path) has an entry twice"])
}

do {
    let checks = CommandLine.arguments.dropFirst().first == "check"
    var faults: [String] = []
    for product in products {
        let expected = try product.expected()
        if !checks {
            try expected.write(toFile: product.path, atomically: false, encoding: .utf8)
        } else if (try? String(contentsOfFile: product.path, encoding: .utf8)) != expected {
            faults.append("\(product.path) is not what ‘make vocabulary’ writes")
        }
    }
    faults += try catalogFaults("deploy/tacet.catalog", JournalEvent.allCases.map(\.messageID))
    faults += try catalogFaults("deploy/tacet-mqtt.catalog", FleetJournalEvent.allCases.map(\.messageID))
    faults += try catalogFaults("deploy/tacet-players.catalog", PlayersJournalEvent.allCases.map(\.messageID))
    faults += try catalogFaults("deploy/tacet-stream.catalog", StreamJournalEvent.allCases.map(\.messageID))
    for fault in faults { print(fault) }
    exit(faults.isEmpty ? 0 : 1)
} catch {
    print(error)
    exit(1)
}
