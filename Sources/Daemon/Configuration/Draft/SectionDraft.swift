/// One section with the settings of the files read so far.
struct SectionDraft<Settings: Sendable>: Sendable {
    let name: String
    /// The values that `Key=` resets to.
    let builtIn: Settings
    private(set) var settings: Settings
    /// Where it was first named; nil if no file names it.
    var declared: Place?
    /// Where each key that has a value was set.
    private(set) var places: [String: Place] = [:]
    /// Keys with a bad value, already reported: do not report them as missing, too.
    private(set) var rejected: Set<String> = []

    init(name: String = "", builtIn: Settings) {
        self.name = name
        self.builtIn = builtIn
        settings = builtIn
    }

    /// Whether a file sets this key, even to a bad value.
    func sets(_ key: String) -> Bool { places[key] != nil || rejected.contains(key) }

    /// - Returns: an error or warning about the value; nil if it is good.
    mutating func apply(_ value: String, to key: Key<Settings>, at place: Place) -> Diagnostic? {
        if value.isEmpty {
            key.reset(&settings, builtIn)
            places[key.name] = nil
            rejected.remove(key.name)
            return nil
        }
        do {
            try key.assign(value, &settings)
            places[key.name] = place
        } catch {
            rejected.insert(key.name)
            return Diagnostic(
                .error, at: place, "\(key.name)=\(value) \(error.problem)",
                advice: hasComment(value, for: key) ? "put the comment on its own line" : error.advice)
        }
        guard key.isFreeText, SectionDraft.comment(in: value) != nil else { return nil }
        return Diagnostic(
            .warning, at: place, "\(key.name)=\(value) is taken literally: comments after a value are not supported",
            advice: "if part of it is a comment, put that on its own line")
    }

    /// Whether the value would be valid without the text from ` ;` or ` #` on.
    private func hasComment(_ value: String, for key: Key<Settings>) -> Bool {
        guard let comment = SectionDraft.comment(in: value) else { return false }
        var trial = settings
        return (try? key.assign(String(value[..<comment].trimmed), &trial)) != nil
    }

    /// The start of text that looks like a comment.
    private static func comment(in value: String) -> String.Index? {
        zip(value.indices, value.indices.dropFirst())
            .first { " \t".contains(value[$0]) && ";#".contains(value[$1]) }?.0
    }
}
