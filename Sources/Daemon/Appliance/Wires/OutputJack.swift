import Signals

/// The jack of the output: its raw levels in, settled changes out. Pure; the caller passes the time.
struct OutputJack: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case unplugged, plugged
        /// A loose plug: counts as plugged in until it settles.
        case chatters
        case settled
        /// The jack could not be read at the boot, and is empty: nothing was unplugged.
        case empty
    }

    private var line: Conditioner
    private(set) var isMissing: Bool
    /// Whether it has never been read since the boot.
    private var isUnknown: Bool

    // A jack that is missing pauses nothing.
    private static let policy = {
        var policy = LinePolicy()
        policy.whenLost = .hold
        policy.stuckAfter = nil
        return policy
    }()

    /// - Parameters:
    ///   - level: whether something is plugged in; nil if the jack is missing.
    ///   - isBoot: whether nothing is known of before: then an empty jack that is found later was not just unplugged.
    init(level: Bool?, at now: Duration, isBoot: Bool = true) {
        line = Conditioner(policy: Self.policy, level: level ?? true, at: now)
        isMissing = level == nil
        isUnknown = isMissing && isBoot
    }

    var isUnplugged: Bool { !isMissing && !line.isAsserted }

    /// When `advance` must be called next; nil: not before the next edge.
    var deadline: Duration? { line.deadline }

    /// - Parameter level: nil if the jack has disappeared.
    mutating func edge(_ level: Bool?, at now: Duration) -> [Change] {
        isMissing = level == nil
        if isUnknown, let level { return find(level, at: now) }
        return changes { line in level.map { line.edge($0, at: now) } ?? line.lost(at: now) }
    }

    mutating func advance(to now: Duration) -> [Change] { changes { $0.advance(to: now) } }

    /// The system has woken.
    /// - Parameter level: whether something is plugged in; nil if the jack is missing.
    mutating func wake(_ level: Bool?, at now: Duration) -> [Change] {
        isMissing = level == nil
        guard let level else { return changes { $0.lost(at: now) } }
        if isUnknown { return find(level, at: now) }
        return changes { $0.wake(level, at: now).outputs }
    }

    /// The jack is read for the first time.
    private mutating func find(_ level: Bool, at now: Duration) -> [Change] {
        self = OutputJack(level: level, at: now)
        return level ? [] : [.empty]
    }

    private mutating func changes(_ body: (inout Conditioner) -> [Conditioner.Output]) -> [Change] {
        let wasPlugged = line.isAsserted
        let outputs = body(&line)
        var changes = outputs.compactMap { output -> Change? in
            switch output {
            case .fault(.chatter): .chatters
            case .cleared(.chatter): .settled
            case .fault, .cleared, .asserted, .deasserted: nil
            }
        }
        // By the level, because the conditioner also changes it silently: a line that chatters counts as asserted at once.
        if line.isAsserted != wasPlugged { changes.insert(line.isAsserted ? .plugged : .unplugged, at: 0) }
        return changes
    }
}
