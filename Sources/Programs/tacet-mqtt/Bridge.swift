import AudioSession
import Configuration
import Files
import Fleet
import Glibc
import MQTT
import SessionClient
import Systemd
import Threads
import Vocabulary

/// Connects the agent with the broker, with Tacet's bus, with the disk and with the service manager. For the main thread,
/// which waits in `SessionFollower.next`.
final class Bridge {
    private let settings: BridgeSettings
    private let follower: SessionFollower
    private let broker: MQTTConnection
    private let ids: IDFile
    private let audio: AudioCache
    private let pages: StatusPages
    private let downloads = Downloads()
    private var agent: FleetAgent
    /// What follows from calls and events, until the agent takes it.
    private var inputs: [FleetInput] = []
    private static let mostInputs = 100
    private let bell = WakeUp()
    private var link = Link.connecting
    /// The text that the service manager has.
    private var shownStatus = ""
    /// What the journal has about the storage of audio, so that a flood does not repeat it; nil while nothing is wrong.
    private var audioProblem: String?

    /// The connection to the broker, as people see it.
    private enum Link: Hashable {
        case connecting
        case connected
        case lost(String)
    }

    init(_ configuration: BrokerConfiguration, _ bus: BusKind) throws {
        settings = try BridgeSettings(configuration)
        // A broken connection is an error, and must not end this process.
        signal(SIGPIPE, SIG_IGN)
        Termination.install()
        ids = IDFile(settings.idFile)
        audio = AudioCache(folder: settings.audioFolder, staging: settings.stagingFolder)
        let remembered: [IDMemory.Entry]
        do throws(FileError) { remembered = try ids.load() } catch {
            remembered = []
            FleetJournal.write(.storageFailed("\(error)"))
        }
        agent = FleetAgent(settings.agent, remembered: remembered)
        pages = StatusPages(settings)
        follower = SessionFollower(bus)
        let settings = settings
        broker = MQTTConnection { try settings.connection() }
    }

    /// Runs until SIGTERM.
    func run() {
        ServiceManager.notify(.ready, .status(status))
        shownStatus = status
        let watchdog = ServiceManager.watchdogInterval
        while !Termination.isRequested {
            let now = settings.now
            let limit = watchdog.map { $0 / 2 } ?? .seconds(10)
            let wait = agent.deadline.map { min(max(.zero, $0 - now.monotonic), limit) } ?? limit
            let others = [broker.news, downloads.news, bell, Termination.bell].map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            if let update = follower.next(within: inputs.isEmpty ? wait : .zero, or: others) {
                inputs.append(.update(update))
            }
            bell.wait(.zero)
            // In a flood, what has not been handled stays in the connection, which bounds its bytes.
            if inputs.count < Bridge.mostInputs {
                broker.news.wait(.zero)
                for event in broker.takeEvents() { take(event) }
            }
            for (number, result) in downloads.takeResults() { inputs.append(.downloaded(number, result)) }
            if inputs.isEmpty { inputs.append(.time) }
            handleInputs()
            if watchdog != nil { _ = ServiceManager.attempt(.watchdog) }
            showStatus()
            pages.show(
                fleet: linkProblems + agent.fleetProblems, all: linkProblems + agent.problems, agent.snapshot,
                isConnected: link == .connected)
        }
        ServiceManager.notify(.stopping)
        pages.remove()
        broker.publish(FleetAgent.will(settings.agent.topics))
        broker.close(within: .seconds(5))
        obeyLastRequests()
    }

    /// Handles some inputs, so that in a flood other things are done between them.
    private func handleInputs() {
        let batch = inputs.prefix(Bridge.mostInputs)
        var effects: [FleetEffect] = []
        for input in batch { effects += agent.handle(input, at: settings.now) }
        inputs.removeFirst(batch.count)
        remember(effects)
        carryOut(effects)
    }

    /// The broker counts as received what it has delivered before the goodbye, and does not repeat it.
    private func obeyLastRequests() {
        for case .message(let message) in broker.takeEvents() { inputs.append(.message(message)) }
        let limit = settings.now.monotonic + .seconds(2)
        while !inputs.isEmpty || agent.awaitsAnswer, settings.now.monotonic < limit {
            handleInputs()
            if let update = follower.next(within: .milliseconds(inputs.isEmpty ? 100 : 0)) {
                inputs.append(.update(update))
            }
        }
    }

    private var linkProblems: [String] {
        if case .lost(let reason) = link { ["the broker \(settings.address): \(reason)"] } else { [] }
    }

    // MARK: The broker

    private func take(_ event: MQTTEvent) {
        switch event {
        case .connected(let unacknowledged):
            become(.connected)
            inputs.append(.connected(unacknowledged: unacknowledged))
        case .disconnected(let reason):
            become(.lost(reason))
            inputs.append(.disconnected)
        case .message(let message): inputs.append(.message(message))
        case .acknowledged(let topic, let refusal):
            inputs.append(.acknowledged(topic: topic, problem: refusal))
            if let refusal { inputs.append(.brokerRefused("The broker refuses a publication: \(refusal).")) }
        case .notPublished(let topic, let reason):
            inputs.append(.acknowledged(topic: topic, problem: reason))
            inputs.append(.brokerRefused("Fleet: \(reason)."))
        case .notSubscribed(let reason): inputs.append(.notSubscribed(reason))
        case .subscribed(let granted):
            inputs.append(.subscribed(granted))
            if granted.contains(false) {
                inputs.append(
                    .brokerRefused("The broker refuses a subscription: its access list does not allow it."))
            }
        case .failed(let reason):
            inputs.append(.gaveUp)
            inputs.append(.brokerRefused("Fleet: \(reason)."))
        }
    }

    private func become(_ new: Link) {
        guard new != link else { return }
        link = new
        switch new {
        case .connecting: break
        case .connected:
            FleetJournal.write(.connected(settings.address))
        case .lost(let reason):
            FleetJournal.write(.disconnected(settings.address, reason))
        }
    }

    /// What `systemctl status` shows.
    private var status: String {
        switch link {
        case .connecting: return "Connecting to \(settings.address)"
        case .connected:
            let problems = agent.fleetProblems.map { " — \($0)" }.joined()
            return "Connected to \(settings.address)\(problems)"
        case .lost(let reason): return "Not connected to \(settings.address): \(reason)"
        }
    }

    private func showStatus() {
        let status = status
        guard status != shownStatus else { return }
        // If the manager is busy, the next turn of the loop shows it.
        if ServiceManager.attempt(.status(status)) != .busy { shownStatus = status }
    }

    // MARK: The agent's orders

    /// Writes down all requests before the first is passed on: the disk is waited for once, however many have arrived.
    private func remember(_ effects: [FleetEffect]) {
        let entries = effects.compactMap { if case .remember(let entry) = $0 { entry } else { nil } }
        guard !entries.isEmpty else { return }
        do throws(FileError) { try ids.add(entries, of: agent.memory.entries) } catch {
            FleetJournal.write(.storageFailed("\(error)"))
        }
    }

    private func carryOut(_ effects: [FleetEffect]) {
        for effect in effects {
            switch effect {
            case .subscribe(let filters): broker.subscribe(to: filters)
            case .publish(let message): broker.publish(message)
            case .remember: break
            case .call(let number, let call): send(call, as: number)
            case .download(let number, let url, let time): downloads.begin(number, url, within: time)
            case .log(let news): FleetJournal.write(.news(news))
            }
        }
    }

    private func send(_ call: FleetCall, as number: Int) {
        guard case .announce(let order) = call else { return send(call, file: nil, as: number) }
        guard let carried = order.audio else { return announce(order, file: nil, as: number) }
        do throws(FileError) {
            switch try audio.file(of: carried) {
            case .kept(let path): announce(order, file: path, as: number)
            case .staged(let path): announce(order, file: path, as: number, staged: carried.hash)
            case .missing: inputs.append(.answered(number, .audioMissing))
            case .noRoom:
                inputs.append(.answered(number, .failure(.refused("too much audio waits for tacetd already"))))
            }
        } catch {
            report(audioProblem: "\(error)")
            inputs.append(.answered(number, .failure(.refused("\(error)"))))
        }
    }

    /// - Parameter hash: of the audio that has been staged; nil if none has.
    private func announce(_ order: FleetAnnouncement, file: String?, as number: Int, staged hash: String? = nil) {
        var order = order
        if let until = order.until {
            // Writing what came before can have taken a while.
            let left = until - settings.now.monotonic
            guard left > .zero else { return finish(number, .expired, staged: hash) }
            order.announcement.expire = .after(left)
        }
        // Not needed until the answer.
        order.audio = nil
        send(.announce(order), file: file, as: number, staged: hash)
    }

    private func finish(_ number: Int, _ answer: FleetAnswer, staged hash: String?) {
        if let hash { settle(hash, answer) }
        inputs.append(.answered(number, answer))
    }

    private func settle(_ hash: String, _ answer: FleetAnswer) {
        let wasAccepted = if case .receipt(let receipt) = answer { receipt.id != 0 } else { false }
        do throws(FileError) {
            let isWithinBudget = try audio.settle(hash, wasAccepted: wasAccepted, at: settings.now.monotonic)
            if wasAccepted {
                report(
                    audioProblem: isWithinBudget
                        ? nil
                        : "the disk gets no more audio of announcements for now, because it got"
                            + " \(WriteBudget.mostBytes >> 20) MiB or \(WriteBudget.mostFiles) files within an hour")
            }
        } catch {
            report(audioProblem: "\(error)")
        }
    }

    private func report(audioProblem problem: String?) {
        if let problem, problem != audioProblem { FleetJournal.write(.storageFailed(problem)) }
        audioProblem = problem
    }

    /// - Parameter file: what an announcement plays instead of the sound's own; nil for that.
    private func send(_ call: FleetCall, file: String?, as number: Int, staged hash: String? = nil) {
        let (interface, member, arguments): (String, String, [BusValue]) =
            switch call {
            case .command(let words): (SessionAddress.session, SessionMethod.command.rawValue, [.string(words)])
            case .announce(let order):
                (
                    SessionAddress.session, SessionMethod.announce.rawValue,
                    order.announcement.busArguments(file: file, level: order.level)
                )
            case .set(let signal, let level, let lease):
                (
                    SessionAddress.session, SessionMethod.setSignal.rawValue,
                    [.string(signal), .bool(level), .uint64(UInt64(lease / .microseconds(1)))]
                )
            case .health:
                ("org.freedesktop.DBus.Properties", "GetAll", [.string(SessionAddress.session)])
            }
        let timeout = Announcement.answerTimeout(file: file)
        follower.call(member, of: interface, arguments, within: timeout) { [weak self] result in
            guard let self else { return }
            let answer: FleetAnswer =
                switch result {
                case .success(let values): FleetAnswer(values, to: call)
                case .failure(let error): .failure(error)
                }
            finish(number, answer, staged: hash)
            bell.ring()
        }
    }
}

extension FleetAnswer {
    /// - Parameter values: what Tacet's bus has answered.
    fileprivate init(_ values: [BusValue], to call: FleetCall) {
        let other = FleetAnswer.failure(.unavailable("\(SessionUpdate.Unavailability.otherVersion)"))
        switch (call, values.first, values.last) {
        case (.command, .string(let name)?, .string(let reason)?): self = .answer(name: name, reason: reason)
        case (.set, .string(let name)?, _): self = .answer(name: name, reason: "")
        case (.announce, _, _): self = AnnouncementReceipt(values).map(FleetAnswer.receipt) ?? other
        case (.health, let properties?, _):
            guard case .array(_, let complaints)? = properties.members[SessionProperty.health] else {
                fallthrough
            }
            let signals = properties.members[SessionProperty.signalStates]?.elements.compactMap { signal in
                if case .structure(let fields) = signal { fields.first?.text } else { nil }
            }
            self = .health(complaints.compactMap(\.text), signals: signals.map(Set.init))
        default: self = other
        }
    }
}

/// Ends the program at SIGTERM and SIGINT.
enum Termination {
    static let bell = WakeUp()
    nonisolated(unsafe) private static var wasRequested: sig_atomic_t = 0

    static func install() {
        // Before the handler, which must not create it.
        _ = bell
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                Termination.wasRequested = 1
                Termination.bell.ring()
            }
        }
    }

    static var isRequested: Bool { wasRequested != 0 }
}
