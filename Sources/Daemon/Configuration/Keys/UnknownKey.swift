import Spelling

extension Diagnostic {
    /// Returns the error for a key that its section does not have.
    static func unknownKey<Section: IniSection>(_ key: String, in section: Section, at place: Place) -> Diagnostic {
        if let reason = section.reason(against: key) {
            return Diagnostic(
                .error, at: place, "\(key)= is not supported in \(section): \(reason)", advice: "remove it")
        }
        if let owners = owners(of: key, among: Section.all) {
            return Diagnostic(
                .error, at: place, "\(key)= does not belong in \(section)", advice: "it belongs in \(owners)")
        }
        let known = section.keys
        let advice =
            known.isEmpty
            ? "\(section) has no keys yet"
            : Spelling.suggestion(for: key, in: known) ?? "\(section) has \(known.joined(separator: ", "))"
        return Diagnostic(.error, at: place, "unknown key ‘\(key)’ in \(section)", advice: advice)
    }

    /// Returns the error for a key before the first heading.
    static func keyWithoutSection<Section: IniSection>(
        _ key: String, of sections: Section.Type, at place: Place
    ) -> Diagnostic {
        Diagnostic(
            .error, at: place, "\(key)= comes before the first section",
            advice: owners(of: key, among: Section.all).map { "it belongs in \($0)" }
                ?? "write a section heading above it")
    }

    /// - Returns: The headings of the sections that have the key, or nil if there are none.
    private static func owners(of key: String, among sections: [(heading: String, keys: [String])]) -> String? {
        let owners = sections.filter { $0.keys.contains(key) }.map(\.heading)
        return owners.isEmpty ? nil : owners.alternatives
    }

    /// Returns the warning about a key that one file sets twice.
    static func duplicate(_ key: String, in section: some IniSection, line: Int, at place: Place) -> Diagnostic {
        Diagnostic(
            .warning, at: place, "\(key)= in \(section) was already set on line \(line)",
            advice: "this one takes effect, so remove the other")
    }
}
