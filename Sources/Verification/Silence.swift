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
        var search = Search(from: World(policy))
        var parents: [[Int32]] = [[]]
        var ways: [(from: Int, step: Step, to: Int)] = []
        var next = 0
        while next < search.worlds.count {
            // Who has not seen all cannot say that nothing ends it.
            guard search.worlds.count <= limit else { return [] }
            let world = search.worlds[next]
            for step in steps(from: world) {
                var successor = world
                guard take(step, &successor) == nil else { continue }
                let number = search.reach(successor, from: next, by: step)
                if number == parents.count { parents.append([]) }
                guard number != next else { continue }
                parents[number].append(Int32(next))
                ways.append((next, step, number))
            }
            next += 1
        }

        let lives = lives(search.worlds, parents)
        guard lives[0] else { return [Silence(cause: nil, path: [])] }
        var causes: Set<Step> = []
        return ways.filter { lives[$0.from] && !lives[$0.to] && causes.insert($0.step).inserted }.map {
            Silence(cause: $0.step, path: search.path(to: $0.from, and: $0.step).map { $0.description(policy) })
        }
    }

    /// Which worlds can lead to one that plays.
    private func lives(_ worlds: [World], _ parents: [[Int32]]) -> [Bool] {
        var lives = worlds.map { $0.session.map { $0.directive != .silent } ?? false }
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
