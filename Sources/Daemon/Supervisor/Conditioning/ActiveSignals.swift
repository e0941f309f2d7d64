import AudioSession

/// The active signals that silence or duck the music, in the policy's order.
public struct ActiveSignals: Hashable, Sendable {
    /// The signals that interrupt.
    public var blocking: [SignalID] = []
    /// The signals that duck.
    public var ducking: [SignalID] = []

    public init() {}

    init(_ session: Session) {
        blocking = session.blocking
        ducking = session.ducking
    }

    /// Creates the signals that were active when the state was saved, as the session interprets it.
    init(_ saved: SavedSession?, under policy: Policy) {
        var session = Session(policy: policy)
        let lines = policy.signals.map { ($0.id, Boot.Line.unknown) }
        session.handle(
            .boot(Boot(saved: saved, lines: Dictionary(lines) { first, _ in first }, trackCount: 0)), at: .zero)
        self.init(session)
    }

    /// Returns the signals that are not among the later ones.
    func subtracting(_ later: ActiveSignals) -> ActiveSignals {
        var rest = self
        rest.blocking.removeAll(where: later.blocking.contains)
        rest.ducking.removeAll(where: later.ducking.contains)
        return rest
    }
}
