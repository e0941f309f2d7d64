/// The signals that the broker keeps for the board, and what to report to Tacet when. Pure.
///
/// Tacet's bus takes a level for a lease. While the broker is connected, each level is renewed; once the broker is lost, the
/// lease expires, and the signal's own `LostGrace=` and `WhenLost=` decide. After a reconnection a level counts again when
/// the broker has repeated it: meanwhile it may have changed.
struct FleetSignals: Hashable {
    static let lease = Duration.seconds(15)
    static let renewal = Duration.seconds(5)
    /// When a signal that Tacet refuses is tried again: its configuration may have changed.
    static let retry = Duration.seconds(60)
    /// How long after a subscription the broker may take to repeat what it keeps.
    static let settling = Duration.seconds(2)
    /// More signals are rejected: each is a call every few seconds.
    static let most = 64

    private struct Entry: Hashable {
        /// By the board, the group or the fleet whose topic has the level.
        var levels: [String: Bool] = [:]
        /// Those whose level the broker has sent since the last connection.
        var confirmed: Set<String> = []
        var reported: Bool?
        var next = Duration.zero
        var isInFlight = false
        /// Why Tacet refuses it.
        var refusal: String?

        /// Asserted while anybody asserts it; nil while that is not known.
        var level: Bool? {
            if confirmed.contains(where: { levels[$0] == true }) { return true }
            return confirmed.count == levels.count ? false : nil
        }
    }

    private var entries: [String: Entry] = [:]

    /// - Returns: whether the level is another than before; nil if there are too many signals.
    mutating func set(_ name: String, _ level: Bool, by scope: String) -> Bool? {
        if entries[name] == nil, entries.count >= FleetSignals.most {
            // One that Tacet does not have makes room.
            guard let refused = entries.first(where: { $0.value.refusal != nil })?.key else { return nil }
            entries[refused] = nil
        }
        entries[name, default: Entry()].confirmed.insert(scope)
        return entries[name, default: Entry()].levels.updateValue(level, forKey: scope) != level
    }

    /// The broker is connected again.
    mutating func doubt() {
        for name in entries.keys { entries[name]?.confirmed = [] }
    }

    /// The broker has had the time to repeat what it keeps. What it no longer has is not renewed, and so is lost.
    mutating func forgetUnconfirmed() {
        for (name, entry) in entries {
            entries[name]?.levels = entry.levels.filter { entry.confirmed.contains($0.key) }
        }
        entries = entries.filter { !$0.value.levels.isEmpty }
    }

    /// What to report now; `answered` follows for each.
    mutating func due(at now: Duration) -> [(name: String, level: Bool)] {
        entries.keys.sorted().compactMap { name in
            guard var entry = entries[name], !entry.isInFlight, let level = entry.level else { return nil }
            guard entry.reported != level || now >= entry.next else { return nil }
            entry.isInFlight = true
            entry.reported = level
            entry.next = now + FleetSignals.renewal
            entries[name] = entry
            return (name, level)
        }
    }

    /// - Parameter refusal: Tacet's reason; nil if it has taken the level.
    mutating func answered(_ name: String, refusal: String?, at now: Duration) {
        entries[name]?.isInFlight = false
        entries[name]?.refusal = refusal
        if refusal != nil { entries[name]?.next = now + FleetSignals.retry }
    }

    /// Tacet has restarted, or could not be reached: it has no level.
    mutating func forgetReported() {
        for name in entries.keys {
            entries[name]?.reported = nil
            entries[name]?.isInFlight = false
        }
    }

    /// When `due` has something to report next, if nothing changes; nil: never.
    var deadline: Duration? {
        entries.values.filter { !$0.isInFlight && $0.level != nil }.map { $0.reported == $0.level ? $0.next : .zero }
            .min()
    }

    var problems: [String] {
        entries.sorted { $0.key < $1.key }.compactMap { name, entry in
            entry.refusal.map { "signal \(name) from the broker: \($0)" }
        }
    }
}
