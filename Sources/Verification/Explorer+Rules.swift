import AudioSession

extension Explorer {
    /// The rule of the contract's section 10 that a state breaks, with what is wrong; nil when all hold.
    func violation(in world: World) -> (rule: Int, what: String)? {
        guard let session = world.session else { return nil }
        let blocks = world.blocks(policy)
        switch session.directive {
        case .play(let level):
            if blocks { return (1, "plays while something blocks") }
            let ceiling = world.ceiling(policy)
            if level > ceiling { return (2, "plays at \(level) dB while ducked to \(ceiling) dB") }
            if world.userWantsQuiet { return (3, "plays although the user's last word was pause or stop") }
        case .silent:
            if !blocks, session.intent == .playing, world.deviceIsThere {
                return (4, "silent, though nothing blocks, the intent is playing and the device is there")
            }
        }
        if !playsInTheEnd(world, session) { return (4, "a dead end: no play command brings it back") }
        if world.observedInterrupted != blocks {
            return (5, "observers think \(world.observedInterrupted), and something blocks: \(blocks)")
        }
        return rebootViolation(world, session) ?? permutationViolation(world, session)
    }

    /// Whether it plays once every line is quiet, the device is there, and the user asks.
    private func playsInTheEnd(_ world: World, _ session: AudioSession) -> Bool {
        var session = session
        for (signal, line) in zip(policy.signals, world.lines) {
            if line.chatters { _ = subject.handle(&session, .cleared(Fault(signal.id, .chatter)), world.now) }
            if line.asserted || line.chatters {
                _ = subject.handle(&session, .edge(Edge(signal.id, asserted: false)), world.now)
            }
        }
        if !world.deviceIsThere { _ = subject.handle(&session, .mediaServicesReset, world.now) }
        _ = subject.handle(&session, .command(.play), world.now)
        return session.directive == .play(.full)
    }

    private func rebootViolation(_ world: World, _ session: AudioSession) -> (rule: Int, what: String)? {
        // A line that chatters has no level that a boot could read: it is the same line only once it is quiet.
        guard !world.lines.contains(where: \.chatters) else { return nil }
        var again = AudioSession(policy: policy)
        _ = subject.handle(&again, world.bootEvent(policy), world.now)
        guard again.directive != session.directive else { return nil }
        return (6, "\(session.directive) before a power cut, \(again.directive) after it, with the same lines")
    }

    private func permutationViolation(_ world: World, _ session: AudioSession) -> (rule: Int, what: String)? {
        for reading in readings.all(of: world.lines) where reading.orders.count > 1 {
            let ends = Set(
                reading.orders.map { edges in
                    var session = session
                    for edge in edges { _ = subject.handle(&session, .edge(edge), world.now) }
                    return session
                })
            if ends.count > 1 {
                return (7, "the order of \(reading.signals) read together decides between \(ends.count) states")
            }
        }
        return nil
    }
}
