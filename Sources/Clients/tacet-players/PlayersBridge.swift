import AudioSession
import Clocks
import Configuration
import Files
import Glibc
import Players
import SessionClient
import Systemd
import Threads
import Vocabulary

/// Connects the agent to Tacet's bus, to the players, to the disk and to the service manager. It runs on the main thread,
/// which waits in `SessionFollower.next`.
final class PlayersBridge {
    private var agent: PlayersAgent
    private let memory: MemoryFile
    private let buses: [MPRISBus]
    private var sockets: [String: MPDSocket] = [:]
    private var follower: SessionFollower?
    /// The players of Tacet's configuration and their addresses.
    private var players: [String: PlayerSettings.Address] = [:]
    /// The players whose programs have all appeared.
    private var surveyed: Set<String> = []
    private var inputs: [PlayersInput] = []
    private let bell = WakeUp()
    private var shownStatus = ""
    /// The problem with the file that the journal has reported, or nil while nothing is wrong.
    private var memoryProblem: String?

    /// - Parameter addresses: the addresses of further buses with players.
    init(_ bus: BusKind, players addresses: [String]) {
        // A broken connection is an error that must not end this process.
        signal(SIGPIPE, SIG_IGN)
        Termination.install()
        memory = MemoryFile(in: getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ".")
        var remembered: [PlayerRecord] = []
        var problem: String?
        do { remembered = try memory.load() } catch { problem = "\(error)" }
        agent = PlayersAgent(remembered: remembered)
        buses =
            [MPRISBus("the \(bus.rawValue) bus") { () throws(SystemdError) in try BusClient(bus) }]
            + addresses.map { address in
                MPRISBus("the bus \(address)") { () throws(SystemdError) in try BusClient(address: address) }
            }
        if let problem { report(memoryProblem: problem) }
        follower = SessionFollower(bus, named: "\(MPRISBus.ownName).Session", passing: [.playerCommand]) {
            [weak self] in
            self?.take($0, $1)
        }
    }

    /// Runs until SIGTERM. Paused players stay paused, and the next process resumes them.
    func run() {
        shownStatus = status
        ServiceManager.notify(.ready, .status(shownStatus))
        let watchdog = ServiceManager.watchdogInterval
        while !Termination.isRequested {
            let now = SystemClock.monotonic.now
            let limit = watchdog.map { $0 / 2 } ?? .seconds(10)
            let deadline = ([agent.deadline] + buses.map(\.deadline) + sockets.values.map(\.deadline)).compactMap { $0 }
                .min()
            let wait = inputs.isEmpty ? deadline.map { min(max(.zero, $0 - now), limit) } ?? limit : .zero
            let bells = [bell, Termination.bell].map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            let others = bells + buses.map(\.readiness) + sockets.values.map(\.readiness)
            if let update = follower?.next(within: wait, or: others) { take(update) }
            bell.wait(.zero)
            collect()
            if watchdog != nil { _ = ServiceManager.attempt(.watchdog) }
            showStatus()
        }
        ServiceManager.notify(.stopping)
    }

    /// Passes everything that has happened to the agent.
    private func collect() {
        let now = SystemClock.monotonic.now
        for bus in buses { inputs += bus.takeInputs(at: now) }
        for socket in sockets.values { inputs += socket.takeInputs(at: now) }
        noteSurveys()
        if let deadline = agent.deadline, deadline <= now { inputs.append(.time) }
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            for effect in agent.handle(input, at: SystemClock.monotonic.now) { carryOut(effect) }
        }
        do throws(FileError) { try memory.sync() } catch { report(memoryProblem: "\(error)") }
    }

    private func noteSurveys() {
        for (player, address) in players where !surveyed.contains(player) {
            let isKnown =
                switch address {
                case .bus: buses.allSatisfy(\.isSurveyed)
                case .mpd: sockets[player]?.isSurveyed ?? true
                }
            guard isKnown else { continue }
            surveyed.insert(player)
            inputs.append(.surveyed(player))
        }
    }

    // MARK: Tacet

    private func take(_ update: SessionUpdate) {
        switch update {
        case .available(let snapshot): inputs += [.daemonArrived, .kept(snapshot)]
        case .unavailable: inputs.append(.daemonLeft)
        case .event(let event):
            inputs.append(.kept(event.snapshot))
            // The configuration may have changed.
            if ["boot", "reloaded"].contains(event.name) { query() }
        }
    }

    private func take(_ signal: SessionSignal, _ values: [BusValue]) {
        guard signal == .playerCommand, case .string(let player) = values[0], case .string(let text) = values[1],
            case .uint64(let number) = values[2], let command = PlayerCommand(text)
        else { return }
        inputs.append(.order(player, command, number))
        // `next` would otherwise wait for an update.
        bell.ring()
    }

    private func query() {
        let arguments = [SessionAddress.session, SessionProperty.players.rawValue].map(BusValue.string)
        follower?.call("Get", of: "org.freedesktop.DBus.Properties", arguments) { [weak self] answer in
            guard let self else { return }
            defer { bell.ring() }
            guard case .success(let values) = answer, case .variant(let value)? = values.first else {
                return inputs.append(.levels(nil))
            }
            let rows = PlayerRow.all(in: value)
            use(rows)
            inputs.append(
                .levels(Dictionary(rows.map { ($0.name, $0.level) }, uniquingKeysWith: { first, _ in first })))
        }
    }

    /// Looks for the players of Tacet's configuration.
    private func use(_ rows: [PlayerRow]) {
        let new = Dictionary(rows.map { ($0.name, $0.address) }, uniquingKeysWith: { first, _ in first })
        guard new != players else { return }
        for (player, address) in players where new[player] != address {
            surveyed.remove(player)
            sockets[player] = nil
            inputs.append(.removed(player))
        }
        let former = players
        players = new
        for row in rows {
            guard case .mpd(let text) = row.address, sockets[row.name] == nil, let address = MPDAddress(text) else {
                continue
            }
            sockets[row.name] = MPDSocket(row.name, at: address, bell: bell)
        }
        let isBusLike = { (players: [String: PlayerSettings.Address]) in
            players.filter { if case .bus = $0.value { true } else { false } }
        }
        guard isBusLike(former) != isBusLike(new) else { return }
        let targets = rows.compactMap { row -> (player: String, pattern: PlayerPattern)? in
            guard case .bus(let text) = row.address else { return nil }
            return (row.name, PlayerPattern(text, excluding: PlayerSettings.excludedNames))
        }
        for bus in buses { bus.use(targets) }
    }

    // MARK: Effects

    private func carryOut(_ effect: PlayersEffect) {
        switch effect {
        case .remember(let records):
            do throws(FileError) {
                try memory.write(records)
                report(memoryProblem: nil)
            } catch { report(memoryProblem: "\(error)") }
        case .send(let instance, let command, let number):
            if let socket = sockets[instance.player] { return socket.order(command, number) }
            for bus in buses { bus.order(command, to: instance, number) }
        case .disconnect(let instance): for bus in buses { bus.disconnect(instance) }
        case .look(let instance, let number):
            if let socket = sockets[instance.player] { return socket.look(number) }
            for bus in buses { bus.look(at: instance, number) }
        case .report(let player, let report, let isOwn, let order):
            let arguments: [BusValue] = [.string(player), .string(report.rawValue), .bool(isOwn), .uint64(order)]
            follower?.call(SessionMethod.reportPlayer.rawValue, of: SessionAddress.session, arguments) {
                [weak self] answer in
                guard case .failure = answer else { return }
                self?.inputs.append(.reportFailed(player, isOwn: isOwn))
                self?.bell.ring()
            }
        case .reportProblem(let player, let problem):
            let arguments: [BusValue] = [.string(player), .string(problem)]
            follower?.call(SessionMethod.reportPlayerProblem.rawValue, of: SessionAddress.session, arguments) {
                [weak self] answer in
                guard case .failure = answer else { return }
                self?.inputs.append(.problemReportFailed(player))
                self?.bell.ring()
            }
        case .query: query()
        case .log(let news): PlayersJournal.write(.news(news))
        }
    }

    private func report(memoryProblem problem: String?) {
        if let problem, problem != memoryProblem { PlayersJournal.write(.memoryFailed(problem)) }
        memoryProblem = problem
    }

    private var status: String {
        let (programs, held) = (agent.programCount, agent.heldCount)
        return "Controls \(programs) \(programs == 1 ? "player" : "players")" + (held > 0 ? ", \(held) paused" : "")
    }

    private func showStatus() {
        let status = status
        guard status != shownStatus else { return }
        // If the manager is busy, the next turn of the loop tries again.
        if ServiceManager.attempt(.status(status)) != .busy { shownStatus = status }
    }
}

extension PlayersInput {
    /// The input about what Tacet does to players, according to an event.
    fileprivate static func kept(_ snapshot: Snapshot) -> PlayersInput {
        .kept(
            Set(snapshot.orderedPlayers.map(\.rawValue)), displaced: Set(snapshot.displacedPlayers.map(\.rawValue)))
    }
}

/// An entry of the property `Players`.
private struct PlayerRow {
    let name: String
    let address: PlayerSettings.Address
    let level: PlayerLevel

    /// Returns the entries in their order, without those that cannot be read.
    static func all(in value: BusValue) -> [PlayerRow] {
        value.elements.compactMap { entry in
            guard case .entry(.string(let name), .structure(let fields)) = entry, fields.count == 5,
                case .string(let bus) = fields[0], case .string(let mpd) = fields[1],
                let report = fields[2].text.flatMap(PlayerReport.init), case .bool(let isKept) = fields[3],
                case .uint64(let order) = fields[4]
            else { return nil }
            return PlayerRow(
                name: name, address: mpd.isEmpty ? .bus(bus) : .mpd(mpd),
                level: PlayerLevel(report, isKept: isKept, order: order))
        }
    }
}
