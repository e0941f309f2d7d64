import ALSA
import AudioSession
import Configuration
import Playback
import Supervisor

/// Where a scenario is played: lets the virtual time pass, and writes down what happens.
///
/// Events of one instant keep the scenario's order, and come before what happens by itself then.
final class Stage {
    private let configuration: Configuration
    private let tracks: [Track]
    let world: VirtualWorld
    private var supervisor: Supervisor?
    /// While the system is suspended: when it wakes, and what changed meanwhile.
    private var sleep: Sleep?
    /// The words of the scenario's event that is being handled; nil while things happen by themselves.
    private var text: String?
    private(set) var rows: [TraceRow] = []
    private(set) var everHadTrack = false

    private struct Sleep {
        let until: Duration
        let device: VirtualDevice
        var routeChange: ScenarioEvent?
        var isReconfigured = false
    }

    init(configuration: Configuration, tracks: [Track], world: VirtualWorld) {
        self.configuration = configuration
        self.tracks = tracks
        self.world = world
        world.onReport = { [unowned self] in write($0) }
    }

    func play(_ scenario: Scenario) throws(SimulationError) {
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
        // What happens by itself at the last instant is part of it, but not of an end.
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
        var changes: [Happening] = []
        switch (sleep.device.isThere, world.device.isThere) {
        case (true, false): changes.append(.deviceLost)
        case (false, true): changes.append(.deviceReset)
        default: world.player?.wake()
        }
        switch sleep.routeChange {
        case .routeLost?: changes.append(.routeLost)
        case .routeBack?: changes.append(.routeBack)
        default: break
        }
        if sleep.isReconfigured { changes.append(.configurationChanged) }
        supervisor.wake(after: changes)
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
        case .edge(let edge): supervisor.edge(edge)
        case .line(let signal, let level): supervisor.line(signal, level: level)
        case .command(let command): supervisor.command(command)
        case .deviceLost: supervisor.deviceLost()
        case .deviceReset: supervisor.deviceReset()
        case .configuration: supervisor.configurationChanged()
        case .routeLost: supervisor.routeLost()
        case .routeBack: supervisor.routeBack()
        case .asleep(let length):
            world.player?.sleep()
            sleep = Sleep(until: entry.time + length, device: world.device)
            write(entry.text, supervisor)
        case .powerCut:
            world.cutPower()
            self.supervisor = nil
            write(entry.text, nil)
        case .boot: break
        case .end: write(entry.text, supervisor)
        }
    }

    /// Nothing runs, and only the world changes; but the power can fail.
    private func sleepThrough(_ entry: Scenario.Entry) {
        switch entry.event {
        case .powerCut:
            sleep = nil
            world.cutPower()
            supervisor = nil
        case .routeLost, .routeBack: sleep?.routeChange = entry.event
        case .configuration: sleep?.isReconfigured = true
        default: break
        }
        write(entry.text, nil)
    }

    /// What changes in the world itself, whether or not anybody is there to notice.
    private func change(by event: ScenarioEvent) {
        switch event {
        case .edge(let edge):
            world.levels[edge.signal] = edge.isAsserted != configuration.lines[edge.signal]?.isActiveLow ?? false
        case .line(let signal, let level): world.levels[signal] = level
        case .deviceLost: world.device.isThere = false
        case .deviceReset: world.device.isThere = true
        case .configuration(let format): world.device.format = format
        case .command, .routeLost, .routeBack, .asleep, .powerCut, .boot, .end: break
        }
    }

    // MARK: The trace

    private func write(_ report: Report) {
        switch report.happening {
        case .trackSkipped(_, let reason): return world.onWarning("skipped: \(reason)")
        case .stateUnreadable(let reason): return world.onWarning(reason)
        case .placeLost(let path): return world.onWarning("\(path) is no longer in the library: it starts over")
        default: break
        }
        for remark in report.remarks { world.onWarning("\(Seconds(report.time))s: \(remark)") }
        guard let supervisor else { return }
        write(text ?? report.happening.description, supervisor, report)
    }

    private func write(_ event: String, _ supervisor: Supervisor?, _ report: Report? = nil) {
        let state = supervisor.map { supervisor in
            Snapshot(
                supervisor.session, track: supervisor.track?.name, position: supervisor.position ?? .zero,
                notifications: report?.notifications ?? [], answer: report?.answer)
        }
        if state?.track != nil { everHadTrack = true }
        rows.append(
            TraceRow(
                time: world.now, event: event, state: state,
                outage: sleep != nil ? .asleep : supervisor == nil ? .powerCut : nil,
                held: supervisor?.session.saved.held ?? []))
    }
}
