import AudioSession

/// The signals that programs assert, with their leases. The type is pure, so the caller passes the time.
///
/// Each program on the bus holds its own level, so that two calls can assert one signal at once. The signal is asserted
/// while at least one program asserts it. If a program ends its own assertion, the assertions of other programs remain.
/// If a program that does not assert the signal ends it, all assertions end, so that a person can always end a signal.
/// A deassertion with a lease, such as one from a fleet, does not end other assertions, and it clears a loss only if
/// the lost program ran as the same user.
struct LeaseTable: Hashable {
    /// The level that one program holds.
    private struct Hold: Hashable {
        let level: Bool
        /// The time at which the lease expires, or nil if it ends when the program leaves the bus.
        var until: Duration?
        /// The program's name, for people.
        let program: String
        /// The user ID of the program, or nil if it is unknown.
        let user: UInt32?
    }

    private struct Loss: Hashable {
        let reason: String
        /// The user ID of the program that had asserted the signal, or nil if it is unknown.
        let user: UInt32?
    }

    private struct Entry: Hashable {
        /// The levels by the connection's unique name.
        var holds: [String: Hold] = [:]
        /// The connections whose hold has ended for a reason other than their own request, and which may still request
        /// its end.
        var deprived: Set<String> = []
        /// The reason why the level is unknown, or nil if it is known.
        var loss: Loss?
    }

    /// The name under which the levels of the last run are held until their programs renew them. It is never the name
    /// of a connection.
    private static let lastRun = ""

    /// The longest time for which leases are paused while Tacet is not on the bus. After that pause, programs have
    /// `renewal` to renew them.
    static let longestPause = Duration.seconds(60)
    private static let renewal = Duration.seconds(5)

    private var entries: [SignalID: Entry] = [:]
    /// The time since which programs cannot renew a lease because Tacet is not on the bus, or nil while it is.
    private var absentSince: Duration?
    /// The signals that programs hold but cannot assert under the current configuration.
    private var absent: Set<SignalID> = []

    /// Limits the signals that can be asserted from now on. The levels that programs hold for other signals are kept
    /// and apply again if these signals return, because programs do not notice a reload. The reasons for their loss are
    /// not kept.
    mutating func keep(_ isKept: (SignalID) -> Bool) {
        absent = Set(entries.keys.filter { !isKept($0) })
        for signal in absent { entries[signal]?.loss = nil }
        forgetUnheld()
    }

    /// Ends a program's assertion of a signal that cannot currently be asserted.
    mutating func withdraw(_ signal: SignalID, by client: String) {
        guard absent.contains(signal) else { return }
        entries[signal]?.holds[client] = nil
        entries[signal]?.deprived.remove(client)
        forgetUnheld()
    }

    private mutating func forgetUnheld() {
        for signal in absent where entries[signal].map({ $0.holds.isEmpty && $0.deprived.isEmpty }) ?? true {
            entries[signal] = nil
            absent.remove(signal)
        }
    }

    /// Sets a level for a program, or renews its lease.
    /// - Parameters:
    ///   - client: The unique name of its connection.
    ///   - user: The user ID of the program, or nil if it is unknown.
    ///   - until: The time at which the lease expires, or nil if it ends when the program leaves the bus.
    ///   - isHeld: For a deassertion, true if the program also holds this level, so that its loss matters.
    mutating func set(
        _ signal: SignalID, _ asserted: Bool, by client: String, called program: String, of user: UInt32? = nil,
        until: Duration?, isHeld: Bool = false
    ) {
        var entry = entries[signal] ?? Entry()
        let isOwn = entry.holds.removeValue(forKey: client) != nil || entry.deprived.contains(client)
        entry.deprived.remove(client)
        if asserted || !isHeld { entry.holds[Self.lastRun] = nil }
        if asserted || !isHeld || entry.loss?.user == user { entry.loss = nil }
        if asserted || isHeld {
            entry.holds[client] = Hold(level: asserted, until: until, program: program, user: user)
        } else if !isOwn {
            entry.deprived.formUnion(entry.holds.keys)
            entry.holds = [:]
        }
        entries[signal] = entry
    }

    /// Restores a signal that was active in the last run of the daemon.
    mutating func resume(_ signal: SignalID, until: Duration) {
        guard entries[signal] == nil else { return }
        entries[signal] = Entry(holds: [Self.lastRun: Hold(level: true, until: until, program: "", user: nil)])
    }

    /// Records that a program has left the bus.
    mutating func left(_ client: String) { lose(client) { "\($0) has left the bus" } }

    private mutating func lose(_ client: String, _ reason: (String) -> String) {
        for signal in entries.keys {
            end(client, of: signal, reason)
            entries[signal]?.deprived.remove(client)
        }
        forgetUnheld()
    }

    /// Records that Tacet has lost its connection to the bus. Often only the connection has ended, and the programs are
    /// still running. Therefore, their levels apply until the programs can be followed again. Leases end after a minute
    /// at the latest.
    mutating func leaveBus(at now: Duration) { absentSince = absentSince ?? now }

    /// - Parameter isSame: False if it is another bus, on which other programs may have the same names.
    mutating func returnToBus(isSame: Bool, at now: Duration) {
        defer { absentSince = nil }
        guard isSame else {
            for client in clients { lose(client) { "the bus on which \($0) asserted it has ended" } }
            return
        }
        if let absentSince { extendLeases(by: now - absentSince, earliest: now + Self.renewal) }
    }

    private mutating func extendLeases(by time: Duration, earliest: Duration) {
        for signal in entries.keys {
            for (client, hold) in entries[signal]?.holds ?? [:] {
                entries[signal]?.holds[client]?.until = hold.until.map { max($0 + time, earliest) }
            }
        }
    }

    mutating func advance(to now: Duration) {
        if let since = absentSince {
            guard now - since >= Self.longestPause else { return }
            absentSince = nil
            expire({ client, _ in client != Self.lastRun }) { "without a bus, \($1) cannot renew its lease" }
        }
        expire({ $1 <= now }) { client, program in
            client == Self.lastRun
                ? "no program has renewed its lease since Tacet started" : "the lease of \(program) has expired"
        }
    }

    /// - Parameters:
    ///   - isOver: Returns true if the lease of a client with this end is over.
    ///   - reason: Returns the reason why the level is then unknown, from the client and its program.
    private mutating func expire(
        _ isOver: (String, Duration) -> Bool, _ reason: (_ client: String, _ program: String) -> String
    ) {
        for (signal, entry) in entries {
            for (client, hold) in entry.holds where hold.until.map({ isOver(client, $0) }) ?? false {
                end(client, of: signal) { reason(client, $0) }
                if client != Self.lastRun { entries[signal]?.deprived.insert(client) }
            }
        }
        forgetUnheld()
    }

    /// Ends a hold. If this was the last program that held the level, or the last one that asserted it, the level is
    /// unknown.
    private mutating func end(_ client: String, of signal: SignalID, _ reason: (String) -> String) {
        guard let hold = entries[signal]?.holds.removeValue(forKey: client) else { return }
        let others = (entries[signal]?.holds ?? [:]).values
        let isCovered = hold.level && client != Self.lastRun ? others.contains(where: \.level) : !others.isEmpty
        guard !isCovered, !absent.contains(signal) else { return }
        entries[signal]?.loss = Loss(reason: reason(hold.program), user: hold.user)
    }

    /// True if Tacet has not been on the bus for less than the longest pause.
    var isPaused: Bool { absentSince != nil }

    /// The time at which `advance` must be called, because the next lease expires or a long absence from the bus ends
    /// all leases, or nil if there is none.
    var deadline: Duration? {
        absentSince.map { $0 + Self.longestPause }
            ?? entries.values.flatMap { $0.holds.values.compactMap(\.until) }.min()
    }

    /// The connections that hold a level or have held one.
    var clients: Set<String> {
        Set(entries.values.flatMap { Array($0.holds.keys) + $0.deprived }).subtracting([Self.lastRun])
    }

    /// Returns the level, or nil if it is unknown.
    func level(of signal: SignalID) -> Bool? {
        guard let entry = entries[signal] else { return false }
        return entry.loss == nil ? entry.holds.values.contains(where: \.level) : nil
    }

    /// Returns the reason why the level is unknown, or nil if it is known.
    func loss(of signal: SignalID) -> String? { entries[signal]?.loss?.reason }

    /// Returns the programs that assert the signal for people, such as `baresip, process 812`, or nil if there are
    /// none.
    func programs(asserting signal: SignalID) -> String? {
        let names = Set((entries[signal]?.holds.values).map { $0.filter(\.level).map(\.program) } ?? []).sorted()
        return names.isEmpty ? nil : names.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
