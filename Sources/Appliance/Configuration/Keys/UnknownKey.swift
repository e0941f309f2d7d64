import Spelling

extension Diagnostic {
    /// What is said of a key that its section does not have.
    static func unknownKey(_ key: String, in section: SectionName, at place: Place) -> Diagnostic {
        if let reason = KeyTable.refused[section.kind]?[key] {
            return Diagnostic(.error, at: place, "\(key)= is refused: \(reason)", advice: "remove it")
        }
        let homes = SectionKind.allCases.filter { KeyTable.names(of: $0).contains(key) }
        if !homes.isEmpty {
            return Diagnostic(
                .error, at: place, "\(key)= does not belong in \(section)",
                advice: "it belongs in \(homes.map(\.heading).alternatives)")
        }
        let known = KeyTable.names(of: section.kind)
        let advice =
            known.isEmpty
            ? "\(section) has no keys yet"
            : Spelling.suggestion(for: key, in: known) ?? "\(section) has \(known.joined(separator: ", "))"
        return Diagnostic(.error, at: place, "unknown key ‘\(key)’ in \(section)", advice: advice)
    }

    /// What is said of a key in front of the first heading.
    static func keyWithoutSection(_ key: String, at place: Place) -> Diagnostic {
        let homes = SectionKind.allCases.filter { KeyTable.names(of: $0).contains(key) }
        return Diagnostic(
            .error, at: place, "\(key)= stands in front of any section",
            advice: homes.isEmpty
                ? "write a section heading above it" : "it belongs in \(homes.map(\.heading).alternatives)")
    }

    /// What is said of a key that one file sets twice.
    static func duplicate(_ key: String, in section: SectionName, line: Int, at place: Place) -> Diagnostic {
        Diagnostic(
            .warning, at: place, "\(key)= of \(section) is set in line \(line) already",
            advice: "this one counts: remove the other")
    }
}
