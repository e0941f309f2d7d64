import AudioSession

extension Explorer {
    typealias Violation = (rule: Int, what: String)

    /// Takes a step, and says what rule it broke in doing so.
    func take(_ move: Move, _ world: inout World) -> Violation? {
        let before = world
        defer { noteDelays(since: before, &world) }
        switch move {
        case .wait: world.late = true
        case .powerCut:
            world.lastSaved = sessions[world.session].saved
            world.session = World.none
            world.delaysEpisode = false
            world.heldDuck = 0
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
        case .routeLost: return feed(alphabet.routeLost, then: alphabet.routeBack, &world)
        case .episodeElapsed:
            world.delaysEpisode = false
            return feed(alphabet.episodeElapsed, &world)
        case .duckElapsed:
            world.heldDuck = 0
            return feed(alphabet.duckElapsed, &world)
        case .trackEnded: return feed(sessions[world.session].trackEnd, &world)
        }
        return nil
    }

    // MARK: The world's own bookkeeping

    /// What a `ResumeDelay` makes of lines that block or duck no longer, and of those that do again.
    private func noteDelays(since before: World, _ world: inout World) {
        guard policy.resumeDelay > .zero, before.isOn, world.isOn else { return }
        if effects.block(world.lines) {
            world.delaysEpisode = false
        } else if effects.block(before.lines) {
            world.delaysEpisode = true
        }
        if effects.ceiling(world.lines) != nil {
            world.heldDuck = 0
        } else if let ceiling = effects.ceiling(before.lines) {
            world.heldDuck = effects.number(of: ceiling)
        }
    }

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
        case .playPause: noteWord(plays: sessions[world.session].directive == .silent, &world)
        case .pause, .stop: noteWord(plays: false, &world)
        case .next, .previous, .seek, .volume: break
        }
        return feed(alphabet.command(command), &world)
    }

    private func noteWord(plays: Bool, _ world: inout World) {
        world.userWantsQuiet = !plays
        guard plays else { return }
        world.lines.ineffective.formUnion(world.lines.stuck)
        world.silencedProgramme = .none
    }

    private func boot(_ world: inout World) -> Violation? {
        let goesOn = sessions.held(world.lastSaved).intersection(world.lines.asserted)
        world.lines.chatters = []
        world.lines.begin(SignalSet(policy.signals) { _ in true }.subtracting(goesOn), suppressed: effects.suppressed)
        let wasInterrupted = world.observedInterrupted
        let outcome = bootOutcome(world, from: world.lastSaved)
        world.session = outcome.session
        world.lastSaved = World.none
        if outcome.forgetsToSave { return Explorer.forgottenSave }
        noteEnd(outcome, &world)
        switch outcome.observation(interrupted: world.observedInterrupted) {
        case .endedWithoutBegin: return (5, "the boot ends an episode that never began")
        case .beganTwice: break
        case .quiet: world.observedInterrupted = false
        case .interrupted: world.observedInterrupted = true
        }
        // It would have played.
        if !wasInterrupted, world.observedInterrupted, sessions[world.session].intent == .playing {
            world.silencedProgramme = .interrupted
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
        let played = sessions[world.session].directive != .silent
        world.session = outcome.session
        if outcome.forgetsToSave { return Explorer.forgottenSave }
        noteEnd(outcome, &world)
        switch outcome.observation(interrupted: world.observedInterrupted) {
        case .beganTwice: return (5, "began twice")
        case .endedWithoutBegin: return (5, "ended without a begin")
        case .quiet: world.observedInterrupted = false
        case .interrupted:
            if !world.observedInterrupted, played { world.silencedProgramme = .interrupted }
            world.observedInterrupted = true
        }
        return nil
    }

    /// An end that does not recommend resuming leaves it to the user, unless the appliance has no controls.
    private func noteEnd(_ outcome: Sessions.Outcome, _ world: inout World) {
        guard let resumes = outcome.endResumes, world.silencedProgramme == .interrupted else { return }
        world.silencedProgramme = resumes || !policy.hasPlaybackInterface ? .none : .waitsForUser
    }

    private static let forgottenSave: Violation = (6, "the state changed, and the session did not save it")

    private func isUsersPlay(_ event: Int) -> Bool {
        alphabet.events[event] == .command(.play) || alphabet.events[event] == .command(.playPause)
    }
}
