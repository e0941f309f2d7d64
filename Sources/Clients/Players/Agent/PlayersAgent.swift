import AudioSession

/// Carries out Tacet's orders to players, and reports what they do. It is a pure value.
///
/// Orders are levels rather than edges. When the agent or Tacet has been away, the agent asks what each player should do,
/// and compares that with what it remembers. If several programs belong to a player, they are paused and resumed
/// together, and the player plays if any of them does.
public struct PlayersAgent: Sendable {
    private struct Program: Hashable, Sendable {
        let identity: PlayerIdentity
        var machine: PlayerMachine
        /// The number of the last order to pause that applied to the program.
        var order: UInt64 = 0
        var motion = Motion()
        /// The reason why it has refused the last order, or nil if it has not.
        var refusal: String?

        /// Replaces the state in an input by what the program does according to its position.
        mutating func judge(_ input: PlayerMachine.Input, at now: Duration) -> PlayerMachine.Input {
            switch input {
            case .seen(let sighting): .seen(motion.judge(sighting, at: now))
            case .looked(let number, let sighting): .looked(number, sighting.map { motion.judge($0, at: now) })
            case .answered, .order, .release, .time: input
            }
        }
    }

    /// The players in whose place something else is heard, which are asked repeatedly whether they play.
    private struct Displacement: Hashable, Sendable {
        var players: Set<String> = []
        var nextLook: Duration?
    }

    /// The connection to Tacet.
    private enum Daemon: Hashable, Sendable {
        case absent
        /// The levels are known, or are about to be requested at this time.
        case present(nextQuery: Duration?)
        /// The levels have been requested.
        /// - Parameters:
        ///   - stale: the players that have been reported meanwhile, whose levels may be older than the report.
        ///   - again: true if something has happened that requires another question.
        case asked(stale: Set<String>, again: Bool)
    }

    private var programs: [PlayerInstance: Program] = [:]
    /// The players whose running programs are known.
    private var surveyed: Set<String> = []
    /// The records of an earlier process whose programs have not appeared.
    private var inherited: [PlayerRecord]
    /// The records that were written last.
    private var remembered: [PlayerRecord]
    private var daemon = Daemon.absent
    /// The number of the last order to each player, which shows Tacet that a report is not older than the order. It is
    /// unknown until Tacet has answered the first question.
    private var orders: [String: UInt64] = [:]
    /// The players that have changed on their own without Tacet's knowledge.
    private var unreported: Set<String> = []
    /// The players that have been reported as playing although they are kept, because Tacet has forgotten them in a restart. A
    /// report of another program of such a player must not take this back before Tacet has decided.
    private var claimed: Set<String> = []
    private var displacement = Displacement()
    private var problems = PlayerProblems()

    /// The time after which a failed question to Tacet is repeated.
    static let queryPause = Duration.seconds(1)
    /// The times between two looks at players in whose place something else is heard. The shorter one applies while
    /// their positions may be changing.
    static let lookPause = Duration.seconds(2)
    static let shortLookPause = Duration.milliseconds(500)

    /// - Parameter remembered: the records that an earlier process wrote last.
    public init(remembered: [PlayerRecord]) {
        inherited = remembered
        self.remembered = remembered
    }

    /// The time at which the input `time` is due, or nil if nothing is.
    public var deadline: Duration? {
        let query: Duration? = if case .present(let next) = daemon { next } else { nil }
        return (programs.values.map(\.machine.deadline) + [query, displacement.nextLook]).compactMap { $0 }.min()
    }

    /// The number of programs that Tacet keeps paused.
    public var heldCount: Int { programs.values.count(where: \.machine.isHeld) }

    public var programCount: Int { programs.count }

    public mutating func handle(_ input: PlayersInput, at now: Duration) -> [PlayersEffect] {
        var effects = take(input, at: now)
        effects += problems.takeNews(of: orders.keys.sorted()).map { .reportProblem($0.player, $0.problem) }
        let records = records
        guard records != remembered else { return effects }
        remembered = records
        return [.remember(records)] + effects
    }

    private mutating func take(_ input: PlayersInput, at now: Duration) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        switch input {
        case .daemonArrived:
            daemon = .present(nextQuery: nil)
            forgetDaemon()
            effects += query()
        case .daemonLeft:
            daemon = .absent
            forgetDaemon()
        case .levels(let levels): effects += adopt(levels, at: now)
        case .kept(let players, let displaced):
            displace(displaced, at: now)
            // Tacet may have released a player, for which there is no order. The event may also be older than an order.
            if surveyed.contains(where: { !players.contains($0) && isHeld($0) }) { effects += query() }
        case .order(let player, let command, let number):
            orders[player] = number
            effects += order(player, command, at: now)
        case .reportFailed(let player, let isOwn):
            if isOwn { unreported.insert(player) }
            effects += query()
        case .problemReportFailed(let player):
            problems.postpone(player)
            if case .present = daemon { daemon = .present(nextQuery: now + Self.queryPause) }
        case .surveyed(let player):
            surveyed.insert(player)
            inherited.removeAll { $0.player == player }
            effects += query()
        case .removed(let player):
            surveyed.remove(player)
            unreported.remove(player)
            claimed.remove(player)
            problems.remove(player)
            programs = programs.filter { $0.key.player != player }
        case .appeared(let instance, let identity, let sighting): effects += appear(instance, identity, sighting)
        case .seen(let instance, let sighting): effects += pass(.seen(sighting), to: instance, at: now)
        case .answered(let instance, let number, let refusal):
            if programs[instance]?.machine.lastOrder == number { programs[instance]?.refusal = refusal }
            effects += pass(.answered(number), to: instance, at: now)
        case .looked(let instance, let number, let sighting):
            effects += pass(.looked(number, sighting), to: instance, at: now)
        case .vanished(let instance): effects += vanish(instance)
        case .problem(let player, let place, let problem): problems.set(problem, of: player, at: place)
        case .time: effects += handleTime(at: now)
        }
        return effects
    }

    private mutating func forgetDaemon() {
        (orders, claimed, displacement) = ([:], [], Displacement())
        problems.forgetReports()
    }

    /// The records of all programs that Tacet has paused.
    private var records: [PlayerRecord] {
        inherited
            + programs.sorted { $0.key < $1.key }.compactMap { instance, program in
                program.machine.stage.map {
                    PlayerRecord(
                        player: instance.player, identity: program.identity, stage: $0,
                        track: program.machine.sighting.track, order: program.order)
                }
            }
    }

    // MARK: Programs

    private func instances(of player: String) -> [PlayerInstance] {
        programs.keys.filter { $0.player == player }.sorted()
    }

    private func machines(of player: String) -> [PlayerMachine] {
        instances(of: player).compactMap { programs[$0]?.machine }
    }

    /// The state of a player, which is that of all its programs together.
    private func report(of player: String) -> PlayerReport {
        let reports = machines(of: player).map(\.report)
        return reports.contains(.playing) ? .playing : reports.contains(.paused) ? .paused : .gone
    }

    private func isHeld(_ player: String) -> Bool { machines(of: player).contains(where: \.isHeld) }

    private mutating func appear(
        _ instance: PlayerInstance, _ identity: PlayerIdentity, _ sighting: Sighting
    ) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        var program = Program(identity: identity, machine: PlayerMachine(sighting))
        let isSame = { (record: PlayerRecord) in
            record.player == instance.player && record.identity.isSame(as: identity)
        }
        if let index = inherited.firstIndex(where: isSame) {
            let record = inherited.remove(at: index)
            let (restored, found) = PlayerMachine.restored(sighting, after: record.stage, track: record.track)
            program.machine = restored
            program.order = record.order
            if !found.isEmpty {
                unreported.insert(instance.player)
                effects.append(.log(.touched(instance.player)))
            }
        }
        let isHeld = isHeld(instance.player)
        programs[instance] = program
        guard surveyed.contains(instance.player) else { return effects }
        guard isHeld else { return effects + sendReport(of: instance.player, isOwn: false) }
        // A program that plays while another one is kept paused was started by somebody. One that does not play changes
        // nothing.
        return program.machine.report == .playing ? effects + tellTouch(of: instance.player) : effects
    }

    private mutating func vanish(_ instance: PlayerInstance) -> [PlayersEffect] {
        guard let program = programs.removeValue(forKey: instance) else { return [] }
        problems.set(nil, of: instance.player, at: Self.orderPlace(instance))
        let news: [PlayersEffect] = program.machine.isHeld ? [.log(.touched(instance.player))] : []
        return news + tellTouch(of: instance.player)
    }

    private mutating func pass(
        _ input: PlayerMachine.Input, to instance: PlayerInstance, at now: Duration
    ) -> [PlayersEffect] {
        let judged = programs[instance]?.judge(input, at: now) ?? input
        guard let found = programs[instance]?.machine.handle(judged, at: now) else { return [] }
        let player = instance.player
        if case .looked(_, _?) = judged { noteLook(at: instance, at: now) }
        var effects: [PlayersEffect] = []
        for effect in found {
            switch effect {
            case .send(let command, let number):
                programs[instance]?.motion.restart()
                programs[instance]?.refusal = nil
                effects.append(.send(instance, command, number))
            case .look(let number): effects.append(.look(instance, number))
            case .touched(let wasKept):
                problems.set(nil, of: player, at: Self.orderPlace(instance))
                if wasKept { effects.append(.log(.touched(player))) }
                effects += tellTouch(of: player)
            case .paused:
                problems.set(nil, of: player, at: Self.orderPlace(instance))
                effects.append(.log(.paused(player)))
                effects += sendOutcome(of: player)
            case .resumed:
                problems.set(nil, of: player, at: Self.orderPlace(instance))
                effects.append(.log(.resumed(player)))
                effects += sendOutcome(of: player)
            case .disobeyed(let command):
                // A sender can continue on its own, so the program counts as one that somebody uses.
                let refusal = programs[instance]?.refusal
                if command == .pause {
                    effects.append(.disconnect(instance))
                    problems.set(
                        Self.problem(after: refusal), of: player, at: Self.orderPlace(instance))
                }
                effects.append(
                    .log(command == .pause ? .uncontrollable(player, refusal) : .notResumed(player, refusal)))
                effects += sendOutcome(of: player)
            }
        }
        return effects
    }

    /// Records what a look at a program has shown.
    private mutating func noteLook(at instance: PlayerInstance, at now: Duration) {
        guard let program = programs[instance] else { return }
        if program.motion.isUncertain, let next = displacement.nextLook {
            displacement.nextLook = min(next, now + Self.shortLookPause)
        }
        // It has refused an order to pause and still plays. The order is repeated.
        guard let refusal = program.refusal, program.machine.isPausing, program.machine.sighting.isPlaying else {
            return
        }
        problems.set(Self.problem(after: refusal), of: instance.player, at: Self.orderPlace(instance))
    }

    private static func problem(after refusal: String?) -> String {
        refusal.map { "it refuses to pause: \($0)" } ?? "it does not pause when it is ordered to"
    }

    /// The place of a problem with orders to a program.
    private static func orderPlace(_ instance: PlayerInstance) -> String { "\(instance.place) order" }

    // MARK: Looks

    /// Begins to ask the programs of these players whether they play, because some report that they do not.
    private mutating func displace(_ players: Set<String>, at now: Duration) {
        if !players.isSubset(of: displacement.players) { displacement.nextLook = now }
        if players.isEmpty { displacement.nextLook = nil }
        displacement.players = players
    }

    private mutating func look(at now: Duration) -> [PlayersEffect] {
        guard let next = displacement.nextLook, next <= now else { return [] }
        let displaced = programs.keys.filter { displacement.players.contains($0.player) }.sorted()
        // A pending order has its own questions.
        displacement.nextLook = now + Self.lookPause
        return displaced.compactMap { instance in
            programs[instance]?.machine.ask().map { .look(instance, $0) }
        }
    }

    // MARK: Reports

    /// Reports the player's state.
    private mutating func sendReport(of player: String, isOwn: Bool) -> [PlayersEffect] {
        guard surveyed.contains(player), let order = orders[player] else {
            if isOwn { unreported.insert(player) }
            return []
        }
        if case .asked(var stale, let again) = daemon {
            stale.insert(player)
            daemon = .asked(stale: stale, again: again)
        }
        let isClaimed = claimed.contains(player) && isHeld(player)
        let report = isClaimed ? .playing : report(of: player)
        return [.report(player, report, isOwn: isOwn, after: order)]
    }

    /// Reports that a program has changed on its own, unless Tacet keeps others of this player, which it must then still
    /// resume. If one of them plays nevertheless, Tacet is asked what the others should do.
    private mutating func tellTouch(of player: String) -> [PlayersEffect] {
        guard isHeld(player) else { return sendReport(of: player, isOwn: true) }
        return report(of: player) == .playing ? sendReport(of: player, isOwn: true) + query() : sendOutcome(of: player)
    }

    /// Reports the outcome of an order once that of all programs is known.
    private mutating func sendOutcome(of player: String) -> [PlayersEffect] {
        guard !machines(of: player).contains(where: \.isPending) else { return [] }
        return sendReport(of: player, isOwn: false)
    }

    // MARK: Orders

    private mutating func order(_ player: String, _ command: PlayerCommand, at now: Duration) -> [PlayersEffect] {
        guard surveyed.contains(player) else { return [] }
        if command == .pause || command == .play { claimed.remove(player) }
        switch command {
        case .pause:
            // A new order is worth another try.
            for instance in instances(of: player) { programs[instance]?.machine.forgive() }
            return pause(player, at: now)
        case .play: return resume(player, at: now)
        case .next, .previous, .seek:
            let instances = instances(of: player)
            let playing = instances.first { programs[$0]?.machine.sighting.isPlaying == true }
            guard let instance = playing ?? instances.first else { return [] }
            return pass(.order(command), to: instance, at: now)
        }
    }

    private mutating func pause(_ player: String, at now: Duration) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        for instance in instances(of: player) {
            effects += pass(.order(.pause), to: instance, at: now)
            programs[instance]?.order = orders[player] ?? 0
        }
        // If somebody else has paused it, Tacet must not resume it.
        guard isHeld(player) else { return effects + sendReport(of: player, isOwn: report(of: player) == .paused) }
        return effects + sendOutcome(of: player)
    }

    private mutating func resume(_ player: String, at now: Duration) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        for instance in instances(of: player) { effects += pass(.order(.play), to: instance, at: now) }
        return machines(of: player).contains(where: \.isPending)
            ? effects : effects + sendReport(of: player, isOwn: false)
    }

    private mutating func release(_ player: String, at now: Duration) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        for instance in instances(of: player) { effects += pass(.release, to: instance, at: now) }
        return effects
    }

    // MARK: Tacet

    private mutating func query() -> [PlayersEffect] {
        switch daemon {
        case .absent: return []
        case .asked(let stale, _):
            daemon = .asked(stale: stale, again: true)
            return []
        case .present:
            daemon = .asked(stale: [], again: false)
            return [.query]
        }
    }

    /// Compares what each player should do with what it does.
    private mutating func adopt(_ levels: [String: PlayerLevel]?, at now: Duration) -> [PlayersEffect] {
        guard case .asked(let stale, let again) = daemon else { return [] }
        daemon = .present(nextQuery: levels == nil ? now + Self.queryPause : nil)
        for (player, level) in levels ?? [:] { orders[player] = level.order }
        problems.resumeReports()
        var effects: [PlayersEffect] = []
        let current = (levels ?? [:]).filter { !stale.contains($0.key) && surveyed.contains($0.key) }
        for (player, level) in current.sorted(by: { $0.key < $1.key }) {
            effects += reconcile(player, with: level, at: now)
        }
        let isOutdated = again || stale.contains { levels?[$0] != nil }
        return isOutdated && levels != nil ? effects + query() : effects
    }

    private mutating func reconcile(_ player: String, with level: PlayerLevel, at now: Duration) -> [PlayersEffect] {
        claimed.remove(player)
        if level.isKept {
            for instance in instances(of: player) { programs[instance]?.order = level.order }
        }
        let released = level.isKept || level.report != .paused ? [] : release(player, at: now)
        // The report changes the level. It is omitted if only programs are left that Tacet keeps.
        if unreported.remove(player) != nil, !isHeld(player) || report(of: player) == .playing {
            return released + sendReport(of: player, isOwn: true) + query()
        }
        switch (level.isKept, level.report) {
        case (true, _): return pause(player, at: now)
        case (false, .playing):
            // Without another order, this is the state of another program of the player, and the others are released.
            var effects: [PlayersEffect] = []
            for instance in instances(of: player) where programs[instance]?.order == level.order {
                effects += pass(.release, to: instance, at: now)
            }
            return effects + resume(player, at: now)
        case (false, .paused): return released + sendReport(of: player, isOwn: false)
        case (false, .gone):
            guard isHeld(player) else { return sendReport(of: player, isOwn: false) }
            // Tacet would list a released player as paused. Therefore, it has ordered this one to play, and has
            // restarted before the order arrived. As the player played before, Tacet now either keeps it again or wants
            // it to play.
            claimed.insert(player)
            return sendReport(of: player, isOwn: false) + query()
        }
    }

    private mutating func handleTime(at now: Duration) -> [PlayersEffect] {
        var effects: [PlayersEffect] = []
        for instance in programs.keys.sorted() {
            guard let deadline = programs[instance]?.machine.deadline, deadline <= now else { continue }
            effects += pass(.time, to: instance, at: now)
        }
        effects += look(at: now)
        if case .present(let next?) = daemon, next <= now {
            daemon = .present(nextQuery: nil)
            effects += query()
        }
        return effects
    }
}
