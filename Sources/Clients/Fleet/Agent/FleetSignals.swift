/// The signals that the broker retains for the board, and their pending reports to Tacet. It has no side effects.
///
/// Tacet's bus accepts a level with a lease. While the broker is connected, each lease is renewed. Once the broker is
/// lost, the lease expires, and the signal's own `LostGrace=` and `WhenLost=` apply. A level may change during a
/// disconnection, so after a reconnection it is used only once the broker has repeated it. Before that, a broker that
/// has kept the session delivers everything that was published in the meantime, including levels that may be out of
/// date.
struct FleetSignals: Hashable {
    static let lease = Duration.seconds(15)
    static let renewal = Duration.seconds(5)
    /// The time after which a refused signal is tried again, because Tacet's configuration may have changed.
    static let retry = Duration.seconds(60)
    /// The time after which a level that Tacet could not accept is set again.
    static let pause = Duration.milliseconds(500)
    /// The time after a subscription within which the broker may repeat the retained messages.
    static let settling = Duration.seconds(2)
    /// The maximum number of signals. Additional signals that Tacet does not have are rejected, because each one causes
    /// repeated calls.
    static let most = 64

    /// The reliability of a topic's level since the last connection.
    private enum Standing: Hashable {
        case doubted
        /// The broker has delivered the level, but not as a retained message.
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
        /// The broker may still repeat retained messages until this time.
        case settling(until: Duration)
        case settled
    }

    private struct Entry: Hashable {
        /// The level of each topic, by its scope: the board, a group or the fleet.
        var levels: [String: Level] = [:]
        var reported: Bool?
        var next = Duration.zero
        var isInFlight = false
        /// The reason why Tacet refuses the signal.
        var refusal: String?

        /// True while any topic asserts the signal, or nil while that is unknown.
        var level: Bool? {
            let confirmed = levels.values.filter { $0.standing == .confirmed }
            if confirmed.contains(where: \.isOn) { return true }
            return confirmed.count == levels.count ? false : nil
        }

        /// The time at which the level must be set in Tacet, or nil while the level is unknown.
        var dueTime: Duration? {
            guard let level else { return nil }
            // A change is reported at once. A level that Tacet already has, or could not accept, is reported later.
            return reported == nil || reported == level ? next : .zero
        }
    }

    private var entries: [String: Entry] = [:]
    /// The signals that Tacet has, or nil until they are known.
    private(set) var known: Set<String>?
    /// True if a signal was rejected since the broker last sent its retained messages.
    private(set) var isIncomplete = false
    private var phase = Phase.settled

    /// - Parameter isKept: true if the broker sends the level because it is retained, and not because it was just
    ///   published.
    /// - Returns: true if the level has changed, or nil if there are too many signals. A signal that Tacet has is
    ///   always accepted, so that other names cannot prevent an alarm.
    mutating func set(_ name: String, _ level: Bool, by scope: String, isKept: Bool) -> Bool? {
        if entries[name] == nil, entries.count >= FleetSignals.most {
            let isKnown = known?.contains(name) == true
            // A signal that Tacet does not have is dropped to make room. If Tacet has it later, the board subscribes
            // again.
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

    /// Stores the names of the signals that Tacet has.
    /// - Returns: true if they have changed. A signal that was rejected may be one of them.
    mutating func learn(_ names: Set<String>) -> Bool {
        guard names != known else { return false }
        // Signals that Tacet did not have before are set at once.
        for name in names.subtracting(known ?? []) where entries[name]?.refusal != nil {
            entries[name]?.refusal = nil
            entries[name]?.next = .zero
        }
        known = names
        return true
    }

    /// Notes that the broker is about to send its retained messages.
    mutating func expectAll() { isIncomplete = false }

    /// Notes that the broker is connected again.
    mutating func didReconnect() {
        phase = .doubtful
        expectAll()
        for (name, entry) in entries {
            entries[name]?.levels = entry.levels.mapValues { Level(isOn: $0.isOn, standing: .doubted) }
        }
    }

    /// Notes that the broker has answered the subscription.
    mutating func beginSettling(at now: Duration) {
        if phase != .settled { phase = .settling(until: now + FleetSignals.settling) }
    }

    /// Notes that the broker is no longer connected, so it cannot repeat anything.
    mutating func stopSettling() {
        if phase != .settled { phase = .doubtful }
    }

    /// Applies the passage of time. Once the broker has had the time to repeat its retained messages, levels that were
    /// only delivered are also used. A level that the broker has not sent at all is not renewed, and is therefore lost
    /// unless the same signal has a level from another topic.
    mutating func advance(to now: Duration) {
        guard case .settling(let end) = phase, end <= now else { return }
        phase = .settled
        for (name, entry) in entries {
            entries[name]?.levels = entry.levels.filter { $0.value.standing != .doubted }
                .mapValues { Level(isOn: $0.isOn, standing: .confirmed) }
        }
        entries = entries.filter { !$0.value.levels.isEmpty }
    }

    /// The time at which `advance` has something to do, or nil if there is no such time.
    var settlingEnd: Duration? { if case .settling(let end) = phase { end } else { nil } }

    /// Returns the levels to set now. Call `answered` for each of them.
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

    /// - Parameter refusal: Tacet's reason, or nil if it has accepted the level.
    /// - Returns: true if the reason has changed.
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

    /// Notes that Tacet could not accept the level at the moment.
    mutating func postpone(_ name: String, at now: Duration) {
        entries[name]?.isInFlight = false
        entries[name]?.reported = nil
        entries[name]?.next = now + FleetSignals.pause
    }

    /// Notes that Tacet has restarted or could not be reached, so it does not have any level.
    mutating func forgetReported() {
        for name in entries.keys {
            entries[name]?.reported = nil
            entries[name]?.next = .zero
            entries[name]?.isInFlight = false
        }
    }

    /// The time at which `due` next returns a level if nothing changes, or nil if there is no such time.
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
