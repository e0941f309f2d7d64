import ALSA
import AudioSession
import Configuration
import Playback
import Recording
import Supervisor
import Time

/// Runs a scenario: advances the virtual clock and records the trace.
///
/// Events at the same instant keep the scenario's order, and come before anything that happens on its own at that
/// instant, such as the end of a track.
final class ScenarioRunner {
    private let configuration: Configuration
    private let tracks: [Track]
    let world: VirtualWorld
    private var supervisor: Supervisor?
    /// Set while the system is suspended: when it wakes, and what has changed since.
    private var sleep: Sleep?
    /// The scenario's text for the current event; nil for events that are not in the scenario.
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

    init(configuration: Configuration, tracks: [Track], world: VirtualWorld) {
        self.configuration = configuration
        self.tracks = tracks
        self.world = world
        // The world reports only while this runner runs it.
        world.onReport = { [unowned self] in write($0) }
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
        // The run includes everything that happens on its own at the last instant, unless that is an explicit `end`.
        guard scenario.entries.last?.event != .end, let supervisor else { return }
        if let sleep, sleep.until <= world.now { wake(from: sleep) }
        guard sleep == nil else { return }
        while supervisor.step() {}
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
            if let supervisor { while supervisor.step() {} }
            try checkWorld()
            let next = min(end, supervisor?.deadline ?? end)
            do throws(PCMError) {
                world.now = try world.player?.render(until: next) ?? next
            } catch {
                throw SimulationError("\(error)")
            }
        }
    }

    private func wake(from sleep: Sleep) {
        self.sleep = nil
        guard let supervisor else { return }
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
        supervisor.wake(since: sleep.since, after: changes)
        world.use { $0.wake(at: $1) }
    }

    // MARK: Events

    private func boot(text: String) {
        self.text = text
        let supervisor = Supervisor(configuration: configuration, tracks: tracks, world: world)
        self.supervisor = supervisor
        supervisor.boot()
        self.text = nil
    }

    private func perform(_ entry: Scenario.Entry) {
        change(by: entry.event)
        if sleep != nil {
            sleepThrough(entry)
            return
        }
        guard let supervisor else {
            if entry.event == .boot { boot(text: entry.text) } else { write(entry.text, nil) }
            return
        }
        switch entry.event {
        case .event(.edge(let edge)): supervisor.edge(edge)
        case .event(.command(let command)): supervisor.command(command)
        case .event(let event): supervisor.handle(event)
        case .line(let signal, let level): supervisor.line(signal, level: level)
        case .configuration: supervisor.handle(.configurationChanged)
        case .asleep(let length):
            world.player?.sleep()
            world.use { (microphone, now) throws(RecordingError) in try microphone.sleep(at: now) }
            sleep = Sleep(
                since: entry.time, until: entry.time + length, device: world.device,
                hadMicrophone: world.microphone.isThere)
            write(entry.text, supervisor)
        case .powerCut:
            world.cutPower()
            self.supervisor = nil
            write(entry.text, nil)
        case .boot: break
        case .end: write(entry.text, supervisor)
        }
    }

    /// An event while the system is suspended: only the world changes, or the power fails.
    private func sleepThrough(_ entry: Scenario.Entry) {
        switch entry.event {
        case .powerCut:
            sleep = nil
            world.cutPower()
            supervisor = nil
        case .event(.routeLost): sleep?.routeChange = .routeLost
        case .event(.routeBack): sleep?.routeChange = .routeBack
        case .configuration: sleep?.isReconfigured = true
        default: break
        }
        write(entry.text, nil)
    }

    /// Changes the world itself, whether or not the supervisor is running.
    private func change(by event: ScenarioEvent) {
        switch event {
        case .event(.edge(let edge)):
            world.levels[edge.signal] = edge.isAsserted != configuration.lines[edge.signal]?.isActiveLow ?? false
        case .line(let signal, let level): world.levels[signal] = level
        case .event(.mediaServicesLost): world.device.isThere = false
        case .event(.mediaServicesReset): world.device.isThere = true
        case .configuration(let format): world.device.format = format
        case .event(.captureLost): world.use { microphone, _ in microphone.isThere = false }
        case .event(.captureReturned): world.use { microphone, _ in microphone.isThere = true }
        case .event, .asleep, .powerCut, .boot, .end: break
        }
    }

    // MARK: The trace

    private func write(_ report: Report) {
        switch report.cause {
        case .note(.trackSkipped(_, let reason, let isPlayed)):
            return world.onWarning(isPlayed ? reason : "skipped: \(reason)")
        case .note(.stateUnreadable(let reason)): return world.onWarning(reason)
        // The row of the boot has the fault.
        case .event(.soundReadable(let sound, false), .unreadable(let reason)?):
            return world.onWarning("the sound \(sound) is unreadable: \(reason)")
        case .note(.soundBroken(let sound, let reason, let isPlayed)):
            return world.onWarning("the sound \(sound) \(isPlayed ? "is damaged" : "breaks off"): \(reason)")
        case .note(.placeLost(let path)):
            return world.onWarning("\(path) is no longer in the library: the programme starts over")
        default: break
        }
        for remark in report.remarks { world.onWarning("\(Seconds(report.time))s: \(remark)") }
        guard let supervisor else { return }
        write(text ?? report.cause.description, supervisor, report)
    }

    private func write(_ event: String, _ supervisor: Supervisor?, _ report: Report? = nil) {
        let state = supervisor.map { supervisor in
            Snapshot(
                supervisor.session, track: supervisor.track?.name, position: supervisor.position ?? .zero,
                notifications: report?.notifications ?? [], answer: report?.answer,
                outputs: supervisor.assertedOutputs, recorded: world.recorded)
        }
        if state?.track != nil { everHadTrack = true }
        rows.append(
            TraceRow(
                time: world.now, event: event, state: state,
                outage: sleep != nil ? .asleep : supervisor == nil ? .powerCut : nil,
                held: supervisor?.session.saved.held ?? []))
    }
}
