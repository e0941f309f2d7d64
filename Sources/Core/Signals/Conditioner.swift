/// Turns the raw levels of one line into a signal that can be believed: pure, and told the time.
///
/// Feed it edges (`edge`, `lost`) and let the time pass (`advance`) at each `deadline` at the latest; both
/// answer what became of the signal. Instants are on any clock that does not go back.
public struct Conditioner: Hashable, Sendable {
    /// What became of the signal.
    public enum Output: Hashable, Sendable {
        case asserted, deasserted
        case fault(Fault)
        case cleared(Fault)
    }

    public enum Fault: Hashable, Sendable {
        /// It counts as asserted (without an `asserted`) until it has been quiet for the window.
        case chatter
        case stuck
        case lost
    }

    public private(set) var policy: LinePolicy
    /// The signal, as it counts.
    public private(set) var isAsserted: Bool
    /// The line's level, as far as it is known: whether it says asserted.
    private var raw: Bool
    /// When the raw level will count, if it does not yet.
    private var settles: Duration?
    /// When a deassertion that has settled will count.
    private var releases: Duration?
    private var assertedSince: Duration?
    private var isStuck: Bool
    private var isLost: Bool
    /// When `whenLost` applies; nil if it has already, or the line is not lost.
    private var lostUntil: Duration?
    private var chatter: ChatterDetector

    /// A signal whose level was read at the start, which counts at once. If the saved state has the signal asserted, it
    /// is still the same assertion, and the end of one that was active takes effect `releaseDelay` after the reading.
    ///
    /// - Parameters:
    ///   - level: the electrical level; nil if it cannot be read. Then the saved assertion is held for `lostGrace`;
    ///     without one `WhenLost.assert` applies at once.
    ///   - now: the time of the reading.
    ///   - held: the assertion in the saved state; nil if the signal was deasserted.
    public init(policy: LinePolicy, level: Bool?, at now: Duration, held: HeldAssertion? = nil) {
        self.policy = policy
        raw = level.map { $0 != policy.isActiveLow } ?? (held != nil || policy.whenLost == .assert)
        let isReleasing = !raw && held?.isActive == true && policy.releaseDelay > .zero
        isAsserted = raw || isReleasing
        releases = isReleasing ? now + policy.releaseDelay : nil
        assertedSince = isAsserted ? held?.since ?? now : nil
        isStuck = isAsserted && held?.isStuck == true
        isLost = level == nil
        lostUntil = isLost ? now + policy.lostGrace : nil
        chatter = ChatterDetector(limit: policy.chatterLimit, window: policy.chatterWindow)
    }

    /// Applies another policy from now on. Deadlines that are already running stay as they are; a lost line whose
    /// grace has elapsed follows the new `whenLost` at once.
    ///
    /// - Precondition: the same level means asserted.
    public mutating func adopt(_ policy: LinePolicy, at now: Duration) {
        precondition(policy.isActiveLow == self.policy.isActiveLow)
        if isLost, lostUntil == nil, policy.whenLost != self.policy.whenLost { lostUntil = now }
        self.policy = policy
        chatter.limit = policy.chatterLimit
        chatter.window = policy.chatterWindow
    }

    /// What is wrong with the line, until it clears.
    public var faults: [Fault] {
        (chatter.isChattering ? [.chatter] : []) + (isStuck ? [.stuck] : []) + (isLost ? [.lost] : [])
    }

    /// The release that takes effect later, unless the line asserts again; nil if there is none.
    public var pendingRelease: PendingRelease? {
        releases.map { PendingRelease(since: $0 - policy.releaseDelay, until: $0) }
    }

    /// When something will happen by itself, if nothing happens before; nil when nothing will.
    public var deadline: Duration? {
        [settles, releases, chatter.quietAt, stuckAt, lostUntil].compactMap { $0 }.min()
    }

    /// The line has this electrical level now.
    ///
    /// - Returns: what became of the signal at once; levels that have to settle come by `advance`.
    public mutating func edge(_ level: Bool, at now: Duration) -> [Output] {
        var outputs = advance(before: now)
        let asserted = level != policy.isActiveLow
        guard asserted != raw || isLost else { return outputs }
        outputs += foundAgain()
        guard asserted != raw else { return outputs }
        raw = asserted
        if chatter.edge(at: now) {
            settles = nil
            releases = nil
            outputs.append(.fault(.chatter))
            if !isAsserted { become(asserted: true, at: now) }
        } else if !chatter.isChattering {
            settles = now + policy.debounce
            if policy.debounce == .zero { outputs += settle(at: now) }
        }
        return outputs
    }

    /// The line or its chip is gone.
    public mutating func lost(at now: Duration) -> [Output] {
        var outputs = advance(before: now)
        guard !isLost else { return outputs }
        isLost = true
        lostUntil = now + policy.lostGrace
        settles = nil
        releases = nil
        raw = isAsserted
        if chatter.isChattering { outputs.append(.cleared(.chatter)) }
        chatter.reset()
        return outputs + [.fault(.lost)]
    }

    /// Takes the signal as conditioned already: the line has had this level for long.
    public mutating func force(asserted: Bool, at now: Duration) -> [Output] {
        let due = advance(before: now)
        var cleared = foundAgain()
        if chatter.isChattering { cleared.append(.cleared(.chatter)) }
        chatter.reset()
        raw = asserted
        settles = nil
        releases = nil
        return due + change(to: asserted, at: now) + cleared
    }

    /// The system was asleep until now, and this is the line's electrical level: as at a start, an assertion counts at
    /// once, and a deassertion `ReleaseDelay` from now. What was due meanwhile has not happened yet.
    ///
    /// - Returns: what the signal has become at once, nil if it has not changed; and what else there is to report.
    public mutating func wake(_ level: Bool, at now: Duration) -> (isAsserted: Bool?, outputs: [Output]) {
        let outputs = foundAgain()
        let asserted = level != policy.isActiveLow
        let wasRaw = raw
        raw = asserted
        guard !chatter.isChattering else { return (nil, outputs) }
        if asserted {
            settles = nil
            releases = nil
            guard !isAsserted else { return (nil, outputs) }
            become(asserted: true, at: now)
            return (true, outputs)
        }
        guard isAsserted else {
            settles = nil
            return (nil, outputs)
        }
        // A deassertion from before the sleep keeps its time.
        guard wasRaw else { return (nil, outputs) }
        settles = nil
        guard policy.releaseDelay == .zero else {
            releases = releases ?? now + policy.releaseDelay
            return (nil, outputs)
        }
        let ended = change(to: false, at: now)
        return (false, outputs + ended.filter { $0 != .deasserted })
    }

    /// Lets the time pass, up to and including `now`.
    public mutating func advance(to now: Duration) -> [Output] {
        var outputs: [Output] = []
        while let deadline, deadline <= now { outputs += pass(deadline) }
        return outputs
    }

    /// What was due before an edge that is read late has happened first.
    private mutating func advance(before now: Duration) -> [Output] {
        var outputs: [Output] = []
        while let deadline, deadline < now { outputs += pass(deadline) }
        return outputs
    }

    /// What happens at a deadline. Levels come before the faults that depend on them.
    private mutating func pass(_ deadline: Duration) -> [Output] {
        if settles == deadline { return settle(at: deadline) }
        if releases == deadline {
            releases = nil
            return change(to: false, at: deadline)
        }
        if chatter.quietAt == deadline { return endChatter(at: deadline) }
        if lostUntil == deadline {
            lostUntil = nil
            guard policy.whenLost != .hold else { return [] }
            raw = policy.whenLost == .assert
            return change(to: raw, at: deadline)
        }
        isStuck = true
        return [.fault(.stuck)]
    }

    /// The line has been quiet for the window. Its level now counts as any other: after `debounce` and `releaseDelay`.
    private mutating func endChatter(at now: Duration) -> [Output] {
        let stableAt = chatter.lastEdge.map { $0 + policy.debounce } ?? now
        chatter.reset()
        if stableAt > now {
            settles = stableAt
            return [.cleared(.chatter)]
        }
        return [.cleared(.chatter)] + settle(at: now)
    }

    private mutating func settle(at now: Duration) -> [Output] {
        settles = nil
        if raw {
            releases = nil
            return change(to: true, at: now)
        }
        guard isAsserted else { return [] }
        if policy.releaseDelay == .zero { return change(to: false, at: now) }
        // An assertion too short to count has not held the release up either.
        releases = releases ?? now + policy.releaseDelay
        return []
    }

    private mutating func change(to asserted: Bool, at now: Duration) -> [Output] {
        guard asserted != isAsserted else { return [] }
        let wasStuck = isStuck
        become(asserted: asserted, at: now)
        return asserted ? [.asserted] : [.deasserted] + (wasStuck ? [.cleared(.stuck)] : [])
    }

    private mutating func become(asserted: Bool, at now: Duration) {
        isAsserted = asserted
        assertedSince = asserted ? now : nil
        isStuck = false
    }

    private mutating func foundAgain() -> [Output] {
        guard isLost else { return [] }
        isLost = false
        lostUntil = nil
        return [.cleared(.lost)]
    }

    private var stuckAt: Duration? {
        guard let stuckAfter = policy.stuckAfter, let assertedSince, !isStuck else { return nil }
        return assertedSince + stuckAfter
    }
}

/// An assertion that the saved state holds across a power cut.
public struct HeldAssertion: Hashable, Sendable {
    /// When it began, on the clock of the start.
    public var since: Duration
    /// Whether the fault `stuck` had been found.
    public var isStuck: Bool
    /// Whether it had an effect when the power failed: neither suppressed nor dropped as stuck.
    public var isActive: Bool

    public init(since: Duration, isStuck: Bool = false, isActive: Bool = true) {
        self.since = since
        self.isStuck = isStuck
        self.isActive = isActive
    }
}

/// A deassertion that has settled, and takes effect when `ReleaseDelay` is over.
public struct PendingRelease: Hashable, Sendable {
    /// When the line was released.
    public let since: Duration
    /// When that takes effect.
    public let until: Duration

    public init(since: Duration, until: Duration) {
        self.since = since
        self.until = until
    }
}
