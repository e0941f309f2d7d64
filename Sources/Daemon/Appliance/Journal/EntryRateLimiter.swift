/// Limits the entries of a series of commands, such as those of a turned dial or a dragged position. People want to
/// read the first and the last of them, so the first is logged at once and then the newest once a second. The type is
/// pure, so the caller passes the time.
struct EntryRateLimiter {
    private static let pace = Duration.seconds(1)

    private struct Series {
        let kind: [String]
        /// The time from which the next entry may be written.
        var next: Duration
        var newest: JournalEntry?
    }

    private var series: [Series] = []

    /// The time at which an entry is due, or nil if none is pending.
    var deadline: Duration? { series.filter { $0.newest != nil }.map(\.next).min() }

    /// - Returns: The entry if it must be written now, or nil if it is pending. A newer entry replaces a pending one.
    mutating func take(_ entry: JournalEntry, of kind: [String], at now: Duration) -> JournalEntry? {
        series.removeAll { $0.newest == nil && $0.next <= now }
        guard let index = series.firstIndex(where: { $0.kind == kind }) else {
            series.append(Series(kind: kind, next: now + EntryRateLimiter.pace))
            return entry
        }
        series[index].newest = entry
        return nil
    }

    /// Returns the entries to write now.
    /// - Parameter now: The current time, or nil for all pending entries.
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
