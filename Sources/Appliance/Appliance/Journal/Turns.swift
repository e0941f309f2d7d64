/// A dial that is turned, or a position that is dragged, gives many commands, of which people want the first and the last:
/// the first is logged at once, then the newest once a second. Pure; the time is passed in.
struct Turns {
    private static let pace = Duration.seconds(1)

    private struct Turn {
        let kind: [String]
        /// When the next entry may be written.
        var next: Duration
        var newest: JournalEntry?
    }

    private var turns: [Turn] = []

    /// When an entry is due; nil: none waits.
    var deadline: Duration? { turns.filter { $0.newest != nil }.map(\.next).min() }

    /// - Returns: the entry if it is to be written now; otherwise it is due later, unless a newer one replaces it.
    mutating func take(_ entry: JournalEntry, of kind: [String], at now: Duration) -> JournalEntry? {
        turns.removeAll { $0.newest == nil && $0.next <= now }
        guard let index = turns.firstIndex(where: { $0.kind == kind }) else {
            turns.append(Turn(kind: kind, next: now + Turns.pace))
            return entry
        }
        turns[index].newest = entry
        return nil
    }

    /// Entries that are due, which are to be written.
    /// - Parameter now: nil: all that wait.
    mutating func due(at now: Duration?) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        for index in turns.indices where now.map({ turns[index].next <= $0 }) ?? true {
            guard let newest = turns[index].newest else { continue }
            entries.append(newest)
            turns[index].newest = nil
            turns[index].next = max(turns[index].next, now ?? .zero) + Turns.pace
        }
        return entries
    }
}
