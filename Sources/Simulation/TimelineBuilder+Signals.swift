import AudioSession
import Configuration
import Timeline

extension TimelineBuilder {
    /// A lane for every signal that took part; all of them, if none did.
    var lanes: [Timeline.SignalLane] {
        let all = configuration.session.signals.map(lane)
        let busy = all.filter { !$0.asserted.isEmpty || !$0.raw.isEmpty || !$0.faults.isEmpty }
        return busy.isEmpty ? all : busy
    }

    private func lane(_ signal: SignalPolicy) -> Timeline.SignalLane {
        Timeline.SignalLane(
            name: signal.id.rawValue, effect: words(signal.effect), raw: raw(signal.id),
            asserted: asserted(signal), faults: faults(signal.id))
    }

    private func words(_ effect: Effect) -> String {
        switch effect {
        case .pause: "pause"
        case .duck(let level): level == .mute ? "duck to mute" : "duck \(level) dB"
        case .muteMicrophone: "mute microphone"
        case .checkpoint: "checkpoint"
        case .ignore: "ignored"
        }
    }
}

extension TimelineBuilder {
    /// The wire's electrical levels, if the scenario speaks of any.
    private func raw(_ signal: SignalID) -> [Timeline.Span<Bool>] {
        let edges = scenario.entries.compactMap { entry -> (time: Double, level: Bool)? in
            guard case .line(signal, let level?) = entry.event else { return nil }
            return (entry.time.seconds, level)
        }
        guard !edges.isEmpty else { return [] }
        let idle = configuration.lines[signal]?.isActiveLow ?? false
        let all = [(time: 0, level: idle)] + edges
        return zip(all, all.dropFirst().map(\.time) + [scenario.end.seconds]).compactMap { edge, to in
            to > edge.time ? Timeline.Span(from: edge.time, to: to, value: edge.level) : nil
        }
    }

    private func faults(_ signal: SignalID) -> [Timeline.Span<String>] {
        Fault.Kind.allCases.flatMap { kind in
            spans { state in
                state.flatMap { $0.faults.contains(Fault(signal, kind)) ? kind.rawValue : nil }
            }
        }
    }

    private func asserted(_ signal: SignalPolicy) -> [Timeline.Span<Timeline.Assertion>] {
        var standing: [Timeline.Assertion?] = []
        var isAsserted = false
        for row in rows {
            switch row.event {
            case "assert \(signal.id)": isAsserted = true
            case "deassert \(signal.id)": isAsserted = false
            case "boot": isAsserted = wasAsserted(signal.id, at: row.time)
            default: break
            }
            standing.append(row.state.flatMap { assertion(signal, $0, isAsserted: isAsserted) })
        }
        var next = standing.makeIterator()
        return spans { _ in next.next() ?? nil }
    }

    private func assertion(
        _ signal: SignalPolicy, _ state: TraceRow.State, isAsserted: Bool
    ) -> Timeline.Assertion? {
        if state.active.contains(signal.id) { return .inForce }
        guard isAsserted else { return nil }
        return state.faults.contains(Fault(signal.id, .stuck)) ? .dropped("stuck") : .suppressed
    }

    /// The level that a boot finds on the wire.
    private func wasAsserted(_ signal: SignalID, at time: Duration) -> Bool {
        let idle = configuration.lines[signal]?.isActiveLow ?? false
        return scenario.entries.prefix { $0.time <= time && $0.event != .boot || $0.time < time }
            .reduce(false) { asserted, entry in
                switch entry.event {
                case .edge(let edge) where edge.signal == signal: edge.isAsserted
                case .line(signal, let level?): level != idle
                default: asserted
                }
            }
    }
}
