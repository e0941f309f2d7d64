/// The signals that the broker keeps for the board, and what to report to Tacet when. Pure.
///
/// Tacet's bus takes a level for a lease. While the broker is connected, each level is renewed; once the broker is lost, the
/// lease expires, and the signal's own `LostGrace=` and `WhenLost=` decide. After a reconnection a level counts again when
/// the broker has repeated it: meanwhile it may have changed. Before that, a broker that has kept the session delivers
/// everything that was published meanwhile: levels that may be over.
struct FleetSignals: Hashable {
    static let lease = Duration.seconds(15)
    static let renewal = Duration.seconds(5)
    /// When a signal that Tacet refuses is tried again: its configuration may have changed.
    static let retry = Duration.seconds(60)
    /// When a level is reported again that Tacet could not take.
    static let pause = Duration.milliseconds(500)
    /// How long after a subscription the broker may take to repeat what it keeps.
    static let settling = Duration.seconds(2)
    /// More signals that Tacet does not have are rejected: each is a call now and then.
    static let most = 64

    /// How far the level of a topic can be relied on since the last connection.
    private enum Standing: Hashable {
        case doubted
        /// The broker has delivered it, but not as the one that it keeps.
        case delivered
        case confirmed
    }

    private struct Level: Hashable {
        var isOn: Bool
        var standing: Standing
    }

    private enum Phase: Hashable {
        /// The broker has not answered the subscription yet.
        case doubtful
        /// Until then, the broker may be about to repeat what it keeps.
        case settling(until: Duration)
        case settled
    }

    private struct Entry: Hashable {
        /// By the board, the group or the fleet whose topic has the level.
        var levels: [String: Level] = [:]
        var reported: Bool?
        var next = Duration.zero
        var isInFlight = false
        /// Why Tacet refuses it.
        var refusal: String?

        /// Asserted while anybody asserts it; nil while that is not known.
        var level: Bool? {
            let confirmed = levels.values.filter { $0.standing == .confirmed }
            if confirmed.contains(where: \.isOn) { return true }
            return confirmed.count == levels.count ? false : nil
        }

        /// When its level is to be reported; nil while that is not known.
        var dueTime: Duration? {
            guard let level else { return nil }
            // A change at once; what is known already, or could not be taken, later.
            return reported == nil || reported == level ? next : .zero
        }
    }

    private var entries: [String: Entry] = [:]
    /// The signals that Tacet has; nil until that is known.
    private(set) var known: Set<String>?
    /// Whether a signal was rejected since the broker last sent what it keeps.
    private(set) var isIncomplete = false
    private var phase = Phase.settled

    /// - Parameter isKept: whether the broker sends the level because it keeps it, and not because it was just published.
    /// - Returns: whether the level is another than before; nil if there are too many signals. One that Tacet has is always
    ///   taken, so that nobody's other names keep an alarm away.
    mutating func set(_ name: String, _ level: Bool, by scope: String, isKept: Bool) -> Bool? {
        if entries[name] == nil, entries.count >= FleetSignals.most {
            let isKnown = known?.contains(name) == true
            // One that Tacet does not have makes room. Should Tacet have it later, the broker is asked again.
            let other = entries.first { entry in
                known?.contains(entry.key) != true && (entry.value.refusal != nil || isKnown)
            }
            if let other { entries[other.key] = nil }
            isIncomplete = isIncomplete || other != nil || !isKnown
            guard other != nil || isKnown else { return nil }
        }
        var entry = entries[name] ?? Entry()
        defer { entries[name] = entry }
        let former = entry.levels[scope]
        let isConfirmed = isKept || phase == .settled || former?.standing == .confirmed
        entry.levels[scope] = Level(isOn: level, standing: isConfirmed ? .confirmed : .delivered)
        return former?.isOn != level
    }

    /// Tacet has told which signals it has.
    /// - Returns: whether they are others than before. If something was rejected, it may have been one of these.
    mutating func learn(_ names: Set<String>) -> Bool {
        guard names != known else { return false }
        // What Tacet has not had until now need not wait.
        for name in names.subtracting(known ?? []) where entries[name]?.refusal != nil {
            entries[name]?.refusal = nil
            entries[name]?.next = .zero
        }
        known = names
        return true
    }

    /// The broker is about to send what it keeps.
    mutating func expectAll() { isIncomplete = false }

    /// The broker is connected again.
    mutating func didReconnect() {
        phase = .doubtful
        expectAll()
        for (name, entry) in entries {
            entries[name]?.levels = entry.levels.mapValues { Level(isOn: $0.isOn, standing: .doubted) }
        }
    }

    /// The broker has answered the subscription.
    mutating func beginSettling(at now: Duration) {
        if phase != .settled { phase = .settling(until: now + FleetSignals.settling) }
    }

    /// The broker is no longer connected, so it cannot repeat anything.
    mutating func stopSettling() {
        if phase != .settled { phase = .doubtful }
    }

    /// The time has passed. Once the broker has had the time to repeat what it keeps, what was only delivered counts, too.
    /// What the broker has not sent at all is not renewed, and so is lost; unless the same signal has a level from another
    /// topic.
    mutating func advance(to now: Duration) {
        guard case .settling(let end) = phase, end <= now else { return }
        phase = .settled
        for (name, entry) in entries {
            entries[name]?.levels = entry.levels.filter { $0.value.standing != .doubted }
                .mapValues { Level(isOn: $0.isOn, standing: .confirmed) }
        }
        entries = entries.filter { !$0.value.levels.isEmpty }
    }

    /// When `advance` has something to do; nil: never.
    var settlingEnd: Duration? { if case .settling(let end) = phase { end } else { nil } }

    /// What to report now; `answered` follows for each.
    mutating func due(at now: Duration) -> [(name: String, level: Bool)] {
        entries.keys.sorted().compactMap { name in
            guard var entry = entries[name], !entry.isInFlight, let level = entry.level, let time = entry.dueTime,
                now >= time
            else { return nil }
            entry.isInFlight = true
            entry.reported = level
            entry.next = now + FleetSignals.renewal
            entries[name] = entry
            return (name, level)
        }
    }

    /// - Parameter refusal: Tacet's reason; nil if it has taken the level.
    /// - Returns: whether that is news.
    @discardableResult
    mutating func answered(_ name: String, refusal: String?, at now: Duration) -> Bool {
        guard var entry = entries[name] else { return false }
        defer { entries[name] = entry }
        let isNews = entry.refusal != refusal
        entry.isInFlight = false
        entry.refusal = refusal
        if refusal != nil { entry.next = now + FleetSignals.retry }
        return isNews
    }

    /// Tacet could not take the level at the moment.
    mutating func postpone(_ name: String, at now: Duration) {
        entries[name]?.isInFlight = false
        entries[name]?.reported = nil
        entries[name]?.next = now + FleetSignals.pause
    }

    /// Tacet has restarted, or could not be reached: it has no level.
    mutating func forgetReported() {
        for name in entries.keys {
            entries[name]?.reported = nil
            entries[name]?.next = .zero
            entries[name]?.isInFlight = false
        }
    }

    /// When `due` has something to report next, if nothing changes; nil: never.
    var deadline: Duration? {
        entries.values.filter { !$0.isInFlight }.compactMap(\.dueTime).min()
    }

    var problems: [String] {
        let refused = entries.sorted { $0.key < $1.key }.compactMap { name, entry in
            entry.refusal.map { "signal \(name) from the broker: \($0)" }
        }
        guard isIncomplete else { return refused }
        return refused + ["the broker has more than \(FleetSignals.most) signals that Tacet does not have"]
    }
}
