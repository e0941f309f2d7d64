import AudioSession
import Simulation

/// Compares a trace with the model.
extension ReferenceModel {
    /// Describes the first row that differs from the model; nil if none does.
    /// - Parameter initial: what happened before the first boot.
    mutating func contradiction(
        in rows: [TraceRow], of scenario: Scenario, after initial: [Event]
    ) -> String? {
        for event in initial { change(by: .event(event)) }
        var rest = rows[...]
        // The run begins with a boot.
        if let wrong = boot(row: rest.popFirst(), "boot") { return wrong }
        for entry in scenario.entries {
            let time = Int(entry.time / .milliseconds(1))
            while let next, next.at < time {
                if let wrong = pass(next, &rest) { return wrong }
            }
            now = time
            if let wrong = take(entry, rest.popFirst()) { return wrong }
        }
        return rest.first.map { "unexpected row: \($0.event)" }
    }

    private mutating func pass(
        _ next: (at: Milliseconds, what: Spontaneous), _ rest: inout ArraySlice<TraceRow>
    ) -> String? {
        now = next.at
        start()
        let event = happen(next.what)
        return conclude(rest.popFirst(), event)
    }

    private mutating func start() {
        (notifications, answer) = ([], nil)
        (cut, ended, expired, soundBegan) = ([], [], [], [])
        startsNow = false
        levelBefore = isOn ? level : nil
    }

    private mutating func conclude(_ row: TraceRow?, _ event: String) -> String? {
        settleAmplifiers()
        settleSounds()
        waitForAmplifiers()
        settleRecorder()
        return difference(row, event)
    }

    private mutating func boot(row: TraceRow?, _ text: String) -> String? {
        start()
        let found = row?.state.map { Int(($0.position / .milliseconds(1)).rounded()) }
        if let wrong = boot(found: found ?? 0) { return wrong }
        return conclude(row, text)
    }

    /// An event while nothing runs.
    private mutating func change(by event: ScenarioEvent) {
        switch event {
        case .event(.edge(let edge)):
            let index = signals.firstIndex { $0.policy.id == edge.signal } ?? 0
            signals[index].isHigh = edge.isAsserted
        case .event(.mediaServicesLost): deviceBack = false
        case .event(.mediaServicesReset): deviceBack = true
        case .event(.captureLost): recorder?.isConnected = false
        case .event(.captureReturned): recorder?.isConnected = true
        case .event(.routeLost): routeMeanwhile = true
        case .event(.routeBack): routeMeanwhile = false
        case .configuration: reconfiguredMeanwhile = true
        case .powerCut: cutPower(keeping: deviceBack)
        case .event, .line, .asleep, .boot, .end: break
        }
    }

    private mutating func take(_ entry: Scenario.Entry, _ row: TraceRow?) -> String? {
        start()
        let index = { [signals] (id: SignalID) in signals.firstIndex { $0.policy.id == id } ?? 0 }
        guard isOn, wakes == nil else {
            if entry.event == .boot { return boot(row: row, entry.text) }
            change(by: entry.event)
            return differenceWhileStopped(row, entry.text)
        }
        switch entry.event {
        case .event(.edge(let edge)): self.edge(index(edge.signal), edge.isAsserted)
        case .event(.command(let command)): self.command(command)
        case .event(.mediaServicesLost): loseDevice()
        case .event(.mediaServicesReset): resetDevice()
        case .configuration: reconfigure()
        case .event(.routeLost): route(isLost: true)
        case .event(.routeBack): route(isLost: false)
        case .event(.captureLost), .event(.captureReturned):
            change(by: entry.event)
            noticeMicrophone()
        case .asleep(let length): sleep(until: now + Int(length / .milliseconds(1)))
        case .powerCut:
            cutPower()
            return differenceWhileStopped(row, entry.text)
        case .event, .line, .boot, .end: break
        }
        return conclude(row, entry.text)
    }

    private mutating func cutPower(keeping device: Bool) {
        cutPower()
        deviceBack = device
    }

    private func differenceWhileStopped(_ row: TraceRow?, _ event: String) -> String? {
        row?.state == nil ? differenceOfWords(row, event) : "\(event): the trace has a state although nothing runs"
    }

    private func differenceOfWords(_ row: TraceRow?, _ event: String) -> String? {
        guard let row else { return "\(now) ms: no row for \(event)" }
        let time = Int((row.time / .milliseconds(1)).rounded())
        return row.event == event && time == now
            ? nil : "\(now) ms: ‘\(event)’ is due, but the trace has ‘\(row.event)’ at \(time) ms"
    }

    private var faults: [String] {
        let stuck = signals.filter(\.isStuck).map { "\($0.name):stuck" }
        return (stuck + unreadable.map { "\($0):sound" } + captureFaults).sorted()
    }

    private func difference(_ row: TraceRow?, _ event: String) -> String? {
        if let wrong = differenceOfWords(row, event) { return wrong }
        guard let state = row?.state else { return "\(now) ms, \(event): nothing runs" }
        let pairs: [(String, String, String)] = [
            ("intent", state.intent.rawValue, intent.rawValue),
            ("session", "\(state.isInterrupted)", "\(episode != nil)"),
            ("gain", "\(String(describing: state.gain))", "\(String(describing: level))"),
            ("volume", "\(state.volume)", "\(volume)"),
            (
                "microphone", "\(state.isMicrophoneMuted)",
                "\(active.contains { $0.policy.effect == .muteMicrophone })"
            ),
            ("services", "\(state.servicesAvailable)", "\(device)"),
            ("active", "\(state.active)", "\(active.map(\.policy.id).sorted())"),
            (
                "notifications", "\(state.notifications.map(\.description))",
                "\(cut + ended + expired + notifications + soundBegan)"
            ),
            ("track", "\(state.track ?? "-")", tracks.isEmpty ? "-" : tracks[place.track].name),
            ("answer", "\(state.answer?.name ?? "-")", "\(answer?.name ?? "-")"),
            ("faults", "\(state.faults.map(\.description))", "\(faults)"),
            ("sound", "\(state.sound?.rawValue ?? "-")", due.map(name(of:)) ?? "-"),
            ("waiting", "\(state.waiting.map(\.rawValue))", "\(waiting.map(name(of:)))"),
            ("outputs", "\(state.outputs.map(\.rawValue))", "\(assertedOutputs)"),
            (
                "position", "\(Int((state.position / .milliseconds(1)).rounded()))",
                "\(tracks.isEmpty ? 0 : place.position)"
            ),
            ("recording", "\(state.isRecording)", "\(records)"),
            ("recorded", "\(Int((state.recorded / .nanoseconds(1)).rounded()))", "\(recordedNanoseconds)"),
        ]
        return pairs.first { $0.1 != $0.2 }.map {
            "\(now) ms, \(event): \($0.0) is \($0.1), but the model has \($0.2)"
        }
    }
}
