import AudioSession

/// The signals that change what is heard, by what they do to it; in the policy's order.
public struct ActiveSignals: Hashable, Sendable {
    /// They interrupt.
    public var blocking: [SignalID] = []
    /// They turn the programme down.
    public var ducking: [SignalID] = []

    public init() {}

    init(_ session: Session) {
        blocking = session.blocking
        ducking = session.ducking
    }

    /// As the power found them. What is saved means what the session would make of it.
    init(_ saved: SavedSession?, under policy: Policy) {
        var session = Session(policy: policy)
        let lines = policy.signals.map { ($0.id, Boot.Line.unknown) }
        session.handle(
            .boot(Boot(saved: saved, lines: Dictionary(lines) { first, _ in first }, trackCount: 0)), at: .zero)
        self.init(session)
    }

    /// Those that are no longer among the later ones.
    func subtracting(_ later: ActiveSignals) -> ActiveSignals {
        var rest = self
        rest.blocking.removeAll(where: later.blocking.contains)
        rest.ducking.removeAll(where: later.ducking.contains)
        return rest
    }
}
