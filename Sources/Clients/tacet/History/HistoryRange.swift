import Clocks
import Time
import Timeline

/// The part of the history that was requested.
struct HistoryRange {
    /// The limits in µs since 1970, or nil for the beginning or the end of the history.
    let since: Int64?
    let until: Int64?

    init(since: Int64?, until: Int64?) {
        self.since = since
        self.until = until
    }

    /// - Parameter now: the time to which values such as `today` and `-2h` refer.
    init(_ options: Options, now: Int64, subcommand: String) throws(UsageError) {
        func time(_ name: String) throws(UsageError) -> Int64? {
            guard let text = options.values[name] else { return nil }
            guard let time = WrittenTime.parse(text, now: now) else {
                throw UsageError(
                    "\(name): ‘\(text)’ is not a time: write 2026-11-21 14:03, 14:03, today, yesterday or -2h",
                    subcommand: subcommand)
            }
            return time
        }
        since = try time("--since")
        until = try time("--until")
        if let since, let until, until < since {
            throw UsageError("--until is before --since", subcommand: subcommand)
        }
    }

    /// Returns the same range with a beginning. If the range has none, it begins at most 24 hours before the last
    /// entry.
    func bounded(by chronicle: Chronicle) -> HistoryRange {
        guard since == nil, let first = chronicle.moments.first?.time, let last = chronicle.last(until: until) else {
            return self
        }
        return HistoryRange(since: max(first, last.subtracting(24 * 3600 * 1_000_000)), until: until)
    }

    func overlaps(_ row: History.Row) -> Bool {
        guard row.began <= until ?? .max else { return false }
        return row.length.isOpen || row.began.adding(row.length.lasted ?? 0) >= since ?? .min
    }

    static let options: [Manual.Option] = [
        .init(
            "--since", .init("TIME", .nothing),
            "begin at this time, such as 2026-11-21 14:03, 14:03, today, yesterday or -2h"),
        .init("--until", .init("TIME", .nothing), "end at this time"),
        .init(
            "--file", .init("EXPORT", .file),
            "read the journal of any machine from a file made with journalctl -u tacet -o export"),
        .init(
            "--directory", .init("FOLDER", .folder),
            "read the journal files in this folder, such as those on the card of another machine"),
    ]
}

/// The values of several names over time, as spans.
struct SpanBook<Value: Sendable & Equatable> {
    private var begun: [String: (from: Double, value: Value)] = [:]
    private var ended: [String: [Timeline.Span<Value>]] = [:]
    /// The names in the order of their first appearance.
    private(set) var names: [String] = []

    func holds(_ name: String) -> Bool { begun[name] != nil }

    mutating func set(_ name: String, _ value: Value?, at time: Double) {
        if !names.contains(name) { names.append(name) }
        if let now = begun[name], now.value == value { return }
        if let past = begun.removeValue(forKey: name), time > past.from {
            ended[name, default: []].append(.init(from: past.from, to: time, value: past.value))
        }
        if let value { begun[name] = (time, value) }
    }

    mutating func endAll(at time: Double) {
        for name in names { set(name, nil, at: time) }
    }

    func spans(of name: String) -> [Timeline.Span<Value>] { ended[name] ?? [] }
}
