import AudioSession
import Simulation

@testable import SessionModel
@testable import random_scenarios

/// A comparison of a trace with the model.
extension SessionModel {
    /// Describes the first row that differs from the model, or nil if there is none.
    /// - Parameter initial: the events before the first boot.
    mutating func contradiction(
        in rows: [TraceRow], of scenario: Scenario, after initial: [ScenarioEvent]
    ) -> String? {
        for event in initial { change(by: event) }
        var rest = rows[...]
        // The run begins with a boot.
        if let wrong = boot(rest.popFirst(), "boot") { return wrong }
        for entry in scenario.entries {
            while let next, next.at < entry.time {
                now = next.at
                begin()
                next.happen(&self)
                if let wrong = conclude(rest.popFirst(), next.event) { return wrong }
            }
            now = entry.time
            if let wrong = take(entry, rest.popFirst()) { return wrong }
        }
        return rest.first.map { "unexpected row: \($0.event)" }
    }

    private mutating func conclude(_ row: TraceRow?, _ event: String) -> String? {
        conclude()
        return difference(row, event)
    }

    private mutating func boot(_ row: TraceRow?, _ text: String) -> String? {
        begin()
        boot()
        let found = row?.state.map { milliseconds($0.position) } ?? 0
        return begin(at: .milliseconds(found)) ?? conclude(row, text)
    }

    private func index(of signal: SignalID) -> Int { signals.firstIndex { $0.policy.id == signal } ?? 0 }

    private func index(of input: InputID) -> Int { inputs.all.firstIndex { $0.settings.id == input } ?? 0 }

    private func index(of player: PlayerID) -> Int { players.firstIndex { $0.name == player.rawValue } ?? 0 }

    /// Applies an event while nothing runs.
    private mutating func change(by event: ScenarioEvent) {
        switch event {
        case .event(.edge(let edge)): signals[index(of: edge.signal)].isHigh = edge.isAsserted
        case .event(.mediaServicesLost): device.isBack = false
        case .event(.mediaServicesReset): device.isBack = true
        case .event(.captureLost): recorder?.isConnected = false
        case .event(.captureReturned): recorder?.isConnected = true
        case .event(.routeLost): device.routeMeanwhile = true
        case .event(.routeBack): device.routeMeanwhile = false
        case .configuration: device.isReconfigured = true
        case .arrival(let input, let arrives): arrival(index(of: input), arrives)
        case .event(.player(let player, let report)):
            players[index(of: player)].state = report
            players[index(of: player)].isTouched = true
            if report == .gone { players[index(of: player)].refuses = false }
        case .event(.playerFound(let player, let report)):
            (players[index(of: player)].state, players[index(of: player)].refuses) = (report, false)
        case .playerRefuses(let player): players[index(of: player)].refuses = true
        case .output(let audibility): setOutput(audibility.word)
        case .powerCut: cutPower()
        case .event, .relative, .announce, .button, .line, .buttonLine, .asleep, .boot, .end: break
        }
    }

    private mutating func take(_ entry: Scenario.Entry, _ row: TraceRow?) -> String? {
        guard isOn, wakes == nil, entry.event != .powerCut else {
            if entry.event == .boot { return boot(row, entry.text) }
            change(by: entry.event)
            return row?.state == nil
                ? differenceOfWords(row, entry.text) : "\(entry.text): the trace has a state although nothing runs"
        }
        begin()
        switch entry.event {
        case .event(.edge(let edge)): self.edge(index(of: edge.signal), edge.isAsserted)
        case .event(.command(let command)): self.command(command)
        case .button(let name, let press):
            let written = configuration.buttons.first { $0.name == name }?.command(of: press)
            // The buttons of random scenarios move the position only absolutely.
            if let command = written?.sessionCommand(at: volume) { self.command(command) }
        case .event(.mediaServicesLost): loseDevice()
        case .event(.mediaServicesReset): resetDevice()
        case .configuration: reconfigure()
        case .event(.routeLost): route(isLost: true)
        case .event(.routeBack): route(isLost: false)
        case .event(.captureLost), .event(.captureReturned):
            change(by: entry.event)
            noticeMicrophone()
        case .output: change(by: entry.event)
        case .arrival(let input, let arrives): arrival(index(of: input), arrives)
        case .event(.player(let player, let report)): self.report(index(of: player), report)
        case .event(.playerFound(let player, let report)): find(index(of: player), report)
        case .playerRefuses: change(by: entry.event)
        case .asleep(let length): sleep(for: length)
        case .relative(.choose(let request)): choose(request, RandomScenario.chosen(request.name))
        // The random scenarios have no other relative commands, files and raw levels.
        case .event, .relative, .announce, .line, .buttonLine, .powerCut, .boot, .end: break
        }
        return conclude(row, entry.text)
    }

    // MARK: Differences

    private func milliseconds(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded()) }

    private func differenceOfWords(_ row: TraceRow?, _ event: String) -> String? {
        guard let row else { return "\(now): no row for \(event)" }
        return row.event == event && milliseconds(row.time) == milliseconds(now)
            ? nil : "\(now): ‘\(event)’ is due, but the trace has ‘\(row.event)’ at \(row.time)"
    }

    private var outputFaults: [String] { hearing.fault.map { ["output:\($0)"] } ?? [] }

    private var faults: [String] {
        let stuck = signals.filter(\.isStuck).map { "\($0.name):stuck" }
        let sounds = unreadable.map { "\($0):sound" }
        return (stuck + sounds + captureFaults + outputFaults + playerFaults).sorted()
    }

    private func difference(_ row: TraceRow?, _ event: String) -> String? {
        if let wrong = differenceOfWords(row, event) { return wrong }
        guard let state = row?.state else { return "\(now), \(event): nothing runs" }
        let notifications =
            reaction.cut + reaction.ended + reaction.expired + reaction.notifications + reaction.soundBegan
        let isMuted = active.contains { $0.policy.effect == .muteMicrophone }
        let pairs: [(String, Any, Any)] = [
            ("intent", state.intent, intent), ("session", state.isInterrupted, episode != nil),
            ("gain", state.gain as Any, level as Any), ("volume", state.volume, volume),
            ("microphone", state.isMicrophoneMuted, isMuted),
            ("services", state.servicesAvailable, device.isThere),
            ("active", state.active, active.map(\.policy.id).sorted()),
            ("notifications", state.notifications.map(\.description), notifications),
            ("track", state.track ?? "-", place.track),
            ("answer", state.answer?.name ?? "-", reaction.answer?.name ?? "-"),
            ("faults", state.faults.map(\.description), faults),
            ("sound", state.sound?.rawValue ?? "-", due.map(name(of:)) ?? "-"),
            ("waiting", state.waiting.map(\.rawValue), waiting.map(name(of:))),
            ("outputs", state.outputs.map(\.rawValue), assertedOutputs),
            ("source", state.source, source), ("players", state.players.map(\.rawValue), keptPlayers),
            ("position", milliseconds(state.position), milliseconds(place.position)),
            ("recording", state.isRecording, records),
            ("recorded", Int((state.recorded / .nanoseconds(1)).rounded()), recordedNanoseconds),
        ]
        return pairs.first { "\($0.1)" != "\($0.2)" }.map {
            "\(now), \(event): \($0.0) is \($0.1), but the model has \($0.2)"
        }
    }
}
