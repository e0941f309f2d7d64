/// The signals that the broker keeps for the board: what Tacet must be told, and when. Pure.
///
/// Tacet's bus takes a level for a lease. While the broker is connected, each level is renewed; once the broker is lost, the
/// lease expires, and the signal's own `LostGrace=` and `WhenLost=` decide.
struct FleetSignals: Hashable {
    static let lease = Duration.seconds(15)
    static let renewal = Duration.seconds(5)
    /// When a signal that Tacet refuses is tried again: its configuration may have changed.
    static let retry = Duration.seconds(60)
    /// More signals are refused: each is a call every few seconds.
    private static let most = 64

    private struct Entry: Hashable {
        /// By the board, the group or the fleet that says so.
        var levels: [String: Bool] = [:]
        var told: Bool?
        var next = Duration.zero
        var isInFlight = false
        /// Why Tacet refuses it.
        var refusal: String?

        /// Asserted while anybody asserts it.
        var level: Bool { levels.values.contains(true) }
    }

    private var entries: [String: Entry] = [:]

    /// - Returns: whether the level is another than before; nil if there are too many signals.
    mutating func set(_ name: String, _ level: Bool, by scope: String) -> Bool? {
        guard entries[name] != nil || entries.count < FleetSignals.most else { return nil }
        return entries[name, default: Entry()].levels.updateValue(level, forKey: scope) != level
    }

    /// What is to be told now; each is then awaited by `answered`.
    mutating func due(at now: Duration) -> [(name: String, level: Bool)] {
        entries.keys.sorted().compactMap { name in
            guard var entry = entries[name], !entry.isInFlight else { return nil }
            let isNews = entry.told != entry.level
            guard isNews || now >= entry.next else { return nil }
            entry.isInFlight = true
            entry.told = entry.level
            entry.next = now + FleetSignals.renewal
            entries[name] = entry
            return (name, entry.level)
        }
    }

    /// - Parameter refusal: Tacet's reason; nil if it has taken the level.
    mutating func answered(_ name: String, refusal: String?, at now: Duration) {
        entries[name]?.isInFlight = false
        entries[name]?.refusal = refusal
        if refusal != nil { entries[name]?.next = now + FleetSignals.retry }
    }

    /// Tacet has restarted, or could not be reached: it knows nothing.
    mutating func forgetTold() {
        for name in entries.keys {
            entries[name]?.told = nil
            entries[name]?.isInFlight = false
        }
    }

    /// When `due` has something to say next, if nothing changes; nil: never.
    var deadline: Duration? { entries.values.filter { !$0.isInFlight }.map(\.next).min() }

    var problems: [String] {
        entries.sorted { $0.key < $1.key }.compactMap { name, entry in
            entry.refusal.map { "signal \(name) from the broker: \($0)" }
        }
    }
}
