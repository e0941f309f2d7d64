import AudioSession
import Clocks
import Playback
import Supervisor
import Systemd
import Threads
import Time
import Vocabulary

/// Represents the appliance on a message bus, with MPRIS for any remote control and `Session1` for clients that need
/// more.
///
/// Playback does not depend on it. If the bus is missing, disappears or rejects the name, everything else continues and
/// the server keeps trying.
///
/// A source or timer never calls back after it is released. The server owns them all, so their handlers can refer to it
/// `unowned`. Strong references would keep it alive forever.
final class BusServer {
    private let kind: BusKind
    private let loop: EventLoop
    private let object: BusObject
    private let tags: TagReader
    private var bus: Bus?
    private var retry: EventTimer?
    private var backoff = Backoff(from: .milliseconds(200), to: .seconds(10))
    private var changes: EventSource?
    private var tagSource: EventSource?
    private let remote: InstallationRemote
    private let helpers: HelperWatch
    /// The programs that hold a level, and the helpers, by their connections.
    private var holders: [String: BusSubscription] = [:]
    /// The ID of the bus to which the holders are connected, or nil before the first connection.
    private var busID: String?
    /// The last connections to this bus that were abandoned, and that the bus may still consider open.
    private var former: [String] = []
    /// The track whose tags were last requested.
    private var wantedTags: Track?
    private var announced = Announced()
    private let absence: BusAbsence

    /// The state that followers were last notified of with signals.
    private struct Announced {
        var positions = PositionWatch()
        var isMicrophoneMuted = false
        var list = ListedTracks()
    }

    /// - Parameters:
    ///   - programs: The levels that clients set.
    ///   - helpers: Watches the programs that report.
    ///   - installation: Returns the installation to control, or nil while there is none.
    init(
        _ kind: BusKind, in loop: EventLoop, programs: ProgramLevels, helpers: HelperWatch,
        _ installation: @escaping () -> Installation?
    ) throws(SystemdError) {
        self.helpers = helpers
        self.kind = kind
        self.loop = loop
        tags = TagReader()
        absence = try BusAbsence(from: kind, in: loop)
        remote = InstallationRemote(installation, programs, helpers)
        object = BusObject(
            SessionAddress.path, [.root, .player(remote), .trackList(remote), .playlists(remote), .session(remote)])
        remote.caller = { [unowned self] in object.caller }
        remote.sender = { [unowned self] in object.sender }
        remote.onConnection = { [unowned self] in watch($0) }
        programs.ask = { [unowned self] in probe() }
        retry = try loop.timer { [unowned self] in connect() }
        changes = try loop.deferred { [unowned self] in emitChanges() }
        tagSource = try loop.whenReadable(tags.descriptor) { [unowned self] in
            guard let card = tags.takeCard() else { return }
            remote.card = card
            emitChanges()
        }
        connect()
    }

    deinit {
        remote.programs.ask = { false }
        tags.quit()
    }

    /// Emits changes. All changes until the next turn of the loop are emitted together.
    func update() {
        if let track = remote.view?.scene.file, track != wantedTags {
            wantedTags = track
            tags.read(track)
        }
        changes?.isEnabled = true
    }

    /// Emits a report after the properties that it changed.
    /// - Parameter time: The time of the report on CLOCK_MONOTONIC.
    func publish(_ report: Report, in scene: StateSnapshot, at time: Duration) {
        let isMuted = scene.session.isMicrophoneMuted
        let hasMuteChanged = isMuted != announced.isMicrophoneMuted
        if !report.notifications.isEmpty || hasMuteChanged { emitChanges() }
        if hasMuteChanged { emit(.inputMuteStateChanged, [.bool(isMuted)]) }
        announced.isMicrophoneMuted = isMuted
        for notification in report.notifications {
            let signal = notification.signal(in: scene)
            emit(signal.member, signal.values)
        }
        if announced.positions.moved(to: PositionWatch.Place(scene, at: report.time), jumps: report.setsPosition) {
            emit(
                PlayerSignal.seeked.rawValue, of: SessionAddress.player,
                [.int64(scene.position?.wholeMicroseconds ?? 0)])
        }
        if report.isTold { publishEvent(report, scene, time) }
    }

    /// Emits an order to a player after the properties that it changed.
    func order(_ player: PlayerID, _ command: PlayerCommand) {
        let number = remote.count(command, to: player)
        emitChanges()
        emit(.playerCommand, [.string(player.rawValue), .string("\(command)"), .uint64(number)])
    }

    private func publishEvent(_ report: Report, _ scene: StateSnapshot, _ time: Duration) {
        guard bus?.isOwner == true else { return }
        emit(
            .event,
            [
                .uint64(UInt64(clamping: SystemClock.wallClock(at: report.time).wholeMicroseconds)),
                .uint64(UInt64(clamping: time.wholeMicroseconds)), .string(report.cause.description),
                scene.snapshot(report).dictionary,
            ])
    }

    private func emitChanges() {
        changes?.isEnabled = false
        remote.share {
            // Between two configurations there is no state to show.
            guard let view = remote.view else { return }
            do throws(SystemdError) { try bus?.emitChanges(of: object) } catch { hangUp("\(error)") }
            let list = view.list()
            guard list != announced.list else { return }
            announced.list = list
            emit(
                TrackListMember.replaced.rawValue, of: SessionAddress.trackList,
                list.replacement(current: view.trackID))
        }
    }

    private func emit(_ signal: SessionSignal, _ values: [BusValue]) {
        emit(signal.rawValue, of: SessionAddress.session, values)
    }

    private func emit(_ signal: String, of interface: String, _ values: [BusValue]) {
        do throws(SystemdError) { try bus?.emit(signal, of: interface, from: SessionAddress.path, values) } catch {
            hangUp("\(error)")
        }
    }

    // MARK: The connection

    private func connect() {
        do throws(SystemdError) {
            let bus = try Bus(kind, in: loop) { [unowned self] reason in hangUp(reason) }
            try bus.serve(object)
            // This must be done before any program can call, because a program may have a name that another one had on
            // another bus.
            try askID(bus) { [unowned self] in followAgain($0) }
            try bus.own(
                SessionAddress.name,
                whenOwned: { [unowned self] in
                    backoff.restart()
                    absence.end()
                    // Programs can renew their leases only now.
                    remote.programs.returnToBus(isSame: true)
                },
                whenTaken: { [unowned self] in
                    remote.programs.leaveBus()
                    absence.begin(
                        "another program has the name \(SessionAddress.name) (‘busctl status \(SessionAddress.name)’ shows which)"
                    )
                    takeNameFromFormer()
                })
            self.bus = bus
        } catch {
            hangUp("\(error)")
        }
    }

    private func askID(_ bus: Bus, then: @escaping (Result<[BusValue], BusError>) -> Void) throws(SystemdError) {
        // A new connection would only make a busy bus busier.
        try bus.callDriver("GetId", within: LeaseTable.longestPause, then: then)
    }

    /// Sends a question to the bus, whose answer shows that the bus has delivered everything that was sent before.
    /// - Returns: True if the question could be sent.
    private func probe() -> Bool {
        guard let bus, bus.isOwner else { return false }
        do throws(SystemdError) {
            try askID(bus) { [unowned self] in if case .success = $0 { remote.programs.noteAnswer() } }
            return true
        } catch { return false }
    }

    /// Handles the end of the service. From now on, the loss of the bus is not a fault.
    func retire() { absence.ignore() }

    /// Watches a program, because it no longer asserts or reports anything when it leaves the bus.
    private func watch(_ client: String) {
        let (programs, helpers) = (remote.programs, helpers)
        let clients = programs.clients.union(helpers.connections)
        holders = holders.filter { clients.contains($0.key) }
        guard let bus, holders[client] == nil, clients.contains(client) else { return }
        do throws(SystemdError) {
            holders[client] = try bus.followOwner(of: client) { [unowned self] owner in
                guard owner == nil else { return }
                holders[client] = nil
                programs.left(client)
                helpers.left(client)
            }
        } catch { hangUp("\(error)") }
    }

    /// Follows the programs that hold a level on the new connection. On another bus, their names may belong to other
    /// programs.
    private func followAgain(_ answer: Result<[BusValue], BusError>) {
        guard case .success(let values) = answer, case .string(let id)? = values.first else {
            return hangUp("the bus does not answer")
        }
        if let busID, busID != id {
            remote.programs.returnToBus(isSame: false)
            former = []
        }
        busID = id
        for client in remote.programs.clients { watch(client) }
    }

    /// Takes the name from an earlier connection whose end the bus has not noticed, but not from another program.
    private func takeNameFromFormer() {
        guard !former.isEmpty else { return }
        do throws(SystemdError) {
            try bus?.callDriver("GetNameOwner", [.string(SessionAddress.name)]) { [unowned self] answer in
                guard case .success(let values) = answer, case .string(let owner)? = values.first,
                    former.contains(owner)
                else { return }
                do throws(SystemdError) { try bus?.takeName() } catch { hangUp("\(error)") }
            }
        } catch { hangUp("\(error)") }
    }

    private func hangUp(_ reason: String) {
        remote.programs.leaveBus()
        helpers.leaveBus()
        former = former.suffix(9) + [bus?.uniqueName].compactMap { $0 }
        bus = nil
        holders = [:]
        retry?.deadline = SystemClock.monotonic.now + backoff.next()
        absence.begin(reason)
    }
}
