import ALSA
import AudioSession
import Configuration
import Playback
import Recording
import Supervisor
import Time
import Vocabulary

/// Runs a scenario. It advances the virtual clock and records the trace.
///
/// Events at the same instant keep the order of the scenario. They come before anything that happens without an input
/// at that instant, such as the end of a track.
final class ScenarioRunner {
    private let configuration: Configuration
    let world: VirtualWorld
    private let onWarning: (String) -> Void
    /// The time at which the system wakes, and what has changed since. It is set while the system is suspended.
    private var sleep: Sleep?
    /// The text of the current event in the scenario, or nil for events that are not in the scenario.
    private var text: String?
    private(set) var rows: [TraceRow] = []
    private(set) var everHadTrack = false

    private struct Sleep {
        let since: Duration
        let until: Duration
        let device: VirtualDevice
        let hadMicrophone: Bool
        var routeChange: Event?
        var isReconfigured = false
    }

    /// Creates a runner.
    /// - Parameter onWarning: called with each warning for people.
    init(configuration: Configuration, world: VirtualWorld, onWarning: @escaping (String) -> Void) {
        self.configuration = configuration
        self.world = world
        self.onWarning = onWarning
    }

    func run(_ scenario: Scenario) throws(SimulationError) {
        for entry in scenario.beforeBoot { change(by: entry.event) }
        boot(text: "boot")
        try checkWorld()
        for entry in scenario.entries {
            try pass(until: entry.time)
            text = entry.text
            perform(entry)
            text = nil
            try checkWorld()
        }
        // The run includes everything that happens without an input at the last instant, unless the last event is an
        // explicit `end`.
        guard scenario.entries.last?.event != .end, world.hasPower else { return }
        if let sleep, sleep.until <= world.now { wake(from: sleep) }
        guard sleep == nil else { return }
        settle()
        try checkWorld()
    }

    private func checkWorld() throws(SimulationError) {
        if let failure = world.failure { throw failure }
    }

    // MARK: Time

    private func pass(until end: Duration) throws(SimulationError) {
        while world.now < end {
            if let sleep {
                guard sleep.until < end else {
                    world.now = end
                    return
                }
                world.now = max(world.now, sleep.until)
                wake(from: sleep)
            }
            settle()
            try checkWorld()
            let next = min(end, world.deadline ?? end)
            do throws(PCMError) {
                world.now = try world.player?.render(until: next) ?? next
            } catch {
                throw SimulationError("\(error)")
            }
        }
    }

    private func wake(from sleep: Sleep) {
        self.sleep = nil
        var changes: [Event] = []
        switch (sleep.device.isThere, world.device.isThere) {
        case (true, false): changes.append(.mediaServicesLost)
        case (false, true): changes.append(.mediaServicesReset)
        default: world.player?.wake()
        }
        if let change = sleep.routeChange { changes.append(change) }
        if sleep.isReconfigured { changes.append(.configurationChanged) }
        if sleep.hadMicrophone != world.microphone.isThere {
            changes.append(sleep.hadMicrophone ? .captureLost : .captureReturned)
        }
        take(.wake(since: sleep.since, levels: world.levels, changes: changes))
        world.use { $0.wake(at: $1) }
        world.buttons.wake(at: world.now)
    }

    // MARK: Events

    private func boot(text: String) {
        self.text = text
        world.boot()
        writeReports()
        self.text = nil
    }

    private func take(_ input: Supervisor.Input) {
        world.take(input)
        writeReports()
    }

    /// Handles everything that happens without an input at this instant. A press of a button is last, because its command
    /// applies to the resulting state.
    private func settle() {
        take(.time)
        while let (button, press) = world.buttons.next(at: world.now) {
            text = "\(ScenarioWord.button.rawValue) \(button.name) \(press.rawValue)"
            send(button.command(of: press))
            text = nil
            take(.time)
        }
        for problem in world.buttons.takeProblems() { onWarning("\(Seconds(world.now))s: \(problem)") }
    }

    /// Sends a command that may depend on the present position or volume.
    private func send(_ command: WrittenCommand?) {
        guard let command else { return }
        if case .choose(let request) = command { return take(world.choose(request)) }
        let (supervisor, player) = (world.supervisor, world.playerState)
        // The supervisor adds the length of the track.
        let position = supervisor.position(of: player)
        if let command = command.sessionCommand(at: supervisor.session.volume, position: position) {
            take(.command(command))
        }
    }

    private func announce(_ announcement: Announcement, _ path: String) {
        do throws(DecoderError) {
            take(.announce(announcement, clip: try SoundClip.load(path, format: world.device.format)))
        } catch {
            onWarning("\(error)")
            take(.reject(announcement, .noSuchContent, AnnouncedFile(path, problem: "\(error)")))
        }
    }

    private func writeReports() { while let report = world.nextReport() { write(report) } }

    private func perform(_ entry: Scenario.Entry) {
        change(by: entry.event)
        if sleep != nil {
            sleepThrough(entry)
            return
        }
        guard world.hasPower else {
            if entry.event == .boot { boot(text: entry.text) } else { writeUnnoticed(entry.text) }
            return
        }
        switch entry.event {
        case .event(.edge(let edge)): take(.edge(edge))
        case .event(.command(let command)): take(.command(command))
        case .relative(let command): send(command)
        case .announce(let announcement, let file): announce(announcement, file)
        case .button(let name, let press): send(world.buttons[name]?.command(of: press))
        case .buttonLine(let name, _):
            world.buttons.notice(name, at: world.now)
            write(entry.text)
        case .playerRefuses: write(entry.text)
        case .event(let event): take(.event(event))
        case .line(let signal, let contact, let level): take(.line(signal, contact, level: level))
        case .arrival(let input, let arrives): take(.arrival(input, arrives, at: world.now))
        case .output(let audibility): take(.output(audibility))
        case .configuration: take(.event(.configurationChanged))
        case .asleep(let length):
            world.player?.sleep()
            world.use { (microphone, now) throws(RecordingError) in try microphone.sleep(at: now) }
            sleep = Sleep(
                since: entry.time, until: entry.time + length, device: world.device,
                hadMicrophone: world.microphone.isThere)
            write(entry.text)
        case .powerCut:
            world.cutPower()
            writeUnnoticed(entry.text)
        case .boot: break
        case .end: write(entry.text)
        }
    }

    /// Handles an event while the system is suspended. Only the world changes, or the power fails.
    private func sleepThrough(_ entry: Scenario.Entry) {
        switch entry.event {
        case .powerCut:
            sleep = nil
            world.cutPower()
        case .event(.routeLost): sleep?.routeChange = .routeLost
        case .event(.routeBack): sleep?.routeChange = .routeBack
        case .configuration: sleep?.isReconfigured = true
        default: break
        }
        writeUnnoticed(entry.text)
    }

    /// Changes the world itself, whether or not the supervisor is running.
    private func change(by event: ScenarioEvent) {
        switch event {
        case .event(.edge(let edge)): world.levels.turn(edge, configuration)
        case .line(let signal, .main, let level): world.levels.main[signal] = level
        case .line(let signal, .complement, let level): world.levels.complement[signal] = level
        case .buttonLine(let name, let level): world.buttons.set(name, to: level)
        case .arrival(let input, let arrives): world.setArrival(at: input, arrives)
        case .event(.player(let player, let report)):
            world.sources.set(player, report, isTouched: !world.hasPower)
        case .output(let audibility): world.device.audibility = audibility
        case .event(.playerFound(let player, let report)): world.sources.set(player, report, isFound: true)
        case .playerRefuses(let player): world.sources.refuse(player)
        case .event(.mediaServicesLost): world.device.isThere = false
        case .event(.mediaServicesReset): world.device.isThere = true
        case .configuration(let format): world.device.format = format
        case .event(.captureLost): world.use { microphone, _ in microphone.isThere = false }
        case .event(.captureReturned): world.use { microphone, _ in microphone.isThere = true }
        case .event, .relative, .announce, .button, .asleep, .powerCut, .boot, .end: break
        }
    }

    // MARK: The trace

    private func write(_ report: Report) {
        switch report.cause {
        case .note(.trackSkipped(_, let reason, let isPlayed)):
            return onWarning(isPlayed ? reason : "skipped: \(reason)")
        case .note(.stateUnreadable(let reason)): return onWarning(reason)
        // The row of the boot contains the fault.
        case .event(.soundReadable(let sound, false), .unreadable(let reason)?):
            return onWarning("the sound \(sound) is unreadable: \(reason)")
        case .note(.soundBroken(let sound, let reason, let isPlayed)):
            return onWarning("the sound \(sound) \(isPlayed ? "is damaged" : "breaks off"): \(reason)")
        case .note(.placeLost(let path)):
            return onWarning("\(path) is no longer in the library: the music starts over")
        default: break
        }
        for noOpReason in report.noOpReasons { onWarning("\(Seconds(report.time))s: \(noOpReason)") }
        write(text ?? report.cause.description, report)
    }

    private func write(_ event: String, _ report: Report? = nil) {
        let (supervisor, player) = (world.supervisor, world.playerState)
        let state = Snapshot(
            supervisor.session, track: supervisor.track(of: player)?.name,
            position: supervisor.position(of: player) ?? .zero, notifications: report?.notifications ?? [],
            answer: report?.answer, outputs: supervisor.assertedOutputs, recorded: world.recorded)
        if state.track != nil { everHadTrack = true }
        rows.append(
            TraceRow(
                time: world.now, event: event, state: state, outage: sleep == nil ? nil : .asleep,
                held: supervisor.session.saved.held))
    }

    /// Writes an event that no supervisor receives.
    private func writeUnnoticed(_ event: String) {
        rows.append(
            TraceRow(time: world.now, event: event, state: nil, outage: sleep == nil ? .powerCut : .asleep, held: []))
    }
}
