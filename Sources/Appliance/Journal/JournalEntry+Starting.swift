import Configuration

extension JournalEntry {
    /// The daemon does not start: the configuration has mistakes. All of them are in the message, the first in a field.
    public static func startRefused(_ error: ConfigurationError) -> JournalEntry {
        let first = error.description.split(separator: "\n").first.map(String.init)
        return JournalEntry(.startRefused, "\(error)", priority: .error).with(.reason, first)
    }
}
