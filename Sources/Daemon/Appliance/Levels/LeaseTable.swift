import AudioSession

/// Which programs assert which signals, and for how long. Pure: the caller passes the time.
///
/// Each program on the bus holds a level of its own, so that two calls can assert one signal at once: it is asserted while
/// at least one program asserts it. A program that ends its own assertion leaves those of others alone; one that has none
/// ends them all, so that a person can always end a signal. A program that vouches for a deassertion, as a fleet's does, ends
/// nothing, and makes up for no loss but of programs of its own user.
struct LeaseTable: Hashable {
    /// The level that one program vouches for.
    private struct Hold: Hashable {
        let level: Bool
        /// When the lease expires; nil: when the program leaves the bus.
        var until: Duration?
        /// The program's name, for people.
        let program: String
        /// The user that it runs as; nil if unknown.
        let user: UInt32?
    }

    private struct Loss: Hashable {
        let reason: String
        /// Of the program that had asserted it.
        let user: UInt32?
    }

    private struct Entry: Hashable {
        /// By the connection's unique name.
        var holds: [String: Hold] = [:]
        /// The connections whose hold has ended without their doing, and that may still end it themselves.
        var deprived: Set<String> = []
        /// Why the level is unknown; nil if it is known.
        var loss: Loss?
    }

    /// Holds the levels of the last run until their programs renew them. No connection has this name.
    private static let lastRun = ""

    /// How long leases are paused while Tacet is not on the bus, and how long programs have after that to renew them.
    static let longestPause = Duration.seconds(60)
    private static let renewal = Duration.seconds(5)

    private var entries: [SignalID: Entry] = [:]
    /// Since when no program can renew a lease, because Tacet is not on the bus; nil while it is.
    private var absentSince: Duration?
    /// The signals that programs hold, but cannot assert under the present configuration.
    private var absent: Set<SignalID> = []

    /// Only these signals can be asserted from now on. What programs hold of the others counts again if they return,
    /// because no program notices a reload. Why they were lost does not.
    mutating func keep(_ isKept: (SignalID) -> Bool) {
        absent = Set(entries.keys.filter { !isKept($0) })
        for signal in absent { entries[signal]?.loss = nil }
        forgetUnheld()
    }

    /// A program does not assert a signal any more that cannot be asserted at present.
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

    /// A program sets a level, or renews its lease.
    /// - Parameters:
    ///   - client: the unique name of its connection.
    ///   - user: the user that it runs as; nil if unknown.
    ///   - until: when the lease expires; nil: when the program leaves the bus.
    ///   - vouches: for a deassertion: whether the program holds this level, too, so that its loss matters.
    mutating func set(
        _ signal: SignalID, _ asserted: Bool, by client: String, called program: String, of user: UInt32? = nil,
        until: Duration?, vouches: Bool = false
    ) {
        var entry = entries[signal] ?? Entry()
        let isOwn = entry.holds.removeValue(forKey: client) != nil || entry.deprived.contains(client)
        entry.deprived.remove(client)
        if asserted || !vouches { entry.holds[Self.lastRun] = nil }
        if asserted || !vouches || entry.loss?.user == user { entry.loss = nil }
        if asserted || vouches {
            entry.holds[client] = Hold(level: asserted, until: until, program: program, user: user)
        } else if !isOwn {
            entry.deprived.formUnion(entry.holds.keys)
            entry.holds = [:]
        }
        entries[signal] = entry
    }

    /// The signal was active in the last run of the daemon.
    mutating func resume(_ signal: SignalID, until: Duration) {
        guard entries[signal] == nil else { return }
        entries[signal] = Entry(holds: [Self.lastRun: Hold(level: true, until: until, program: "", user: nil)])
    }

    /// A program has left the bus.
    mutating func left(_ client: String) { lose(client) { "\($0) has left the bus" } }

    private mutating func lose(_ client: String, _ reason: (String) -> String) {
        for signal in entries.keys {
            end(client, of: signal, reason)
            entries[signal]?.deprived.remove(client)
        }
        forgetUnheld()
    }

    /// Tacet has lost its connection to the bus. Often only that has ended, and the programs are still there: what they hold
    /// counts until they can be followed again. Leases end after a minute at the latest.
    mutating func leaveBus(at now: Duration) { absentSince = absentSince ?? now }

    /// - Parameter isSame: false if it is another bus, where the names of programs are those of others.
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
    ///   - isOver: whether the lease of a client ends, by the client and its end.
    ///   - reason: why the level is unknown then, by the client and its program.
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

    /// If the last program that held the level is gone, or the last one that asserted it, the level is unknown.
    private mutating func end(_ client: String, of signal: SignalID, _ reason: (String) -> String) {
        guard let hold = entries[signal]?.holds.removeValue(forKey: client) else { return }
        let others = (entries[signal]?.holds ?? [:]).values
        let isCovered = hold.level && client != Self.lastRun ? others.contains(where: \.level) : !others.isEmpty
        guard !isCovered, !absent.contains(signal) else { return }
        entries[signal]?.loss = Loss(reason: reason(hold.program), user: hold.user)
    }

    /// Whether Tacet is not on the bus, for less than the longest pause.
    var isPaused: Bool { absentSince != nil }

    /// When to call `advance`: when the next lease expires, or a long absence from the bus ends all; nil if never.
    var deadline: Duration? {
        absentSince.map { $0 + Self.longestPause }
            ?? entries.values.flatMap { $0.holds.values.compactMap(\.until) }.min()
    }

    /// The connections that hold a level, or have held one.
    var clients: Set<String> {
        Set(entries.values.flatMap { Array($0.holds.keys) + $0.deprived }).subtracting([Self.lastRun])
    }

    /// Nil: unknown.
    func level(of signal: SignalID) -> Bool? {
        guard let entry = entries[signal] else { return false }
        return entry.loss == nil ? entry.holds.values.contains(where: \.level) : nil
    }

    /// Why the level is unknown; nil if it is known.
    func loss(of signal: SignalID) -> String? { entries[signal]?.loss?.reason }

    /// The programs that assert it, for people: `baresip, process 812`; nil if none does.
    func programs(asserting signal: SignalID) -> String? {
        let names = Set((entries[signal]?.holds.values).map { $0.filter(\.level).map(\.program) } ?? []).sorted()
        return names.isEmpty ? nil : names.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
