import Clocks
import Configuration
import Time

/// The use of a configuration that is older than the one on the disk.
struct FallbackConfiguration: Hashable, Sendable {
    /// The time at which the configuration in use first worked, by the wall clock since 1970.
    let time: Duration
    let cause: Cause

    /// The reason why the configuration on the disk is not used.
    enum Cause: Hashable, Sendable {
        case mistakes(ConfigurationError)
        /// The configuration does not contain mistakes, but cannot be used for this reason.
        case unusable(String)
    }

    /// The text for the list of problems, in one line.
    var words: String { "degraded: the configuration of \(date) is used because \(reason)" }

    /// The entry for the journal of a start, which contains every mistake.
    var entry: JournalEntry? {
        guard case .mistakes(let mistakes) = cause else { return nil }
        return JournalEntry(
            .configurationRejected,
            "The configuration has mistakes, so Tacet uses the last one that worked (of \(date)) until they are "
                + "corrected:\n\(mistakes)", priority: .error)
    }

    private var reason: String {
        switch cause {
        case .mistakes(let mistakes): "of \(FallbackConfiguration.first(of: mistakes))"
        case .unusable(let words): words
        }
    }

    /// Returns the first mistake, such as
    /// `/etc/tacet/tacet.conf:7: unknown key ‘Debunce’ in [Signal alarm] (and 2 more)`.
    private static func first(of mistakes: ConfigurationError) -> String {
        let errors = mistakes.diagnostics.filter { $0.severity == .error }
        guard let first = errors.first else { return "mistakes in the present one" }
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        return "\(first.file)\(first.line == 0 ? "" : ":\(first.line)"): \(first.message)\(more)"
    }

    /// The local date and time, such as `2026-11-20 14:03`.
    private var date: String {
        let local = CivilTime(local: time)
        return "\(local.date) \(local.hourAndMinute)"
    }
}
