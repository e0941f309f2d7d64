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
    /// - Returns: also empty if there are more states than the limit, because no silence is then known to be permanent.
    public func silences() -> [Silence] {
        var search = StateSearch(from: ExplorerState())
        var parents: [[Int32]] = [[]]
        var transitions: [(from: Int32, move: Move, to: Int32)] = []
        var moves: [Move] = []
        var next = 0
        while next < search.states.count {
            // A silence is known to be permanent only if all states are known.
            guard search.states.count <= limit else { return [] }
            let state = search.states[next]
            list(&moves, from: state)
            for move in moves {
                var successor = state
                guard take(move, &successor) == nil else { continue }
                let number = search.reach(successor, from: next, by: move)
                if number == parents.count { parents.append([]) }
                guard number != next else { continue }
                parents[number].append(Int32(next))
                transitions.append((Int32(next), move, Int32(number)))
            }
            next += 1
        }

        let lives = lives(search.states, parents)
        guard lives[0] else { return [Silence(cause: nil, path: [])] }
        var causes: Set<Step> = []
        return transitions.compactMap { transition in
            guard lives[Int(transition.from)], !lives[Int(transition.to)] else { return nil }
            let from = search.states[Int(transition.from)]
            let cause = step(transition.move, from: from)
            guard causes.insert(cause).inserted else { return nil }
            var path = search.path(to: Int(transition.from))
            path.append((from, transition.move))
            return Silence(cause: cause, path: steps(path).flatMap { $0 }.map { $0.description(policy) })
        }
    }

    /// Which states play, or can lead to one that does.
    private func lives(_ states: [ExplorerState], _ parents: [[Int32]]) -> [Bool] {
        var lives = states.map { $0.isOn && sessions[$0.session].directive != .silent }
        var rest = lives.indices.filter { lives[$0] }
        while let state = rest.popLast() {
            for parent in parents[state] where !lives[Int(parent)] {
                lives[Int(parent)] = true
                rest.append(Int(parent))
            }
        }
        return lives
    }
}
