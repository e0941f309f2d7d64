import AudioSession

/// The bookkeeping of a `SourceExplorer`.
extension SourceExplorer {
    func take(_ move: SourceMove, _ state: inout SourceState) -> Violation? {
        var session = session(state)
        let before = session
        var actions: [Action]
        switch move {
        case .input(let input):
            state.sounds[input].toggle()
            let begins = state.sounds[input]
            if input == roles.page { turn(roles.pageSignals, &state) }
            let id = policy.inputs[input].id
            actions = deliver(begins ? .inputBegan(id) : .inputCeased(id), &session)
            noteInterruption(actions, &state)
            // The user has started it, unless the user has just paused it.
            if begins, input == roles.programme, !state.quiet[.programme] { play(.programme, &state) }
        case .line(let line):
            turn(SignalSet(line), &state)
            let edge = Edge(policy.signals[line].id, asserted: state.lines.asserted[line])
            actions = deliver(.edge(edge), &session)
            noteInterruption(actions, &state)
        case .command(let index):
            let command = Self.commands[index]
            note(command, before, &state)
            actions = deliver(.command(Self.commands[index]), &session)
        case .device:
            state.deviceIsAvailable.toggle()
            actions = deliver(state.deviceIsAvailable ? .mediaServicesReset : .mediaServicesLost, &session)
        case .player(let player, let report):
            let isStopped = state.players.stopped[player]
            state.players.report(report, of: player)
            if report == .playing, isStopped { play(owner(of: player), &state) }
            actions = deliver(.player(policy.players[player], report), &session)
        case .restart(let arrivals):
            actions = restart(&session, &state, arrivals: arrivals)
            if let violation = restartViolation(before, session, state, arrivals) { return violation }
        }
        for case .player(let player, .pause) in actions { _ = deliver(.playerFound(player, .paused), &session) }
        state.session = number(of: session)
        return obey(actions, &state) ?? settlePlayers(session, &state)
    }

    /// Lets the players do what the session orders, which they confirm at once.
    private func obey(_ actions: [Action], _ state: inout SourceState) -> Violation? {
        for case .player(let id, let command) in actions {
            guard let player = policy.players.firstIndex(of: id) else { continue }
            switch command {
            case .pause:
                state.players.playing[player] = false
                state.players.kept[player] = true
            case .play:
                if let violation = resumption(of: player, state) { return violation }
                state.players.playing[player] = true
                state.players.kept[player] = false
            case .next, .previous, .seek: break
            }
        }
        return nil
    }

    /// Checks that the players in whose place nothing else is heard have been resumed or released.
    private func settlePlayers(_ session: Session, _ state: inout SourceState) -> Violation? {
        for player in policy.players.indices where !isHeld(player, state) {
            if state.players.kept[player], !state.players.stopped[player] {
                guard state.players.pausedByWord[player] else {
                    return (16, "\(policy.players[player]) is kept paused for no reason")
                }
                state.players.kept[player] = false
            }
            state.players.pausedByWord[player] = false
        }
        return nil
    }

    /// Returns true if something else is heard in the player's place.
    func isHeld(_ player: Int, _ state: SourceState) -> Bool {
        if effects.block(state.lines) { return true }
        return player == roles.free && (state.sounds[roles.programme] || state.sounds[roles.automatic])
    }

    /// The owner whose last word decides about a player.
    func owner(of player: Int) -> SourceOwner { player == roles.connected ? .programme : .library }

    private func turn(_ signals: SignalSet, _ state: inout SourceState) {
        state.lines.asserted.formSymmetricDifference(signals)
        state.lines.begin(signals, suppressed: effects.suppressed)
    }

    /// The owner of the source that should be selected.
    func owner(in state: SourceState) -> SourceOwner { state.sounds[roles.programme] ? .programme : .library }

    private func note(_ command: Command, _ before: Session, _ state: inout SourceState) {
        let owner = owner(in: state)
        switch command {
        case .play: play(owner, &state)
        case .playPause where before.directive == .silent: play(owner, &state)
        default:
            // A pause of what is stopped has no effect, but it is the user's last word.
            let isIgnored = command == .pause && before.intent == .stopped
            state.silence(owner, players: players(of: owner), connected: isIgnored ? nil : roles.connected)
        }
    }

    private func play(_ owner: SourceOwner, _ state: inout SourceState) {
        state.play(owner, players: players(of: owner))
    }

    private func players(of owner: SourceOwner) -> [Int] {
        [roles.connected, roles.free].compactMap(\.self).filter { self.owner(of: $0) == owner }
    }

    private func noteInterruption(_ actions: [Action], _ state: inout SourceState) {
        for case .post(let notification) in actions {
            switch notification {
            case .began:
                // A boot repeats it.
                if !state.observedInterrupted { (state.played, state.paused) = (OwnerFlags(), OwnerFlags()) }
                state.observedInterrupted = true
            case .ended(let options):
                let isFinal = policy.hasPlaybackInterface && !options.contains(.shouldResume)
                for owner in SourceOwner.allCases where isFinal && !state.played[owner] {
                    endPlayback(of: owner, &state)
                }
                releasePlayers(&state)
                state.observedInterrupted = false
                (state.played, state.paused) = (OwnerFlags(), OwnerFlags())
            default: break
            }
        }
    }

    /// Handles the end of an episode that does not recommend resuming.
    private func endPlayback(of owner: SourceOwner, _ state: inout SourceState) {
        if owner == .programme, state.wants(owner), let player = roles.connected { state.stop(player) }
        state.waits[owner] = true
        for player in players(of: owner) where !state.players.stopped[player] { state.players.kept[player] = false }
    }

    /// Releases the players at the end of an episode whose owners have been paused in it.
    private func releasePlayers(_ state: inout SourceState) {
        for player in policy.players.indices
        where state.paused[owner(of: player)] && !state.players.stopped[player] {
            state.players.kept[player] = false
        }
    }

    /// Restarts the session from its saved state.
    private func restart(_ session: inout Session, _ state: inout SourceState, arrivals: IndexSet) -> [Action] {
        let isKept = state.players.kept[roles.connected]
        let sounded = state.sounds
        var boot = Boot(saved: session.saved, trackCount: Self.trackCount)
        boot.servicesAvailable = state.deviceIsAvailable
        for player in policy.players.indices {
            boot.players[policy.players[player]] = state.players.found(player)
            // Only what concerns a player that is kept paused is saved.
            if !state.players.kept[player] { state.players.pausedByWord[player] = false }
        }
        for input in policy.inputs.indices {
            if arrivals[input], input != roles.page { boot.arrivals.insert(policy.inputs[input].id) }
            guard arrivals[input] != sounded[input] else { continue }
            if input == roles.page { turn(roles.pageSignals, &state) }
        }
        for signal in policy.signals.indices {
            boot.lines[policy.signals[signal].id] = state.lines.asserted[signal] ? .asserted : .deasserted
        }
        state.sounds = arrivals
        // What Tacet keeps paused goes on counting as sounding.
        if let programme = roles.programme, sounded[programme], isKept { state.sounds[programme] = true }
        session = Session(policy: policy)
        let actions = deliver(.boot(boot), &session)
        noteInterruption(actions, &state)
        if let programme = roles.programme, !(sounded[programme] && state.sounds[programme]) {
            // Its intent stays, but it begins anew when it next sounds.
            if state.quiet[.programme] { state.waits[.programme] = true }
            state.quiet[.programme] = false
            if state.sounds[programme] { play(.programme, &state) }
        }
        return actions
    }
}
