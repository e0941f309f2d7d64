import Spelling

/// One section with the settings of the files read so far.
struct SectionDraft<Settings: Sendable>: Sendable {
    let name: String
    /// The values that `Key=` resets to.
    let builtIn: Settings
    private(set) var settings: Settings
    /// The line that first named the section, or nil if no file names it.
    var declared: Place?
    /// The line that set each key that has a value.
    private(set) var places: [String: Place] = [:]
    /// The keys whose bad values have been reported. They are not also reported as missing.
    private(set) var rejected: Set<String> = []

    init(name: String = "", builtIn: Settings) {
        self.name = name
        self.builtIn = builtIn
        settings = builtIn
    }

    /// Returns true if a file sets this key, even to a bad value.
    func sets(_ key: String) -> Bool { places[key] != nil || rejected.contains(key) }

    /// Restores the built-in value of a key, as if no file set it.
    mutating func unset(_ key: Key<Settings>) {
        key.reset(&settings, builtIn)
        places[key.name] = nil
        rejected.remove(key.name)
    }

    /// - Returns: An error or warning about the value, or nil if the value is good.
    mutating func apply(_ value: String, to key: Key<Settings>, at place: Place) -> Diagnostic? {
        if value.isEmpty {
            unset(key)
            return nil
        }
        do {
            try key.assign(value, &settings)
            places[key.name] = place
        } catch {
            rejected.insert(key.name)
            return Diagnostic(
                .error, at: place, "\(key.name)=\(error.shown ?? value) \(error.problem)",
                advice: hasComment(value, for: key) ? "put the comment on its own line" : error.advice)
        }
        guard key.isFreeText, SectionDraft.comment(in: value) != nil else { return nil }
        return Diagnostic(
            .warning, at: place,
            "\(key.name)=\(value) is taken literally because comments after a value are not supported",
            advice: "if part of it is a comment, put that on its own line")
    }

    /// Returns true if the value would be valid without the text from ` ;` or ` #` on.
    private func hasComment(_ value: String, for key: Key<Settings>) -> Bool {
        guard let comment = SectionDraft.comment(in: value) else { return false }
        var trial = settings
        return (try? key.assign(String(value[..<comment].trimmed), &trial)) != nil
    }

    /// Returns the start of text that looks like a comment.
    private static func comment(in value: String) -> String.Index? {
        zip(value.indices, value.indices.dropFirst())
            .first { " \t".contains(value[$0]) && ";#".contains(value[$1]) }?.0
    }
}
