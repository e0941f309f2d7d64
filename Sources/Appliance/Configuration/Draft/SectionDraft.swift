/// One section as far as the files have filled it in.
struct SectionDraft<Settings: Sendable>: Sendable {
    let name: String
    /// What `Key=` goes back to.
    let builtIn: Settings
    private(set) var settings: Settings
    /// Where it was first named; nil for one that no file names.
    var declared: Place?
    /// Where the keys that hold a value have it from.
    private(set) var places: [String: Place] = [:]
    /// Keys of which a bad value has been reported: what comes of their absence need not be.
    private(set) var refused: Set<String> = []

    init(name: String = "", builtIn: Settings) {
        self.name = name
        self.builtIn = builtIn
        settings = builtIn
    }

    /// Whether a file gives this key a value, be it a bad one.
    func says(_ key: String) -> Bool { places[key] != nil || refused.contains(key) }

    /// - Returns: what is to be said of it.
    mutating func apply(_ value: String, to key: Key<Settings>, at place: Place) -> Diagnostic? {
        if value.isEmpty {
            key.reset(&settings, builtIn)
            places[key.name] = nil
            refused.remove(key.name)
            return nil
        }
        do {
            try key.assign(value, &settings)
            places[key.name] = place
        } catch {
            refused.insert(key.name)
            return Diagnostic(
                .error, at: place, "\(key.name)=\(value) \(error.problem)",
                advice: hasComment(value, for: key) ? "a comment needs a line of its own" : error.advice)
        }
        guard key.isFreeText, SectionDraft.comment(in: value) != nil else { return nil }
        return Diagnostic(
            .warning, at: place, "\(key.name)=\(value) is the value as a whole",
            advice: "if that is meant as a comment, it needs a line of its own")
    }

    /// Whether the value would be right without what follows ` ;` or ` #`.
    private func hasComment(_ value: String, for key: Key<Settings>) -> Bool {
        guard let comment = SectionDraft.comment(in: value) else { return false }
        var trial = settings
        return (try? key.assign(String(value[..<comment].trimmed), &trial)) != nil
    }

    /// Where something begins that looks like a comment.
    private static func comment(in value: String) -> String.Index? {
        zip(value.indices, value.indices.dropFirst())
            .first { " \t".contains(value[$0]) && ";#".contains(value[$1]) }?.0
    }
}
