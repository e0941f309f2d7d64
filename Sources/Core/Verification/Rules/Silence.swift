import AudioSession

/// A silence that nothing can end: no signal, no change of the device or the power, and none of the available commands.
public struct Silence: Hashable, Sendable {
    /// The step that leads into it; nil if it is silent from the start.
    public let cause: Step?
    /// A shortest path to it, one description for each step.
    public let path: [String]
}

extension Explorer {
    /// Every kind of step after which nothing ever plays again, each with a shortest path to an example. If users can press
    /// play there is none, so this is useful only for appliances without controls.
    ///
    /// - Returns: nil if the exploration ended before it was complete, because no silence is then known to be permanent.
    public func silences() -> [Silence]? {
        var search = StateSearch(from: ExplorerState())
        var transitions = Pages<Transition>()
        var moves: [Move] = []
        var taken = 0
        var next = 0
        while next < search.states.count {
            guard search.states.count <= limit else { return nil }
            let state = search.states[next]
            list(&moves, from: state)
            for move in moves {
                guard !ends(search, after: taken) else { return nil }
                taken += 1
                var successor = state
                guard take(move, &successor) == nil else { continue }
                let number = search.reach(successor, from: next, by: move)
                guard number != next else { continue }
                transitions.append(Transition(from: Int32(next), move: move, to: Int32(number)))
            }
            next += 1
        }

        guard let lives = lives(search, transitions) else { return nil }
        guard lives[0] else { return [Silence(cause: nil, path: [])] }
        var causes: Set<Step> = []
        return transitions.indices.compactMap { index in
            let transition = transitions[index]
            guard lives[Int(transition.from)], !lives[Int(transition.to)] else { return nil }
            let from = search.states[Int(transition.from)]
            let cause = step(transition.move, from: from)
            guard causes.insert(cause).inserted else { return nil }
            var path = search.path(to: Int(transition.from))
            path.append((from, transition.move))
            return Silence(cause: cause, path: steps(path).flatMap { $0 }.map { $0.description(policy) })
        }
    }

    /// Which states play, or can lead to one that does; nil if the search has to end before that is known.
    private func lives(_ search: StateSearch, _ transitions: Pages<Transition>) -> [Bool]? {
        let states = search.states
        var lives = states.indices.map { states[$0].isOn && sessions[states[$0].session].directive != .silent }
        var hasChanged = true
        while hasChanged {
            guard !ends(search, after: 0) else { return nil }
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

    private struct Transition {
        let from: Int32
        let move: Move
        let to: Int32
    }
}
