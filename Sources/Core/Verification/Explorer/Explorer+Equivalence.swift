import AudioSession

extension Explorer {
    /// True if states with a line that chatters are equivalent to states without.
    var omitsChatter: Bool { coverage == .oneOfEquivalentStates }

    /// Replaces a session by the one that represents it. The signals exchange their states accordingly.
    func adopt(_ outcome: Sessions.Outcome, _ state: inout ExplorerState) {
        state.session = outcome.session
        if outcome.exchange != 0 { state.lines.exchange(by: sessions.exchange(outcome.exchange)) }
    }

    /// Sorts the lines of signals that are treated alike and whose states in the session are equal.
    func sortLines(_ state: inout ExplorerState) {
        guard !symmetry.followers.isEmpty else { return }
        let repeated = sessions.repeated(state)
        for start in repeated.members {
            var signal = start
            while repeated[signal], state.lines.rank(signal) < state.lines.rank(symmetry.before[signal]) {
                state.lines.swap(signal, symmetry.before[signal])
                signal = symmetry.before[signal]
            }
        }
    }

    /// Returns the signals that are in the same state as the nearest signal before them that is treated alike.
    func repeated(_ state: ExplorerState) -> SignalSet {
        guard !symmetry.followers.isEmpty else { return [] }
        var repeated = sessions.repeated(state)
        for signal in repeated.members where state.lines.rank(signal) != state.lines.rank(symmetry.before[signal]) {
            repeated[signal] = false
        }
        return repeated
    }

    /// Returns true unless another set of as many signals in the same states represents this one.
    func isSorted(_ signals: SignalSet, _ repeated: SignalSet) -> Bool {
        repeated.members.allSatisfy { !signals[symmetry.before[$0]] || signals[$0] }
    }

    // MARK: Checks of the equivalence

    /// Checks that the session treats a signal whose line chatters as asserted, so that states with chatter need not be
    /// visited. Since the number of sessions grows fast with the number of asserted signals, this is checked only while
    /// few of them are asserted.
    func chatterDifference(_ state: ExplorerState) -> Violation? {
        guard omitsChatter, options.contains(.chatterOfOne),
            state.lines.asserted.count <= Explorer.maximumAssertedDuringChatter
        else { return nil }
        let repeated = repeated(state)
        for signal in policy.signals.indices where !repeated[signal] {
            let isAsserted = state.lines.asserted[signal]
            guard sessions.ignoresChatter(of: signal, isAsserted: isAsserted, state.session, late: state.late) else {
                return (0, "the session distinguishes chatter from an asserted line")
            }
        }
        return nil
    }

    private static let maximumAssertedDuringChatter = 3

    /// Returns the violation to which a path of an exploration of equivalent states leads if no state represents
    /// another, or nil if it does not lead to a violation. In that case, the states were not equivalent.
    ///
    /// - Parameter merged: the explorer that found the path.
    func violation(
        _ found: Violation, _ path: StateSearch<Explorer>.Path, of merged: Explorer
    ) -> ExplorationReport.Violation? {
        var state = starts[0]
        var actual: StateSearch<Explorer>.Path = []
        for (from, move) in path {
            var expected = from
            let expectedRule = merged.take(move, &expected)?.rule
            let step = candidates(for: move, state).lazy.compactMap { candidate -> (Move, ExplorerState, Violation?)? in
                var successor = state
                let violation = take(candidate, &successor)
                guard violation?.rule == expectedRule else { return nil }
                guard violation != nil || merged.represents(expected, successor, of: self) else { return nil }
                return (candidate, successor, violation)
            }.first
            guard let (move, successor, violation) = step else { return nil }
            actual.append((state, move))
            if let violation { return self.violation(violation, actual) }
            state = successor
        }
        guard let violation = violation(in: state), violation.rule == found.rule else { return nil }
        return self.violation(violation, actual)
    }

    /// Returns the moves that another move may represent.
    private func candidates(for move: Move, _ state: ExplorerState) -> [Move] {
        switch move {
        case .boot(_, let hasDevice):
            return changesWithoutPower.map { Move.boot($0, hasDevice: hasDevice) }
        case .line: return policy.signals.indices.map { .line(Int16($0)) }
        case .event(let event):
            guard case .fault(let fault) = alphabet.events[Int(event)], fault.kind == .stuck else { return [move] }
            return state.lines.asserted.intersection(stuck).subtracting(state.lines.stuck).members.map {
                alphabet.move(alphabet.stuck($0))
            }
        case .powerCut, .wait: return [move]
        }
    }

    /// Returns true if a state represents a state of another explorer. States without power are not compared.
    private func represents(_ state: ExplorerState, _ other: ExplorerState, of explorer: Explorer) -> Bool {
        guard other.isOn else { return !state.isOn }
        return state.isOn && representative(of: other, of: explorer) == state
    }

    /// Returns the state that represents a state of another explorer, in which the power is on.
    func representative(of state: ExplorerState, of explorer: Explorer) -> ExplorerState {
        var representative = state
        let (session, exchange) = sessions.representative(of: explorer.sessions.session(state.session))
        adopt(Sessions.Outcome(session: session, exchange: exchange), &representative)
        sortLines(&representative)
        return representative
    }
}
