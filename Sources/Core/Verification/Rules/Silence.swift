import AudioSession

/// A silence that nothing ends: neither a signal, nor the device, nor the power, nor a command that there is.
public struct Silence: Hashable, Sendable {
    /// What leads into it; nil: it is quiet from the start.
    public let cause: Step?
    /// The shortest way there, a step each.
    public let path: [String]
}

extension Explorer {
    /// Every kind of step after which nothing ever plays again, with the shortest way to one. There is none where users
    /// can play; so it is worth asking for those who cannot.
    public func silences() -> [Silence] {
        var search = Search(from: World())
        var parents: [[Int32]] = [[]]
        var ways: [(from: Int32, move: Move, to: Int32)] = []
        var moves: [Move] = []
        var next = 0
        while next < search.worlds.count {
            // Who has not seen all cannot say that nothing ends it.
            guard search.worlds.count <= limit else { return [] }
            let world = search.worlds[next]
            list(&moves, from: world)
            for move in moves {
                var successor = world
                guard take(move, &successor) == nil else { continue }
                let number = search.reach(successor, from: next, by: move)
                if number == parents.count { parents.append([]) }
                guard number != next else { continue }
                parents[number].append(Int32(next))
                ways.append((Int32(next), move, Int32(number)))
            }
            next += 1
        }

        let lives = lives(search.worlds, parents)
        guard lives[0] else { return [Silence(cause: nil, path: [])] }
        var causes: Set<Step> = []
        return ways.compactMap { way in
            guard lives[Int(way.from)], !lives[Int(way.to)] else { return nil }
            let from = search.worlds[Int(way.from)]
            let cause = step(way.move, from: from)
            guard causes.insert(cause).inserted else { return nil }
            var path = search.path(to: Int(way.from))
            path.append((from, way.move))
            let steps = steps(path)
            return Silence(cause: cause, path: steps.map { $0.description(policy) })
        }
    }

    /// Which worlds can lead to one that plays.
    private func lives(_ worlds: [World], _ parents: [[Int32]]) -> [Bool] {
        var lives = worlds.map { $0.isOn && sessions[$0.session].directive != .silent }
        var rest = lives.indices.filter { lives[$0] }
        while let world = rest.popLast() {
            for parent in parents[world] where !lives[Int(parent)] {
                lives[Int(parent)] = true
                rest.append(Int(parent))
            }
        }
        return lives
    }
}
