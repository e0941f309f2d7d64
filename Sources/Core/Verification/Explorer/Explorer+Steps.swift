import AudioSession

extension Explorer: StateSpace {
    typealias Violation = (rule: Int, what: String)

    var starts: [ExplorerState] { [ExplorerState()] }

    func list(_ moves: inout [Move], from state: ExplorerState) {
        moves.removeAll(keepingCapacity: true)
        let signals = policy.signals.indices
        if options.contains(.time), !state.late { moves.append(.wait) }
        let repeated = repeated(state)
        guard state.isOn else {
            let held = sessions.held(state.lastSaved)
            for changed in changesWithoutPower {
                let asserted = held.symmetricDifference(changed)
                guard isSorted(asserted, repeated) else { continue }
                for hasDevice in [true, false] { moves.append(.boot(asserted, hasDevice: hasDevice)) }
            }
            return
        }
        for signal in signals where !repeated[signal] { moves.append(.line(Int16(signal))) }
        moves.append(.powerCut)
        func add(_ event: Int) { moves.append(alphabet.move(event)) }
        let mayBeginToChatter =
            options.contains(.chatter)
            || options.contains(.chatterOfOne) && state.lines.chatters.isEmpty
                && !omitsChatter
        let mayGetStuck = state.lines.asserted.intersection(stuck).subtracting(state.lines.stuck)
        for signal in signals where !repeated[signal] {
            if mayGetStuck[signal] { add(alphabet.stuck(signal)) }
            if state.lines.chatters[signal] {
                add(alphabet.quiet(signal))
            } else if mayBeginToChatter {
                add(alphabet.chatter(signal))
            }
        }
        for command in alphabet.commands.indices where canSend(alphabet.commands[command], state) {
            add(alphabet.command(command))
        }
        if sessions[state.session].soundCanEnd { add(alphabet.soundEnded) }
        if state.sounds.pending != 0 { add(alphabet.announcementExpired) }
        add(alphabet.device(isAvailable: !state.deviceIsAvailable, options))
        if !options.contains(.recording) {
            add(alphabet.configurationChanged)
            if !options.contains(.fixedRoute) { add(alphabet.routeLost) }
        }
        if state.delaysEpisode { add(alphabet.episodeElapsed) }
        if state.heldDuck > 0 { add(alphabet.duckElapsed) }
        if !options.contains(.recording), sessions[state.session].directive != .silent {
            add(sessions[state.session].trackEnd)
            // None of its tracks can be played any more.
            if sessions[state.session].hasChoice { add(alphabet.choiceLost) }
        }
    }

    func take(_ move: Move, _ state: inout ExplorerState) -> Violation? {
        let before = state
        defer {
            noteDelays(since: before, &state)
            noteCut(since: before, &state)
            noteBegin(&state)
            sortLines(&state)
        }
        switch move {
        case .wait:
            state.late = true
            state.sounds.accepted = 0
        case .powerCut: cutPower(&state)
        case .boot(let asserted, let hasDevice): return boot(&state, asserted, hasDevice: hasDevice)
        case .line(let signal): return toggle(Int(signal), &state)
        case .event(let event): return take(event: Int(event), &state)
        }
        return nil
    }

    private func take(event: Int, _ state: inout ExplorerState) -> Violation? {
        let signal = alphabet.signal(of: event)
        switch alphabet.events[event] {
        case .fault(let fault) where fault.kind == .stuck:
            state.lines.stuck[signal] = true
            if effects.released[signal] { state.lines.ineffective[signal] = true }
        case .fault: chatter(signal, &state)
        case .cleared: return quieten(signal, &state)
        case .command(let command): note(command, &state)
        case .mediaServicesLost, .captureLost: state.deviceIsAvailable = false
        case .mediaServicesReset, .captureReturned: state.deviceIsAvailable = true
        // If loss and return were separate moves, they would double the number of states for a fact that affects only
        // the notification of the return.
        case .routeLost: return feed(event, then: alphabet.routeBack, &state)
        case .delayElapsed(.episode): state.delaysEpisode = false
        case .delayElapsed(.duck): state.heldDuck = 0
        case .soundEnded:
            switch sessions[state.session].due?.request {
            case .announcement(let id)?: state.sounds.drop(id)
            case .cue(let id)?: effects.index(of: id).map { state.sounds.doneCues[$0] = true }
            case nil: break
            }
        case .announcementExpired:
            let due = sessions[state.session].due?.request
            for id in expiring
            where due != .announcement(id) && state.sounds.isPending(id) && !state.sounds.hasBegun(id) {
                state.sounds.drop(id)
                if let violation = feed(event, &state) { return violation }
            }
            return nil
        default: break
        }
        return feed(event, &state)
    }

    // MARK: Bookkeeping independent of the session

    /// Starts a `ResumeDelay` when the last line stops blocking or ducking, and cancels it when a line blocks or ducks
    /// again.
    private func noteDelays(since before: ExplorerState, _ state: inout ExplorerState) {
        guard policy.resumeDelay > .zero, before.isOn, state.isOn else { return }
        if effects.block(state.lines) {
            state.delaysEpisode = false
        } else if effects.block(before.lines) {
            state.delaysEpisode = true
        }
        if effects.ceiling(state.lines) != nil {
            state.heldDuck = 0
        } else if let ceiling = effects.ceiling(before.lines) {
            state.heldDuck = effects.number(of: ceiling)
        }
    }

    /// Drops an announcement that can expire when it is cut, because it may have expired.
    private func noteCut(since before: ExplorerState, _ state: inout ExplorerState) {
        guard before.isOn, state.isOn, case .announcement(let id)? = sessions[before.session].due?.request,
            sessions[state.session].due?.request != .announcement(id), expiring.contains(id),
            !state.sounds.hasBegun(id)
        else { return }
        state.sounds.drop(id)
    }

    private func toggle(_ signal: Int, _ state: inout ExplorerState) -> Violation? {
        state.lines.asserted[signal].toggle()
        if !state.lines.chatters[signal] { state.sounds.doneCues[signal] = false }
        // The level of a line that chatters is ignored.
        guard !state.lines.chatters[signal] else { return nil }
        state.lines.begin(SignalSet(signal), suppressed: effects.suppressed)
        return feed(alphabet.edge(signal, asserted: state.lines.asserted[signal]), &state)
    }

    private func chatter(_ signal: Int, _ state: inout ExplorerState) {
        if !state.lines.asserted[signal] {
            state.lines.ineffective[signal] = effects.suppressed[signal]
            state.sounds.doneCues[signal] = false
        }
        state.lines.chatters[signal] = true
    }

    /// Handles the end of chatter, after which the line has its stable level again.
    private func quieten(_ signal: Int, _ state: inout ExplorerState) -> Violation? {
        state.lines.chatters[signal] = false
        guard !state.lines.asserted[signal] else { return feed(alphabet.quiet(signal), &state) }
        state.sounds.doneCues[signal] = false
        state.lines.begin(SignalSet(signal), suppressed: effects.suppressed)
        return feed(alphabet.quiet(signal), then: alphabet.edge(signal, asserted: false), &state)
    }

    private func note(_ command: Command, _ state: inout ExplorerState) {
        switch command {
        case .play, .choose, .goTo: noteLastWord(plays: true, &state)
        case .playPause: noteLastWord(plays: sessions[state.session].directive == .silent, &state)
        case .pause, .stop: noteLastWord(plays: false, &state)
        case .next, .previous, .seek, .volume: break
        case .announce(let announcement): noteRequest(of: announcement.id, &state)
        case .hush: (state.sounds.pending, state.sounds.begun) = (0, 0)
        case .record:
            state.userWantsNoRecording = false
            state.pausedRecording = .none
        case .stopRecording: state.userWantsNoRecording = true
        }
    }

    private func noteLastWord(plays: Bool, _ state: inout ExplorerState) {
        state.userWantsQuiet = !plays
        guard plays else { return }
        state.lines.ineffective.formUnion(state.lines.stuck)
        state.silencedPlayback = .none
    }

    /// Discards everything that does not matter without power, so that few states remain.
    private func cutPower(_ state: inout ExplorerState) {
        let saved = sessions[state.session].saved
        state.session = ExplorerState.none
        state.lastSaved = saved
        // Any other signal begins anew if it is asserted on boot.
        let held = sessions.held(saved)
        state.lines = ExplorerState.Lines(
            ineffective: state.lines.ineffective.intersection(held), stuck: state.lines.stuck.intersection(held))
        state.deviceIsAvailable = true
        state.delaysEpisode = false
        state.heldDuck = 0
        state.sounds = ExplorerState.Sounds()
    }

    private func boot(_ state: inout ExplorerState, _ asserted: SignalSet, hasDevice: Bool) -> Violation? {
        state.lines.asserted = asserted
        state.deviceIsAvailable = hasDevice
        let stillAsserted = sessions.held(state.lastSaved).intersection(state.lines.asserted)
        state.lines.begin(
            SignalSet(policy.signals) { _ in true }.subtracting(stillAsserted), suppressed: effects.suppressed)
        let wasInterrupted = state.observedInterrupted
        let wasWanted = sessions.wantsRecording(state.lastSaved)
        let outcome = bootOutcome(state, from: state.lastSaved)
        adopt(outcome, &state)
        state.lastSaved = ExplorerState.none
        if outcome.forgetsToSave { return Explorer.forgottenSave }
        noteEnd(outcome, &state)
        switch outcome.observation(interrupted: state.observedInterrupted) {
        case .endedWithoutBegin: return (5, "the boot ends an episode that never began")
        case .beganTwice: break
        case .quiet: state.observedInterrupted = false
        case .interrupted: state.observedInterrupted = true
        }
        if effects.recordAnyway, wasWanted == true, sessions[state.session].recording == .off {
            return Explorer.endedRecording
        }
        // The boot found an interruption. Otherwise, the music would have played.
        if !wasInterrupted, state.observedInterrupted, sessions[state.session].intent == .playing {
            state.silencedPlayback = .interrupted
        }
        if !effects.recordAnyway, !wasInterrupted, state.observedInterrupted, sessions[state.session].recording != .off
        {
            state.pausedRecording = .interrupted
        }
        return nil
    }

    /// Returns the outcome of a boot from a saved state, with the lines and the device as they are now.
    func bootOutcome(_ state: ExplorerState, from saved: Int32) -> Sessions.Outcome {
        sessions.boot(
            saved, asserted: state.lines.asserted, deviceIsAvailable: state.deviceIsAvailable, late: state.late)
    }

    // MARK: The session

    /// Delivers an event to the session, and a second one if it always follows.
    private func feed(_ event: Int, then second: Int? = nil, _ state: inout ExplorerState) -> Violation? {
        let intent = sessions[state.session].intent
        let recording = sessions[state.session].recording
        if let violation = deliver(event, &state) { return violation }
        if let second, let violation = deliver(second, &state) { return violation }
        if intent != .playing, sessions[state.session].intent == .playing, !isUsersPlay(event) {
            return (3, "\(intent) became playing, although the user did not press play")
        }
        if recording == .off, sessions[state.session].recording != .off, alphabet.events[event] != .command(.record) {
            return (3, "recording became wanted, although the user did not ask for it")
        }
        if effects.recordAnyway, recording != .off, sessions[state.session].recording == .off, !canStopRecording(event)
        {
            return Explorer.endedRecording
        }
        return nil
    }

    private func deliver(_ event: Int, _ state: inout ExplorerState) -> Violation? {
        let outcome = sessions.outcome(state.session, event, late: state.late)
        let played = sessions[state.session].directive != .silent
        let recorded = sessions[state.session].recording == .on
        adopt(outcome, &state)
        if outcome.forgetsToSave { return Explorer.forgottenSave }
        noteEnd(outcome, &state)
        switch outcome.observation(interrupted: state.observedInterrupted) {
        case .beganTwice: return (5, "began twice")
        case .endedWithoutBegin: return (5, "ended without a begin")
        case .quiet: state.observedInterrupted = false
        case .interrupted:
            if !state.observedInterrupted {
                if played { state.silencedPlayback = .interrupted }
                if recorded, !effects.recordAnyway { state.pausedRecording = .interrupted }
            }
            state.observedInterrupted = true
        }
        return nil
    }

    /// Handles the end of an episode. If it does not recommend resuming, the music waits for the user, unless the
    /// device has no controls.
    private func noteEnd(_ outcome: Sessions.Outcome, _ state: inout ExplorerState) {
        guard let resumes = outcome.endResumes else { return }
        let after: ExplorerState.SilencedPlayback = resumes || !policy.hasPlaybackInterface ? .none : .waitsForUser
        if state.silencedPlayback == .interrupted { state.silencedPlayback = after }
        if state.pausedRecording == .interrupted { state.pausedRecording = after }
    }

    private static let endedRecording: Violation = (
        4, "recording is no longer wanted, although the user did not stop it"
    )
    private static let forgottenSave: Violation = (6, "the state changed, and the session did not save it")

    /// Returns true if a recording that interruptions do not affect may end with this event.
    private func canStopRecording(_ event: Int) -> Bool {
        switch alphabet.events[event] {
        case .command(.stopRecording): true
        case .captureReturned: !policy.resumesAfterReset
        default: false
        }
    }

    private func isUsersPlay(_ event: Int) -> Bool {
        switch alphabet.events[event] {
        case .command(.play), .command(.playPause), .command(.choose): true
        default: false
        }
    }
}
