import AudioSession
import Chance

@testable import Players

/// Tacet's session, the agent and programs that play, of which each can be killed at any time. Messages between them
/// keep their order, but arrive late.
///
/// The world records who paused each program last, as far as the agent can see it. A program that somebody pauses while
/// Tacet is about to pause it may or may not be resumed, because it is unknown who has paused it.
struct PlayersWorld {
    struct Program {
        var status: Sighting.Status
        var track = 0
        let number: Int32
        /// True if the order to pause makes it play if it is paused already.
        let toggles: Bool
        /// True if it reports everything twice.
        let repeats: Bool
        /// True if Tacet has paused it, and nobody has touched it since.
        var isHeld = false
        /// True if somebody else had paused it just before Tacet's order to pause arrived.
        var isDisputed = false
        /// The value of `isHeld` that the agent has received.
        var isSeenHeld = false
        var sighting: Sighting { Sighting(status, track: "\(track)") }
    }

    private enum FromProgram {
        case seen(Sighting, isHeld: Bool)
        case answer(Int, Sighting, isHeld: Bool)
        case received(Int)
        case ended
    }

    private enum FromAgent {
        case report(String, PlayerReport, isOwn: Bool, after: UInt64)
        case query
    }

    private static let phone = SignalID("phone-call")
    private static let names = ["mpd", "vlc"]

    private var random: SplitMix
    private var now = Duration.seconds(1)
    private let policy: Policy
    private var session: Session?
    private var saved: SavedSession?
    private var isRinging = false
    private var agent: PlayersAgent?
    private var memory: [PlayerRecord] = []
    private var lastMemory: [PlayerRecord] = []
    private(set) var programs: [PlayerInstance: Program] = [:]
    /// The programs whose state after the last order to pause is unknown, and the number of that order.
    private var unanswered: Set<PlayerInstance> = []
    private var lastPause: [PlayerInstance: Int] = [:]
    private var lastNumber: Int32 = 0
    private var toAgent: [PlayersInput] = []
    private var toDaemon: [FromAgent] = []
    private var toPrograms: [(PlayerInstance, PlayerCommand?, Int)] = []
    private var fromPrograms: [(PlayerInstance, FromProgram)] = []
    /// What has contradicted the rules.
    private(set) var violations: [String] = []
    private(set) var log: [String] = []
    private(set) var resumptions = 0
    private var isSettling = false
    /// The times since which messages to and from programs are on their way.
    private var sent: (to: [Duration], from: [Duration]) = ([], [])
    private static let latency = Duration.milliseconds(400)
    /// The numbers of Tacet's last orders, and the number before the first one.
    private var orders: [String: UInt64] = [:]
    private var firstOrder: UInt64 = 0
    private let isImmortal: Bool

    /// - Parameter resume: what the end of a call recommends. If that is not to resume, Tacet is not killed.
    init(seed: UInt64, resume: SignalPolicy.Resume = .auto) {
        random = SplitMix(seed: seed)
        isImmortal = resume == .manual
        var signal = SignalPolicy(id: Self.phone, effect: .pause)
        signal.resume = resume
        var policy = Policy(signals: [signal])
        policy.players = Self.names.map { PlayerID($0) }
        self.policy = policy
        startDaemon()
        startAgent()
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    // MARK: Steps

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...400, using: &random))
        switch Int.random(in: 0..<24, using: &random) {
        case 0: ring(!isRinging)
        case 1: touch()
        case 2: start()
        case 3 where chance(3): end()
        case 4 where chance(3): killAgent()
        case 5: if agent == nil { startAgent() }
        case 6 where chance(3): killDaemon()
        case 7: if session == nil { startDaemon() }
        case 8 where chance(8): cutPower()
        default: deliver()
        }
        deliverOld()
        passTime()
    }

    /// Delivers everything that has been on its way for too long. A program that does not answer within two seconds
    /// counts as one that does not follow orders.
    private mutating func deliverOld() {
        while true {
            sent.to = sent.to.suffix(toPrograms.count)
            sent.from = sent.from.suffix(fromPrograms.count)
            sent.to += Array(repeating: now, count: toPrograms.count - sent.to.count)
            sent.from += Array(repeating: now, count: fromPrograms.count - sent.from.count)
            if let first = sent.to.first, now - first > Self.latency {
                deliver(2)
            } else if let first = sent.from.first, now - first > Self.latency {
                deliver(3)
            } else {
                return
            }
        }
    }

    /// Ends the call, lets everything arrive, and checks that no program is left paused.
    mutating func settle() {
        isSettling = true
        if session == nil { startDaemon() }
        if agent == nil { startAgent() }
        if isRinging { ring(false) }
        var turns = 0
        while turns < 2000 {
            turns += 1
            let isQuiet = toAgent.isEmpty && toDaemon.isEmpty && toPrograms.isEmpty && fromPrograms.isEmpty
            if isQuiet {
                guard let deadline = agent?.deadline else { break }
                now = max(now, deadline)
            }
            deliver()
            deliverOld()
            passTime()
        }
        if turns == 2000 { violations.append("it never settles") }
        for (instance, program) in programs
        where !isImmortal && program.isHeld && !program.isDisputed && program.status != .playing {
            violations.append("\(instance.place) stays paused")
        }
    }

    private mutating func ring(_ rings: Bool) {
        isRinging = rings
        note("call \(rings)")
        give(.edge(Edge(Self.phone, asserted: rings)))
    }

    private mutating func note(_ text: String) { log.append("\(now) \(text)") }

    // MARK: Programs

    private mutating func start() {
        guard programs.count < 4 else { return }
        lastNumber += 1
        let player = Self.names.randomElement(using: &random) ?? "mpd"
        if player == "mpd", programs.keys.contains(where: { $0.player == "mpd" }) { return }
        let instance = PlayerInstance(player: player, place: "\(player) \(lastNumber)")
        let program = Program(
            status: chance(2) ? .playing : .paused, number: lastNumber, toggles: chance(4), repeats: chance(2))
        programs[instance] = program
        note("\(instance.place) starts \(program.status)")
        if agent != nil { handle(appearance(instance, program)) }
    }

    private func appearance(_ instance: PlayerInstance, _ program: Program) -> PlayersInput {
        .appeared(instance, identity(of: program), program.sighting)
    }

    private func identity(of program: Program) -> PlayerIdentity {
        .process(connection: "", number: program.number, started: "")
    }

    private mutating func end() {
        guard let instance = programs.keys.sorted().randomElement(using: &random) else { return }
        note("\(instance.place) ends")
        programs[instance] = nil
        toPrograms.removeAll { $0.0 == instance }
        fromPrograms.removeAll { $0.0 == instance }
        if agent != nil { fromPrograms.append((instance, .ended)) }
    }

    /// Somebody uses a program.
    private mutating func touch() {
        guard let instance = programs.keys.sorted().randomElement(using: &random), var program = programs[instance]
        else { return }
        let before = program.sighting
        switch Int.random(in: 0..<3, using: &random) {
        case 0: program.status = .playing
        case 1: program.status = .paused
        default: program.track += 1
        }
        guard program.sighting != before else { return }
        note("\(instance.place) is touched: \(program.sighting)")
        // Without the agent, nobody sees that a program has returned to the state in which Tacet left it. Such touches
        // are left out.
        if agent == nil, memory.contains(where: { $0.identity == identity(of: program) }) { program.track += 1 }
        // While Tacet waits for a program that has not paused yet, this looks as if it had done so.
        let isAwaited = memory.contains { $0.identity == identity(of: program) && $0.stage == .pausing }
        program.isDisputed = isAwaited && before.isPlaying && !program.sighting.isPlaying
        program.isHeld = program.isDisputed
        programs[instance] = program
        emit(instance)
    }

    private mutating func emit(_ instance: PlayerInstance) {
        guard agent != nil, let program = programs[instance] else { return }
        for _ in 0..<(program.repeats ? 2 : 1) {
            fromPrograms.append((instance, .seen(program.sighting, isHeld: program.isHeld)))
        }
    }

    private mutating func carryOut(_ command: PlayerCommand?, _ number: Int, _ instance: PlayerInstance) {
        guard var program = programs[instance] else { return }
        let before = program.status
        switch command {
        case .pause?:
            program.status = program.toggles && before != .playing ? .playing : .paused
            if program.status == .paused { program.isHeld = true }
            program.isDisputed = before != .playing
        case .play?:
            program.status = .playing
            program.isHeld = false
        case nil:
            programs[instance] = program
            if agent != nil {
                fromPrograms.append((instance, .answer(number, program.sighting, isHeld: program.isHeld)))
            }
            return
        default: break
        }
        note("\(instance.place) carries out \(command.map { "\($0)" } ?? "look"): \(program.status)")
        programs[instance] = program
        if program.status != before { emit(instance) }
        if agent != nil { fromPrograms.append((instance, .received(number))) }
    }

    // MARK: The agent

    private mutating func startAgent() {
        // A program receives what the earlier process has sent before the first question of this one.
        while !toPrograms.isEmpty {
            let (instance, command, number) = toPrograms.removeFirst()
            carryOut(command, number, instance)
        }
        agent = PlayersAgent(remembered: memory)
        note("agent starts with \(memory.map { "\($0.player) \($0.stage)" })")
        let isDaemonFirst = chance(2)
        if isDaemonFirst, session != nil { handle(.daemonArrived) }
        for (instance, program) in programs.sorted(by: { $0.key < $1.key }) {
            // The track may have changed just before the order arrived. This looks as if somebody had chosen another one.
            let isOther = memory.contains { $0.identity == identity(of: program) && $0.track != program.sighting.track }
            if isOther { programs[instance]?.isHeld = false }
            // Whether the last order was sent before the earlier process died is unknown, so a program that somebody
            // has paused meanwhile looks as if Tacet had.
            let isUnknown = memory.contains {
                $0.identity == identity(of: program) && $0.stage != .kept && $0.track == program.sighting.track
            }
            if isUnknown, program.status != .playing { programs[instance]?.isHeld = true }
            let isHeld = programs[instance]?.isHeld ?? false
            programs[instance]?.isSeenHeld = isHeld
            handle(appearance(instance, program))
        }
        for name in Self.names { handle(.surveyed(name)) }
        if !isDaemonFirst, session != nil { handle(.daemonArrived) }
    }

    private mutating func killAgent() {
        guard agent != nil else { return }
        note("agent dies")
        agent = nil
        toAgent = []
        fromPrograms = []
        unanswered = []
        // What was sent arrives.
    }

    /// Ends everything at once. The memory may lack what was written last.
    private mutating func cutPower() {
        guard !isImmortal else { return }
        note("power cut")
        killAgent()
        killDaemon()
        programs = [:]
        (toPrograms, toAgent) = ([], [])
        lastPause = [:]
        if chance(2) { memory = lastMemory }
    }

    private mutating func handle(_ input: PlayersInput) {
        guard let effects = agent?.handle(input, at: now) else { return }
        note("agent: \(input) → \(effects)")
        for effect in effects {
            guard agent != nil else { return }
            switch effect {
            case .remember(let records): (lastMemory, memory) = (memory, records)
            case .send(let instance, let command, let number):
                check(command, instance)
                if command == .pause {
                    unanswered.insert(instance)
                    lastPause[instance] = number
                }
                toPrograms.append((instance, command, number))
            case .disconnect: break
            case .look(let instance, let number): toPrograms.append((instance, nil, number))
            case .report(let name, let report, let isOwn, let order):
                if session == nil {
                    toAgent.append(.reportFailed(name, isOwn: isOwn))
                } else {
                    toDaemon.append(.report(name, report, isOwn: isOwn, after: order))
                }
            case .query:
                if session == nil { toAgent.append(.levels(nil)) } else { toDaemon.append(.query) }
            case .log, .reportProblem: break
            }
            // What follows may never happen.
            if !isSettling, chance(300) { killAgent() }
        }
    }

    /// Checks that only what Tacet has paused is resumed.
    private mutating func check(_ command: PlayerCommand, _ instance: PlayerInstance) {
        guard let program = programs[instance] else { return }
        if command == .play {
            resumptions += 1
            let isPausing = unanswered.contains(instance)
            if program.status != .playing, !program.isSeenHeld, !program.isHeld, !isPausing {
                violations.append("\(instance.place) is resumed at \(now)")
            }
        }
    }

    // MARK: Tacet

    private mutating func startDaemon() {
        var session = Session(policy: policy)
        let reports = Dictionary(
            (saved?.players ?? []).map { ($0.player, PlayerReport.paused) }, uniquingKeysWith: { first, _ in first })
        // The orders of the start are lost, because Tacet is not on the bus yet.
        session.handle(
            .boot(
                Boot(
                    saved: saved, lines: isRinging ? [Self.phone: .asserted] : [:], trackCount: 1, players: reports)),
            at: now)
        note("daemon starts with \(session.keptPlayers)")
        self.session = session
        (orders, firstOrder) = ([:], firstOrder + 1000)
        saved = session.saved
        if agent != nil { toAgent.append(.daemonArrived) }
    }

    private mutating func killDaemon() {
        guard session != nil, !isImmortal else { return }
        note("daemon dies")
        session = nil
        for message in toDaemon {
            switch message {
            case .report(let name, _, let isOwn, _): toAgent.append(.reportFailed(name, isOwn: isOwn))
            case .query: toAgent.append(.levels(nil))
            }
        }
        toDaemon = []
        if agent != nil { toAgent.append(.daemonLeft) } else { toAgent = [] }
    }

    private mutating func give(_ event: Event) {
        guard let actions = session?.handle(event, at: now) else { return }
        saved = session?.saved
        for case .player(let player, let command) in actions {
            orders[player.rawValue] = (orders[player.rawValue] ?? firstOrder) + 1
            guard agent != nil else { continue }
            toAgent.append(.order(player.rawValue, command, orders[player.rawValue] ?? 0))
        }
        if agent != nil { toAgent.append(.kept(Set((session?.keptPlayers ?? []).map(\.rawValue)))) }
    }

    private mutating func receive(_ message: FromAgent) {
        guard let session else { return }
        switch message {
        case .report(let name, let report, let isOwn, let order):
            guard order == orders[name] ?? firstOrder else { return note("daemon: \(name) is outdated") }
            note("daemon: \(name) \(report) \(isOwn ? "own" : "found")")
            give(isOwn ? .player(PlayerID(name), report) : .playerFound(PlayerID(name), report))
        case .query:
            guard agent != nil else { return }
            let levels = policy.players.map { player in
                (
                    player.rawValue,
                    PlayerLevel(
                        session.playerReports[player] ?? .gone, isKept: session.keptPlayers.contains(player),
                        order: orders[player.rawValue] ?? firstOrder)
                )
            }
            toAgent.append(.levels(Dictionary(levels, uniquingKeysWith: { first, _ in first })))
        }
    }

    // MARK: Messages

    private mutating func deliver() {
        deliver(Int.random(in: 0..<4, using: &random))
    }

    private mutating func deliver(_ channel: Int) {
        switch channel {
        case 0 where !toAgent.isEmpty: handle(toAgent.removeFirst())
        case 1 where !toDaemon.isEmpty: receive(toDaemon.removeFirst())
        case 2 where !toPrograms.isEmpty:
            let (instance, command, number) = toPrograms.removeFirst()
            carryOut(command, number, instance)
        case 3 where !fromPrograms.isEmpty:
            let (instance, message) = fromPrograms.removeFirst()
            switch message {
            case .seen(let sighting, let isHeld):
                programs[instance]?.isSeenHeld = isHeld
                handle(.seen(instance, sighting))
            case .answer(let number, let sighting, let isHeld):
                programs[instance]?.isSeenHeld = isHeld
                if number > lastPause[instance] ?? 0 { unanswered.remove(instance) }
                handle(.looked(instance, number, sighting))
            case .received(let number):
                handle(.answered(instance, number))
            case .ended: handle(.vanished(instance))
            }
        default: break
        }
    }

    private mutating func passTime() {
        if let deadline = agent?.deadline, deadline <= now { handle(.time) }
    }
}
