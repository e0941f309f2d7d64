/// One mistake in the configuration, or a warning about a likely one.
public struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Severity: String, Hashable, Sendable { case error, warning }

    public var severity: Severity
    /// The path with which the file was opened.
    public var file: String
    /// The number of the line, from 1, or 0 for the whole file.
    public var line: Int
    public var message: String
    /// The fix, or an example of a correct value.
    public var advice: String?

    public init(_ severity: Severity, file: String, line: Int = 0, _ message: String, advice: String? = nil) {
        self.severity = severity
        self.file = file
        self.line = line
        self.message = message
        self.advice = advice
    }

    /// The text for people, such as
    /// `/etc/tacet/tacet.conf:7: error: unknown key ‘Debunce’ in [Signal alarm] (did you mean ‘Debounce’?)`.
    public var description: String {
        let place = line == 0 ? file : "\(file):\(line)"
        return "\(place): \(severity.rawValue): \(message)" + (advice.map { " (\($0))" } ?? "")
    }
}

extension Diagnostic {
    init(_ severity: Severity, at place: Place, _ message: String, advice: String? = nil) {
        self.init(severity, file: place.file, line: place.line, message, advice: advice)
    }
}

/// A line of a file.
struct Place: Hashable, Sendable, CustomStringConvertible {
    let file: String
    /// The number of the line, from 1.
    let line: Int

    var description: String { "\(file):\(line)" }
}

/// The reasons why a configuration cannot be used. They include all of its mistakes, not only the first.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one error and any warnings, in the order in which the files were read.
    public let diagnostics: [Diagnostic]

    public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// The text with one line per diagnostic.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
