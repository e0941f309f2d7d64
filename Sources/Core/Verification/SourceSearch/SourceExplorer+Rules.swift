import AudioSession

/// The rules that a `SourceExplorer` checks.
extension SourceExplorer {
    /// Returns the rule that a state breaks, and how, or nil if all rules hold.
    func violation(in state: SourceState) -> Violation? {
        let session = session(state)
        let blocks = effects.block(state.lines)
        if session.source != expectedSource(state) {
            return (15, "\(session.source) is selected instead of \(expectedSource(state))")
        }
        let owner = owner(in: state)
        switch session.directive {
        case .play(let level):
            if blocks { return (1, "\(session.source) plays while something blocks") }
            let ceiling = effects.loudest(state.lines)
            if level > ceiling { return (2, "\(session.source) plays at \(level) dB while ducked to \(ceiling) dB") }
            if state.quiet[owner] { return (3, "\(session.source) plays although the user has paused or stopped it") }
            if state.waits[owner] {
                return (14, "\(session.source) plays after an end without shouldResume, and the user has not played")
            }
            if let due = session.dueSound, let ceiling = effects.ceiling(of: due), level > ceiling {
                return (9, "\(session.source) plays at \(level) dB while \(due.sound) requires \(ceiling) dB")
            }
        case .silent:
            if !blocks, state.wants(owner), state.deviceIsAvailable, !effects.pauses(session.dueSound) {
                return (4, "\(session.source) is silent, though nothing interrupts it and the user wants it")
            }
        }
        if state.observedInterrupted != blocks {
            return (5, blocks ? "something blocks, and no interruption began" : "an interruption has not ended")
        }
        if !canPlayAgain(session, state) { return (4, "a dead end: no play command brings \(session.source) back") }
        return playerViolation(state)
    }

    /// The source that should be selected.
    private func expectedSource(_ state: SourceState) -> Source {
        let inputs = [roles.programme, roles.automatic].compactMap(\.self)
        return inputs.first { state.sounds[$0] }.map { .input(policy.inputs[$0].id) } ?? .library
    }

    /// Returns true if the source plays at full level after everything has been deasserted, the device has become
    /// available and the user has sent `play`.
    private func canPlayAgain(_ session: Session, _ state: SourceState) -> Bool {
        var session = session
        for line in roles.lines where state.lines.asserted[line] {
            _ = deliver(.edge(Edge(policy.signals[line].id, asserted: false)), &session)
        }
        if let page = roles.page, state.sounds[page] { _ = deliver(.inputCeased(policy.inputs[page].id), &session) }
        if !state.deviceIsAvailable { _ = deliver(.mediaServicesReset, &session) }
        _ = deliver(.command(.play), &session)
        return session.directive == .play(.full)
    }

    private func playerViolation(_ state: SourceState) -> Violation? {
        for player in policy.players.indices where state.players.playing[player] {
            let id = policy.players[player]
            if isHeld(player, state) { return (16, "\(id) plays although something else takes its place") }
            if state.players.stopped[player] { return (16, "\(id) plays although the user has paused it") }
        }
        return nil
    }

    /// Returns how an order to resume a player breaks a rule, or nil if it does not.
    func resumption(of player: Int, _ state: SourceState) -> Violation? {
        let id = policy.players[player]
        if !state.players.kept[player] { return (16, "\(id) is resumed, although Tacet does not keep it paused") }
        let isPaused = state.players.stopped[player] || state.players.pausedByWord[player]
        return isPaused ? (16, "\(id) is resumed, although nobody has played it") : nil
    }

    /// Checks that a restart with the same lines and inputs gives the same directive.
    func restartViolation(
        _ before: Session, _ after: Session, _ state: SourceState, _ arrivals: IndexSet
    ) -> Violation? {
        let sounded = policy.inputs.indices.allSatisfy { before.isSounding(policy.inputs[$0].id) == arrivals[$0] }
        guard sounded, before.directive != after.directive else { return nil }
        return (
            6, "\(before.directive) before a power cut, \(after.directive) after it, with the same lines and inputs"
        )
    }
}
