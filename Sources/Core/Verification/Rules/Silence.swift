import AudioSession

/// A silence that cannot be ended by any signal, by a change in the device or the power, or by any available command.
public struct Silence: Hashable, Sendable {
    /// The step that leads to the silence, or nil if it is silent from the start.
    public let cause: Step?
    /// A shortest path to the silence, with one description for each step.
    public let path: [String]
}

extension Explorer {
    /// Returns every kind of step after which nothing ever plays again, each with a shortest path to an example. If
    /// users can send `play`, there is no such step, so this is useful only for devices without controls.
    ///
    /// - Returns: nil if the exploration ended before it was complete, because in that case no silence is known to be
    ///   permanent.
    public func silences() -> [Silence]? {
        var search = StateSearch(self, limit: limit, shouldStop: shouldStop)
        var transitions = Pages<StateSearch<Explorer>.Transition>()
        let end = search.run(note: { transition, _, _ in
            if transition.from != transition.to { transitions.append(transition) }
        })
        guard case .complete = end, let lives = lives(search, transitions) else { return nil }
        guard lives[0] else { return [Silence(cause: nil, path: [])] }
        var causes: Set<Step> = []
        return transitions.indices.compactMap { index in
            let transition = transitions[index]
            guard lives[Int(transition.from)], !lives[Int(transition.to)] else { return nil }
            let from = search.states[Int(transition.from)]
            let cause = step(transition.move, from: from)
            guard causes.insert(cause).inserted else { return nil }
            let path = search.path(to: Int(transition.from)) + [(from, transition.move)]
            return Silence(cause: cause, path: steps(path).flatMap { $0 }.map { $0.description(policy) })
        }
    }

    /// Returns the states that play or can lead to one that does, or nil if the search has to end before they are
    /// known.
    private func lives(
        _ search: StateSearch<Explorer>, _ transitions: Pages<StateSearch<Explorer>.Transition>
    ) -> [Bool]? {
        let states = search.states
        var lives = states.indices.map { states[$0].isOn && sessions[states[$0].session].directive != .silent }
        var hasChanged = true
        while hasChanged {
            guard !search.mustEnd else { return nil }
            hasChanged = false
            // Most transitions lead to states that were found later.
            for index in transitions.indices.reversed() {
                let transition = transitions[index]
                guard lives[Int(transition.to)], !lives[Int(transition.from)] else { continue }
                lives[Int(transition.from)] = true
                hasChanged = true
            }
        }
        return lives
    }
}
