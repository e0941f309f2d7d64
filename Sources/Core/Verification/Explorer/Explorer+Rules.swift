import AudioSession

extension Explorer {
    /// The rule of the contract's section 10 that a state breaks, with what is wrong; nil when all hold.
    func violation(in world: World) -> Violation? {
        guard world.isOn else { return nil }
        let session = sessions[world.session]
        let blocks = effects.block(world.lines)
        switch session.directive {
        case .play(let level):
            if blocks { return (1, "plays while something blocks") }
            if world.delaysEpisode { return (1, "plays during a ResumeDelay") }
            let ceiling = effects.ceiling(world)
            if level > ceiling { return (2, "plays at \(level) dB while ducked to \(ceiling) dB") }
            if world.userWantsQuiet { return (3, "plays although the user's last word was pause or stop") }
            if world.silencedProgramme == .waitsForUser {
                return (14, "plays after an end without shouldResume, and the user has not played")
            }
        case .silent:
            if !blocks, !world.delaysEpisode, session.intent == .playing, world.deviceIsThere {
                return (4, "silent, though no episode is in progress, the intent is playing and the device is there")
            }
        }
        if !playsInTheEnd(world) { return (4, "a dead end: no play command brings it back") }
        if world.observedInterrupted != (blocks || world.delaysEpisode) {
            return (
                5,
                world.observedInterrupted
                    ? "an interruption began and has not ended, though nothing blocks"
                    : "something blocks, and no interruption began"
            )
        }
        return rebootViolation(world) ?? permutationViolation(world)
    }

    /// Whether it plays once every line is quiet, the device is there, and the user asks.
    private func playsInTheEnd(_ world: World) -> Bool {
        var session = world.session
        func tell(_ event: Int) { session = sessions.outcome(session, event, late: world.late).session }
        for signal in policy.signals.indices {
            let chatters = world.lines.chatters[signal]
            if chatters { tell(alphabet.quiet(signal)) }
            if chatters || world.lines.asserted[signal] { tell(alphabet.edge(signal, asserted: false)) }
        }
        tell(alphabet.episodeElapsed)
        tell(alphabet.duckElapsed)
        if !world.deviceIsThere { tell(alphabet.reset) }
        tell(alphabet.play)
        return sessions[session].directive == .play(.full)
    }

    private func rebootViolation(_ world: World) -> Violation? {
        // A line that chatters has no level that a boot could read: it is the same line only once it is quiet.
        guard world.lines.chatters.isEmpty else { return nil }
        var session = world.session
        // Time without power satisfies a ResumeDelay.
        for event in [alphabet.episodeElapsed, alphabet.duckElapsed] {
            session = sessions.outcome(session, event, late: world.late).session
        }
        let before = sessions[session]
        let again = sessions[bootOutcome(world, from: sessions[world.session].saved).session]
        guard again.directive != before.directive else { return nil }
        return (6, "\(before.directive) before a power cut, \(again.directive) after it, with the same lines")
    }

    private func permutationViolation(_ world: World) -> Violation? {
        for reading in readings.all(of: world.lines) {
            let ends = Set(
                reading.orders.map { edges in
                    edges.reduce(world.session) { sessions.outcome($0, $1, late: world.late).session }
                })
            if ends.count > 1 {
                return (7, "the order of \(reading.signals) read together decides between \(ends.count) states")
            }
        }
        return nil
    }
}
