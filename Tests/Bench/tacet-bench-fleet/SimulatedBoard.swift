import AudioSession
import Clocks
import Configuration
import Fleet
import MQTT
import SessionClient
import Simulation
import Systemd

/// A board of the fleet. It consists of the real agent, a real MQTT client, and the real supervisor in a virtual world
/// that follows the clock. The message bus between them and its leases are simulated. Use it on one thread only.
final class SimulatedBoard {
    /// An announcement that the board has begun to play, as a listener would record it.
    struct Hearing: Sendable {
        let board: Int
        let id: String
        /// The time by the machine's wall clock, which is correct even if the board's clock is wrong.
        let at: Duration
        /// True if the announcement begins again because an interruption had cut it off before it was played.
        let wasCut: Bool
    }

    let number: Int
    private let configuration: Configuration
    private let settings: MQTTSettings
    /// The error of the board's clock. `isSynchronised` is false if the clock cannot be trusted.
    private let clockError: Duration
    private let isSynchronised: Bool
    private var agent: FleetAgent
    private var board: LiveBoard
    private var client: MQTTClient?
    /// True if there is a connection, whether or not the broker has accepted it yet.
    private var isLinked = false
    private var retry = Duration.zero
    private var backoff = ReconnectBackoff()
    private var hasMissedStart = true
    /// The ID that the agent passes on. `ids` contains the IDs of the announcements that the supervisor has numbered.
    private var passing: String?
    private var ids: [Announcement.ID: String] = [:]
    /// The announcements that an interruption cut off.
    private var cut: Set<Announcement.ID> = []
    private var leaseEnd: Duration?
    private var level = false
    /// The state after the last event.
    private var latest: Snapshot
    private var hearings: [Hearing] = []
    private var updates: [SessionUpdate] = []

    static let evacuation = SignalID("evacuation")

    init(
        _ number: Int, of agent: FleetAgent.Settings, _ configuration: Configuration, _ settings: MQTTSettings,
        clockError: Duration, isSynchronised: Bool
    ) throws {
        self.number = number
        self.configuration = configuration
        self.settings = settings
        self.clockError = clockError
        self.isSynchronised = isSynchronised
        self.agent = FleetAgent(agent)
        board = try LiveBoard(configuration, at: SystemClock.monotonic.now)
        latest = board.snapshot
        board.onEvent = { [unowned self] name, snapshot in note(name, snapshot) }
    }

    private var now: Instant {
        Instant(
            monotonic: SystemClock.monotonic.now, wallClock: SystemClock.wallClock + clockError,
            isSynchronised: isSynchronised)
    }

    private func note(_ name: String, _ snapshot: Snapshot) {
        let time = SystemClock.wallClock
        latest = snapshot
        for notification in snapshot.notifications {
            switch notification {
            case .soundCut(_, let id, _): cut.insert(id)
            case .soundBegan(_, let id):
                let wasCut = cut.remove(id) != nil
                hearings.append(Hearing(board: number, id: ids[id] ?? passing ?? "?", at: time, wasCut: wasCut))
            default: break
            }
        }
        updates.append(
            .event(
                SessionEvent(
                    wallClock: time + clockError, time: SystemClock.monotonic.now, name: name, snapshot: snapshot)))
    }

    // MARK: Waiting

    var descriptor: Int32 { client?.descriptor ?? -1 }
    var awaitsWriting: Bool { client?.awaitsWriting ?? false }

    /// The time at which the board has something to do without an event from outside.
    var deadline: Duration {
        let soundTick = latest.sound == nil ? nil : SystemClock.monotonic.now + .milliseconds(20)
        return [agent.deadline, board.deadline, leaseEnd, soundTick, isLinked ? nil : retry].compactMap { $0 }
            .min()
            ?? .seconds(1_000_000_000)
    }

    /// True if the evacuation is active.
    var isEvacuating: Bool { latest.active.contains(Self.evacuation) }
    private(set) var isConnected = false

    /// Returns what has been played since the last call.
    func takeHearings() -> [Hearing] {
        defer { hearings = [] }
        return hearings
    }

    // MARK: Running

    func step() throws {
        let time = SystemClock.monotonic.now
        if let leaseEnd, leaseEnd <= time {
            self.leaseEnd = nil
            board.set(Self.evacuation, level: nil)
        }
        try board.advance(to: time)
        if hasMissedStart {
            hasMissedStart = false
            carryOut(agent.handle(.update(.available(board.snapshot)), at: now))
        }
        if !isLinked, retry <= time { connect() }
        client?.proceed()
        while let event = client?.next() { take(event) }
        carryOut(agent.handle(.time, at: now))
        while !updates.isEmpty { carryOut(agent.handle(.update(updates.removeFirst()), at: now)) }
        // This sends at once everything that was published.
        if awaitsWriting { client?.proceed() }
    }

    private func connect() {
        do {
            let client = try self.client ?? MQTTClient(settings)
            try client.connect()
            self.client = client
            isLinked = true
        } catch {
            lose()
        }
    }

    private func lose() {
        isLinked = false
        isConnected = false
        retry = SystemClock.monotonic.now + backoff.next()
    }

    private func take(_ event: MQTTEvent) {
        switch event {
        case .connected:
            isConnected = true
            backoff = ReconnectBackoff()
        case .disconnected: lose()
        default: break
        }
        carryOut(agent.handle(.broker(event), at: now))
    }

    private func carryOut(_ effects: [FleetEffect]) {
        for effect in effects {
            switch effect {
            // A simulated fleet does not have vehicles.
            case .download: break
            case .subscribe(let filters): try? client?.subscribe(to: filters)
            case .publish(let message): _ = try? client?.publish(message)
            case .call(let number, let call): carryOut(agent.handle(.answered(number, answer(call)), at: now))
            // The entry is “announce id a1” and comes before the call. The journal does not have an entry for each one.
            case .remember(let entry): passing = entry.id.split(separator: " ", maxSplits: 2).last.map(String.init)
            case .log: break
            }
        }
    }

    /// Returns the answer that tacetd would return over the bus.
    private func answer(_ call: FleetCall) -> FleetAnswer {
        switch call {
        case .command(let words):
            guard let command = Command(plain: words) else { return .failure(.refused("write play, pause, …")) }
            return .answer(name: board.command(command).name, reason: "")
        case .announce(let order):
            var announcement = order.announcement
            if let until = order.until { announcement.expire = .after(max(.microseconds(1), until - now.monotonic)) }
            let (answer, id) = board.announce(announcement)
            if let passing { ids[id] = passing }
            passing = nil
            return AnnouncementReceipt([.string(answer.name), .uint64(id)]).map(FleetAnswer.receipt)
                ?? .failure(.closed)
        case .set(let name, let level, let lease):
            guard name == Self.evacuation.rawValue else { return .failure(.refused("there is no signal ‘\(name)’")) }
            // The renewal of a lease is not an event.
            if leaseEnd == nil || level != self.level { board.set(Self.evacuation, level: level) }
            leaseEnd = SystemClock.monotonic.now + lease
            self.level = level
            return .answer(name: "success", reason: "")
        case .health: return .health([])
        }
    }
}
