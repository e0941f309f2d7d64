import AudioSession
import Configuration
import Timeline

extension TimelineBuilder {
    /// A lane for each signal that was asserted, changed its level or had a fault. If there is no such signal, every
    /// configured signal has a lane.
    var lanes: [Timeline.SignalLane] {
        let all = configuration.session.signals.map(lane)
        let busy = all.filter { !$0.asserted.isEmpty || !$0.raw.isEmpty || !$0.faults.isEmpty }
        return busy.isEmpty ? all : busy
    }

    private func lane(_ signal: SignalPolicy) -> Timeline.SignalLane {
        Timeline.SignalLane(
            name: signal.id.rawValue, effect: Self.words(signal.effect), raw: raw(signal.id),
            asserted: asserted(signal.id), faults: faults(signal.id))
    }

    private static func words(_ effect: Effect) -> String {
        let level: Level? = if case .duck(let level) = effect { level } else { nil }
        return Timeline.SignalLane.words(forEffect: effect.name, level: level?.description)
    }
}

extension TimelineBuilder {
    /// Returns the electrical levels of the line, or an empty list if the scenario does not mention any.
    private func raw(_ signal: SignalID) -> [Timeline.Span<Bool>] {
        let edges = (scenario.beforeBoot + scenario.entries).compactMap { entry -> (time: Double, level: Bool)? in
            guard case .line(signal, .main, let level?) = entry.event else { return nil }
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
            spans { row in
                row.running.flatMap { $0.faults.contains(Fault(signal, kind)) ? kind.rawValue : nil }
            }
        }
    }

    private func asserted(_ signal: SignalID) -> [Timeline.Span<Timeline.Assertion>] {
        spans { row in
            guard row.outage == nil else { return nil }
            return row.held.first { $0.signal == signal }.map { Timeline.Assertion($0.standing) }
        }
    }
}

extension Timeline.Assertion {
    fileprivate init(_ standing: SavedSession.Held.Standing) {
        self =
            switch standing {
            case .active: .active
            case .suppressed: .suppressed
            case .dropped: .dropped("stuck")
            }
    }
}
