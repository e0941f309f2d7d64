import AudioSession
import Configuration
import Files
import Fleet
import Glibc
import MQTT
import SessionClient
import Systemd
import Threads
import Time
import Vocabulary

/// Connects the agent to the broker, to Tacet's bus, to the disk and to the service manager. It runs on the main
/// thread, which waits in `SessionFollower.next`.
final class Bridge {
    private let settings: BridgeSettings
    private let follower: SessionFollower
    private let broker: MQTTConnection
    private let ids: IDFile
    private let audio: AudioCache
    private let pages: StatusPages
    private let downloads = Downloads()
    private var agent: FleetAgent
    /// The results of calls and events, until the agent handles them.
    private var inputs: [FleetInput] = []
    private static let mostInputs = 100
    private let bell = WakeUp()
    /// The text that the service manager shows.
    private var shownStatus = ""
    /// The problem with the storage of audio that the journal has reported, so that a flood does not repeat it, or nil
    /// while nothing is wrong.
    private var audioProblem: String?

    init(_ configuration: BrokerConfiguration, _ bus: BusKind) throws {
        settings = try BridgeSettings(configuration)
        // A broken connection is an error that must not end this process.
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
        shownStatus = agent.status
        ServiceManager.notify(.ready, .status(shownStatus))
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
            // In a flood, unhandled messages stay in the connection, which bounds their total size.
            if inputs.count < Bridge.mostInputs {
                broker.news.wait(.zero)
                inputs += broker.takeEvents().map { .broker($0) }
            }
            for (number, result) in downloads.takeResults() { inputs.append(.downloaded(number, result)) }
            if inputs.isEmpty { inputs.append(.time) }
            handleInputs()
            if watchdog != nil { _ = ServiceManager.attempt(.watchdog) }
            showStatus()
            pages.show(agent)
        }
        ServiceManager.notify(.stopping)
        pages.remove()
        broker.publish(FleetAgent.will(settings.agent.topics))
        broker.close(within: .seconds(5))
        executeLastRequests()
    }

    /// Handles a limited number of inputs, so that other work is done between batches in a flood.
    private func handleInputs() {
        let batch = inputs.prefix(Bridge.mostInputs)
        var effects: [FleetEffect] = []
        for input in batch { effects += agent.handle(input, at: settings.now) }
        inputs.removeFirst(batch.count)
        remember(effects)
        carryOut(effects)
    }

    /// Executes the messages that arrived before the disconnection, because the broker considers them received and does
    /// not repeat them.
    private func executeLastRequests() {
        for case .message(let message) in broker.takeEvents() { inputs.append(.broker(.message(message))) }
        let limit = settings.now.monotonic + .seconds(2)
        while !inputs.isEmpty || agent.awaitsAnswer, settings.now.monotonic < limit {
            handleInputs()
            if let update = follower.next(within: .milliseconds(inputs.isEmpty ? 100 : 0)) {
                inputs.append(.update(update))
            }
        }
    }

    private func showStatus() {
        let status = agent.status
        guard status != shownStatus else { return }
        // If the manager is busy, the next turn of the loop tries again.
        if ServiceManager.attempt(.status(status)) != .busy { shownStatus = status }
    }

    // MARK: The agent's orders

    /// Records all requests before the first is passed on, so that the program waits for the disk only once, however
    /// many requests have arrived.
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
            case .call(let number, let call): send(TacetCall(number: number, what: call))
            case .download(let number, let url, let time): downloads.begin(number, url, within: time)
            case .log(let news): FleetJournal.write(.news(news))
            }
        }
    }

    private func send(_ call: TacetCall) {
        guard case .announce(let order) = call.what, let carried = order.audio else { return pass(call) }
        var call = call
        do throws(FileError) {
            switch try audio.file(of: carried) {
            case .kept(let path): call.file = path
            case .staged(let path): (call.file, call.hash) = (path, carried.hash)
            case .missing: return finish(call, .audioMissing)
            case .noRoom: return finish(call, .failure(.refused("too much audio is already waiting for tacetd")))
            }
            pass(call)
        } catch {
            report(audioProblem: "\(error)")
            finish(call, .failure(.refused("\(error)")))
        }
    }

    private func pass(_ call: TacetCall) {
        var call = call
        if case .announce(var order) = call.what {
            if let until = order.until {
                // Writing the earlier requests may have taken a while.
                let left = until - settings.now.monotonic
                guard left > .zero else { return finish(call, .expired) }
                order.announcement.expire = .after(left)
            }
            // The file contains the audio, so its bytes need not stay in memory until the answer.
            order.audio = nil
            call.what = .announce(order)
        }
        let timeout = Announcement.answerTimeout(file: call.file)
        follower.call(call.member, of: call.interface, call.arguments, within: timeout) { [weak self, call] result in
            self?.finish(call, FleetAnswer(result, to: call.what))
            self?.bell.ring()
        }
    }

    private func finish(_ call: TacetCall, _ answer: FleetAnswer) {
        if let hash = call.hash { settle(hash, answer) }
        inputs.append(.answered(call.number, answer))
    }

    private func settle(_ hash: String, _ answer: FleetAnswer) {
        let wasAccepted = if case .receipt(let receipt) = answer { receipt.id != 0 } else { false }
        do throws(FileError) {
            let isWithinBudget = try audio.settle(hash, wasAccepted: wasAccepted, at: settings.now.monotonic)
            if wasAccepted {
                report(
                    audioProblem: isWithinBudget
                        ? nil
                        : "the audio of announcements is not kept for now because the disk received"
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
}
