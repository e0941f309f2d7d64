/// Begins, ends and faults of signals (contract, sections 2, 3 and 6).
extension Session {
    mutating func handle(_ edge: Edge, at now: Duration, _ reaction: inout Reaction) {
        guard let signal = index(of: edge.signal, &reaction) else { return }
        if edge.isAsserted {
            begin(signal, at: now, &reaction)
        } else {
            end(signal, at: now, &reaction)
        }
    }

    /// Levels that were read together: of each signal only the last one was there to stay.
    mutating func handle(_ edges: [Edge], at now: Duration, _ reaction: inout Reaction) {
        let last = Dictionary(edges.map { ($0.signal, $0) }) { _, later in later }
        for edge in Edge.inOrder(last.values) { handle(edge, at: now, &reaction) }
    }

    mutating func handle(_ fault: Fault, at now: Duration, _ reaction: inout Reaction) {
        guard let signal = index(of: fault.signal, &reaction) else { return }
        facts.signals[signal].insert(fault.kind)
        switch fault.kind {
        case .chatter: begin(signal, at: now, &reaction)  // It counts as asserted until it is quiet.
        case .stuck: if policy.signals[signal].whenStuck == .release { drop(signal, at: now) }
        case .lost: break  // Its last effect is held; conditioning ends it after its grace, if it is to be released.
        }
    }

    mutating func clear(_ fault: Fault, _ reaction: inout Reaction) {
        guard let signal = index(of: fault.signal, &reaction) else { return }
        facts.signals[signal].remove(fault.kind)
    }

    /// Drops the effect of whatever is stuck: a user's `play` says that the begin was an orphan.
    mutating func dropStuck(at now: Duration) {
        for signal in facts.signals.indices where facts.signals[signal].has(.stuck) { drop(signal, at: now) }
    }

    mutating func begin(_ signal: Int, at now: Duration, _ reaction: inout Reaction) {
        guard facts.signals[signal].standing == nil else { return }
        let policy = policy.signals[signal]
        facts.signals[signal].began = now
        if self.policy.suppresses(policy) {
            facts.signals[signal].standing = .suppressed
            reaction.remarks.append(.suppressed(policy.id))
            return
        }
        facts.signals[signal].standing = .inForce
        reaction.interrupts(for: self.policy.interruptionReason(of: policy.effect))
        if policy.effect == .checkpoint { reaction.savesUrgently = true }
    }

    mutating func end(_ signal: Int, at now: Duration, _ reaction: inout Reaction) {
        let id = policy.signals[signal].id
        switch facts.signals[signal].standing {
        case nil: reaction.remarks.append(.endWithoutBegin(id))
        case .suppressed?, .dropped?: reaction.remarks.append(.lateEnd(id))
        case .inForce?: takeAdvice(of: signal, at: now)
        }
        facts.signals[signal].standing = nil
        facts.signals[signal].began = .zero
        facts.signals[signal].remove(.stuck)  // It was seen deasserted.
    }

    private mutating func drop(_ signal: Int, at now: Duration) {
        guard facts.signals[signal].standing == .inForce else { return }
        takeAdvice(of: signal, at: now)
        facts.signals[signal].standing = .dropped
    }

    /// An interruption that is over recommends resuming, or does not; the episode's end says so only if all do.
    private mutating func takeAdvice(of signal: Int, at now: Duration) {
        let signalPolicy = policy.signals[signal]
        guard policy.interruptionReason(of: signalPolicy.effect) != nil else { return }
        if !signalPolicy.recommendsResuming(after: now - facts.signals[signal].began) {
            facts.episode?.recommendsResuming = false
        }
    }

    private func index(of id: SignalID, _ reaction: inout Reaction) -> Int? {
        let index = policy.signals.firstIndex { $0.id == id }
        if index == nil { reaction.remarks.append(.unknownSignal(id)) }
        return index
    }
}
