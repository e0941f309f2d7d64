import AudioSession

extension Explorer {
    typealias Violation = (rule: Int, what: String)

    /// Takes a step, and says what rule it broke in doing so.
    func take(_ move: Move, _ world: inout World) -> Violation? {
        switch move {
        case .wait: world.late = true
        case .powerCut:
            world.lastSaved = sessions[world.session].saved
            world.session = World.none
        case .boot: return boot(&world)
        case .line(let signal): return turn(Int(signal), &world)
        case .stuck(let signal):
            world.lines.stuck[Int(signal)] = true
            if effects.released[Int(signal)] { world.lines.ineffective[Int(signal)] = true }
            return feed(alphabet.stuck(Int(signal)), &world)
        case .chatter(let signal): return chatter(Int(signal), &world)
        case .quiet(let signal): return quieten(Int(signal), &world)
        case .command(let command): return ask(Int(command), &world)
        case .device:
            world.deviceIsThere.toggle()
            return world.isOn ? feed(world.deviceIsThere ? alphabet.reset : alphabet.lost, &world) : nil
        case .configurationChanged: return feed(alphabet.configurationChanged, &world)
        case .routeLost: return feed(alphabet.routeLost, &world)
        case .trackEnded: return feed(sessions[world.session].trackEnd, &world)
        }
        return nil
    }

    // MARK: The world's own bookkeeping

    private func turn(_ signal: Int, _ world: inout World) -> Violation? {
        world.lines.asserted[signal].toggle()
        // Without power nobody sees it; while it chatters, its level does not count.
        guard world.isOn, !world.lines.chatters[signal] else { return nil }
        world.lines.begin(SignalSet(signal), suppressed: effects.suppressed)
        return feed(alphabet.edge(signal, asserted: world.lines.asserted[signal]), &world)
    }

    private func chatter(_ signal: Int, _ world: inout World) -> Violation? {
        if !world.lines.asserted[signal] { world.lines.ineffective[signal] = effects.suppressed[signal] }
        world.lines.chatters[signal] = true
        return feed(alphabet.chatter(signal), &world)
    }

    /// It is quiet again, and has its stable level.
    private func quieten(_ signal: Int, _ world: inout World) -> Violation? {
        world.lines.chatters[signal] = false
        guard !world.lines.asserted[signal] else { return feed(alphabet.quiet(signal), &world) }
        world.lines.begin(SignalSet(signal), suppressed: effects.suppressed)
        return feed(alphabet.quiet(signal), then: alphabet.edge(signal, asserted: false), &world)
    }

    private func ask(_ command: Int, _ world: inout World) -> Violation? {
        switch alphabet.commands[command] {
        case .play: noteWord(plays: true, &world)
        case .playPause: noteWord(plays: sessions[world.session].intent != .playing, &world)
        case .pause, .stop: noteWord(plays: false, &world)
        case .next, .previous, .seek, .volume: break
        }
        return feed(alphabet.command(command), &world)
    }

    private func noteWord(plays: Bool, _ world: inout World) {
        world.userWantsQuiet = !plays
        if plays { world.lines.ineffective.formUnion(world.lines.stuck) }
    }

    private func boot(_ world: inout World) -> Violation? {
        let goesOn = sessions.held(world.lastSaved).intersection(world.lines.asserted)
        world.lines.chatters = []
        world.lines.begin(SignalSet(policy.signals) { _ in true }.subtracting(goesOn), suppressed: effects.suppressed)
        let outcome = bootOutcome(world, from: world.lastSaved)
        world.session = outcome.session
        world.lastSaved = World.none
        switch outcome.observation(interrupted: world.observedInterrupted) {
        case .endedWithoutBegin: return (5, "the boot ends an episode that never began")
        case .beganTwice: break
        case .quiet: world.observedInterrupted = false
        case .interrupted: world.observedInterrupted = true
        }
        return nil
    }

    /// What a boot makes of what is saved, with the lines and the device as they are.
    func bootOutcome(_ world: World, from saved: Int32) -> Sessions.Outcome {
        sessions.boot(
            saved, asserted: world.lines.asserted, deviceIsThere: world.deviceIsThere, late: world.late)
    }

    // MARK: The session

    /// Tells the session of an event, and of another that goes with it.
    private func feed(_ event: Int, then second: Int? = nil, _ world: inout World) -> Violation? {
        let intent = sessions[world.session].intent
        if let violation = tell(event, &world) { return violation }
        if let second, let violation = tell(second, &world) { return violation }
        if intent != .playing, sessions[world.session].intent == .playing, !isUsersPlay(event) {
            return (3, "\(intent) became playing, and no user asked")
        }
        return nil
    }

    private func tell(_ event: Int, _ world: inout World) -> Violation? {
        let outcome = sessions.outcome(world.session, event, late: world.late)
        world.session = outcome.session
        switch outcome.observation(interrupted: world.observedInterrupted) {
        case .beganTwice: return (5, "began twice")
        case .endedWithoutBegin: return (5, "ended without a begin")
        case .quiet: world.observedInterrupted = false
        case .interrupted: world.observedInterrupted = true
        }
        return nil
    }

    private func isUsersPlay(_ event: Int) -> Bool {
        alphabet.events[event] == .command(.play) || alphabet.events[event] == .command(.playPause)
    }
}
