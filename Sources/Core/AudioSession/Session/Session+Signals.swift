/// Handles the beginnings, ends and faults of signals (see <doc:Semantics#Signals> and <doc:Semantics#Faulty-signals>).
extension Session {
    mutating func handle(_ edge: Edge, at now: Duration, _ reaction: inout Reaction) {
        guard let signal = index(of: edge.signal, &reaction) else { return }
        if edge.isAsserted {
            begin(signal, at: now, &reaction)
        } else {
            end(signal, at: now, &reaction)
        }
    }

    /// Handles edges that were read together. For each signal, only the last one is used.
    mutating func handle(_ edges: [Edge], at now: Duration, _ reaction: inout Reaction) {
        let last = Dictionary(edges.map { ($0.signal, $0) }) { _, later in later }
        for edge in Edge.inOrder(last.values) { handle(edge, at: now, &reaction) }
    }

    mutating func handle(_ fault: Fault, at now: Duration, _ reaction: inout Reaction) {
        switch fault.subject {
        case .playback: facts.playbackFault = fault.kind
        case .player(let player): setDoubt(.unconfirmed, about: player)
        case .signal(let id): index(of: id, &reaction).map { handle(fault.kind, of: $0, at: now, &reaction) }
        case .sound, .capture, .input, .output: break
        }
    }

    private mutating func handle(
        _ fault: Fault.Kind, of signal: Int, at now: Duration, _ reaction: inout Reaction
    ) {
        facts.signals[signal].insert(fault)
        switch fault {
        case .chatter: begin(signal, at: now, &reaction)  // The signal is treated as asserted until the line is quiet.
        case .stuck: if policy.signals[signal].whenStuck == .release { drop(signal, at: now) }
        // The last effect is held. If the signal is to be released, the conditioner ends it after the grace period of
        // the line.
        case .lost, .wire, .sound, .muted, .quiet, .unconfirmed: break
        }
    }

    mutating func clear(_ fault: Fault, _ reaction: inout Reaction) {
        switch fault.subject {
        case .playback: facts.playbackFault = nil
        case .player(let player): setDoubt(nil, about: player)
        case .signal(let id): index(of: id, &reaction).map { facts.signals[$0].remove(fault.kind) }
        case .sound, .capture, .input, .output: break
        }
    }

    /// Drops the effect of every stuck signal, because a user who sends `play` assumes that the signal is over and that
    /// only its end was lost.
    mutating func dropStuck(at now: Duration) {
        for signal in facts.signals.indices where facts.signals[signal].has(.stuck) { drop(signal, at: now) }
    }

    mutating func begin(_ signal: Int, at now: Duration, _ reaction: inout Reaction) {
        guard facts.signals[signal].standing == nil else { return }
        let policy = policy.signals[signal]
        facts.signals[signal].began = now
        if self.policy.suppresses(policy) {
            facts.signals[signal].standing = .suppressed
            reaction.noOpReasons.append(.suppressed(policy.id))
            return
        }
        facts.signals[signal].standing = .active
        reaction.interrupts(for: self.policy.interruptionReason(of: policy.effect))
        if policy.effect == .checkpoint { reaction.savesUrgently = true }
    }

    mutating func end(_ signal: Int, at now: Duration, _ reaction: inout Reaction) {
        let id = policy.signals[signal].id
        switch facts.signals[signal].standing {
        case nil: reaction.noOpReasons.append(.endWithoutBegin(id))
        case .suppressed?, .dropped?: reaction.noOpReasons.append(.lateEnd(id))
        case .active?: noteRecommendation(of: signal, at: now)
        }
        facts.signals[signal].standing = nil
        facts.signals[signal].isCueDone = false
        facts.signals[signal].began = .zero
        facts.signals[signal].remove(.stuck)  // A signal that ends is not stuck.
    }

    private mutating func drop(_ signal: Int, at now: Duration) {
        guard facts.signals[signal].standing == .active else { return }
        noteRecommendation(of: signal, at: now)
        facts.signals[signal].standing = .dropped
    }

    /// Records the signal if it does not recommend resuming. The end of an episode recommends it only if every
    /// interruption does.
    private mutating func noteRecommendation(of signal: Int, at now: Duration) {
        let signalPolicy = policy.signals[signal]
        guard policy.interruptionReason(of: signalPolicy.effect) != nil else { return }
        if !signalPolicy.recommendsResuming(after: now - facts.signals[signal].began) {
            facts.episode?.recommendsResuming = false
            if facts.episode != nil { facts.discouraging.value.append(signalPolicy.id) }
        }
    }

    private func index(of id: SignalID, _ reaction: inout Reaction) -> Int? {
        let index = policy.signals.firstIndex { $0.id == id }
        if index == nil { reaction.noOpReasons.append(.unknownSignal(id)) }
        return index
    }
}
