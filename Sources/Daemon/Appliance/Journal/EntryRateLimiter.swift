/// A turned dial or a dragged position gives many commands, of which people want to read the first and the last: the first
/// is logged at once, then the newest once a second. Pure; the time is passed in.
struct EntryRateLimiter {
    private static let pace = Duration.seconds(1)

    private struct Series {
        let kind: [String]
        /// When the next entry may be written.
        var next: Duration
        var newest: JournalEntry?
    }

    private var series: [Series] = []

    /// When an entry is due; nil if none waits.
    var deadline: Duration? { series.filter { $0.newest != nil }.map(\.next).min() }

    /// - Returns: the entry if it must be written now; otherwise it is due later, unless a newer one replaces it.
    mutating func take(_ entry: JournalEntry, of kind: [String], at now: Duration) -> JournalEntry? {
        series.removeAll { $0.newest == nil && $0.next <= now }
        guard let index = series.firstIndex(where: { $0.kind == kind }) else {
            series.append(Series(kind: kind, next: now + EntryRateLimiter.pace))
            return entry
        }
        series[index].newest = entry
        return nil
    }

    /// The entries to write now.
    /// - Parameter now: nil for all that wait.
    mutating func due(at now: Duration?) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        for index in series.indices where now.map({ series[index].next <= $0 }) ?? true {
            guard let newest = series[index].newest else { continue }
            entries.append(newest)
            series[index].newest = nil
            series[index].next = max(series[index].next, now ?? .zero) + EntryRateLimiter.pace
        }
        return entries
    }
}
