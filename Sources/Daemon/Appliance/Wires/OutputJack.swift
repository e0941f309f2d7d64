import Signals

/// Converts the raw levels of the output's jack to settled changes. The type is pure, so the caller passes the time.
struct OutputJack: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case unplugged, plugged
        /// The plug is loose, and is treated as plugged in until it settles.
        case chatters
        case settled
        /// The jack could not be read at the boot and is empty, so nothing was unplugged.
        case empty
    }

    private var line: Conditioner
    private(set) var isMissing: Bool
    /// True if it has never been read since the boot.
    private var isUnknown: Bool

    // A missing jack does not pause anything.
    private static let policy = {
        var policy = LinePolicy()
        policy.whenLost = .hold
        policy.stuckAfter = nil
        return policy
    }()

    /// - Parameters:
    ///   - level: True if something is plugged in, or nil if the jack is missing.
    ///   - isBoot: True if nothing is known about the time before. In this case, an empty jack that is found later was
    ///     not just unplugged.
    init(level: Bool?, at now: Duration, isBoot: Bool = true) {
        line = Conditioner(policy: Self.policy, level: level ?? true, at: now)
        isMissing = level == nil
        isUnknown = isMissing && isBoot
    }

    var isUnplugged: Bool { !isMissing && !line.isAsserted }

    /// The time at which `advance` must be called next, or nil if that is not necessary before the next level change.
    var deadline: Duration? { line.deadline }

    /// - Parameter level: True if something is plugged in, or nil if the jack has disappeared.
    mutating func level(_ level: Bool?, at now: Duration) -> [Change] {
        isMissing = level == nil
        if isUnknown, let level { return find(level, at: now) }
        return changes { $0.level(level, at: now) }
    }

    mutating func advance(to now: Duration) -> [Change] { changes { $0.advance(to: now) } }

    /// Handles the end of a sleep.
    /// - Parameter level: True if something is plugged in, or nil if the jack is missing.
    mutating func wake(_ level: Bool?, at now: Duration) -> [Change] {
        isMissing = level == nil
        guard let level else { return changes { $0.lost(at: now) } }
        if isUnknown { return find(level, at: now) }
        return changes { $0.wake(level, at: now).outputs }
    }

    /// Handles the first reading of the jack.
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
        // The level determines this, because the conditioner also changes it without an output. A line that chatters is
        // treated as asserted at once.
        if line.isAsserted != wasPlugged { changes.insert(line.isAsserted ? .plugged : .unplugged, at: 0) }
        return changes
    }
}
