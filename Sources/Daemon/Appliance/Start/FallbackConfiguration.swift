import Clocks
import Configuration
import Time

/// Tacet uses an older configuration than the one on the disk.
struct FallbackConfiguration: Hashable, Sendable {
    /// When the configuration that is used first worked, by the wall clock: since 1970.
    let time: Duration
    let cause: Cause

    /// Why the one on the disk is not used.
    enum Cause: Hashable, Sendable {
        case mistakes(ConfigurationError)
        /// It has no mistakes: in words.
        case unusable(String)
    }

    /// For the report of what is wrong, in one line.
    var words: String { "degraded: configuration of \(date) is used, as \(reason)" }

    /// For the journal of a start, with every mistake.
    var entry: JournalEntry? {
        guard case .mistakes(let mistakes) = cause else { return nil }
        return JournalEntry(
            .configurationRejected,
            "The configuration has mistakes and is not used; the last one that worked, of \(date), is used until "
                + "they are corrected:\n\(mistakes)", priority: .error)
    }

    private var reason: String {
        switch cause {
        case .mistakes(let mistakes): FallbackConfiguration.first(of: mistakes)
        case .unusable(let words): words
        }
    }

    /// `/etc/tacet/tacet.conf:7: unknown key ‘Debunce’ in [Signal alarm] (and 2 more)`
    private static func first(of mistakes: ConfigurationError) -> String {
        let errors = mistakes.diagnostics.filter { $0.severity == .error }
        guard let first = errors.first else { return "the present one has mistakes" }
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        return "\(first.file)\(first.line == 0 ? "" : ":\(first.line)"): \(first.message)\(more)"
    }

    /// Where the board is: `2026-11-20 14:03`.
    private var date: String {
        let local = CivilTime(local: time)
        return "\(local.date) \(local.hourAndMinute)"
    }
}
