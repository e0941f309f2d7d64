import Spelling

extension Diagnostic {
    /// The error for a key that its section does not have.
    static func unknownKey(_ key: String, in section: SectionName, at place: Place) -> Diagnostic {
        if let reason = KeyTable.unsupported[section.kind]?[key] {
            return Diagnostic(
                .error, at: place, "\(key)= is not supported in \(section): \(reason)", advice: "remove it")
        }
        let owners = SectionKind.allCases.filter { KeyTable.names(of: $0).contains(key) }
        if !owners.isEmpty {
            return Diagnostic(
                .error, at: place, "\(key)= does not belong in \(section)",
                advice: "it belongs in \(owners.map(\.heading).alternatives)")
        }
        let known = KeyTable.names(of: section.kind)
        let advice =
            known.isEmpty
            ? "\(section) has no keys yet"
            : Spelling.suggestion(for: key, in: known) ?? "\(section) has \(known.joined(separator: ", "))"
        return Diagnostic(.error, at: place, "unknown key ‘\(key)’ in \(section)", advice: advice)
    }

    /// The error for a key before the first heading.
    static func keyWithoutSection(_ key: String, at place: Place) -> Diagnostic {
        let owners = SectionKind.allCases.filter { KeyTable.names(of: $0).contains(key) }
        return Diagnostic(
            .error, at: place, "\(key)= comes before the first section",
            advice: owners.isEmpty
                ? "write a section heading above it" : "it belongs in \(owners.map(\.heading).alternatives)")
    }

    /// The warning about a key that one file sets twice.
    static func duplicate(_ key: String, in section: SectionName, line: Int, at place: Place) -> Diagnostic {
        Diagnostic(
            .warning, at: place, "\(key)= in \(section) was already set on line \(line)",
            advice: "this one takes effect: remove the other")
    }
}
