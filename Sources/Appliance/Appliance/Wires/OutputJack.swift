import Signals

/// The jack of the output: its raw levels in, settled changes out. Pure; the caller passes the time.
struct OutputJack: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case unplugged, plugged
        /// A loose plug: counts as plugged in until it settles.
        case chatters
        case settled
    }

    private var line: Conditioner
    private(set) var isMissing: Bool

    /// - Parameter level: whether something is plugged in; nil if the jack is missing.
    init(level: Bool?, at now: Duration) {
        // A jack that is missing pauses nothing.
        var policy = LinePolicy()
        policy.whenLost = .hold
        policy.stuckAfter = nil
        line = Conditioner(policy: policy, level: level ?? true, at: now)
        isMissing = level == nil
    }

    var isUnplugged: Bool { !isMissing && !line.isAsserted }

    /// When `advance` must be called next; nil: not before the next edge.
    var deadline: Duration? { line.deadline }

    /// - Parameter level: nil if the jack has disappeared.
    mutating func edge(_ level: Bool?, at now: Duration) -> [Change] {
        isMissing = level == nil
        return changes(level.map { line.edge($0, at: now) } ?? line.lost(at: now))
    }

    mutating func advance(to now: Duration) -> [Change] { changes(line.advance(to: now)) }

    /// The system has woken.
    /// - Parameter level: whether something is plugged in; nil if the jack is missing.
    mutating func wake(_ level: Bool?, at now: Duration) -> [Change] {
        isMissing = level == nil
        guard let level else { return changes(line.lost(at: now)) }
        let (isPlugged, outputs) = line.wake(level, at: now)
        return (isPlugged.map { [$0 ? .plugged : .unplugged] } ?? []) + changes(outputs)
    }

    private func changes(_ outputs: [Conditioner.Output]) -> [Change] {
        outputs.compactMap { output in
            switch output {
            case .asserted: .plugged
            case .deasserted: .unplugged
            case .fault(.chatter): .chatters
            case .cleared(.chatter): .settled
            case .fault, .cleared: nil
            }
        }
    }
}
