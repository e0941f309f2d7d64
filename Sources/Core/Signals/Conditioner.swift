/// Turns the raw levels of one line into a reliable signal: debounce, release delay, and the faults chatter, stuck and
/// lost.
///
/// A pure value without a clock. Pass it edges (`edge`, `lost`), and let time pass (`advance`) no later than each
/// `deadline`; both return how the signal changed. Instants are on any clock that never goes back. One thread at a time may
/// modify a conditioner.
public struct Conditioner: Hashable, Sendable {
    /// A change of the signal.
    public enum Output: Hashable, Sendable {
        case asserted, deasserted
        case fault(Fault)
        case cleared(Fault)
    }

    /// Why the line cannot be believed.
    public enum Fault: Hashable, Sendable {
        /// More edges than any contact makes. The signal counts as asserted (without an `asserted`) until the line has been
        /// quiet for `chatterWindow`.
        case chatter
        /// Asserted for longer than `stuckAfter`.
        case stuck
        /// The line has disappeared, or cannot be read.
        case lost
    }

    /// How the line is conditioned; see `adopt(_:at:)`.
    public private(set) var policy: LinePolicy
    /// Whether the signal is asserted, after conditioning.
    public private(set) var isAsserted: Bool
    /// Whether the line's last known level means asserted.
    private var raw: Bool
    /// When the raw level takes effect; nil if it has already.
    private var settles: Duration?
    /// When a settled deassertion takes effect.
    private var releases: Duration?
    private var assertedSince: Duration?
    private var isStuck: Bool
    private var isLost: Bool
    /// When `whenLost` applies; nil if it has already, or the line is not lost.
    private var lostUntil: Duration?
    private var chatter: ChatterDetector

    /// A signal whose level is read at the start and takes effect at once. If the saved state has the signal asserted, the
    /// assertion continues; if it was active and the level is now deasserted, its end takes effect `releaseDelay` after the
    /// reading.
    ///
    /// - Parameters:
    ///   - level: the electrical level; nil if the line cannot be read. If so, a saved assertion is held for `lostGrace`;
    ///     without one, `WhenLost.assert` applies at once.
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

    /// Applies another policy from now on. Running deadlines stay as they are, but a lost line whose `lostGrace` has elapsed
    /// follows the new `whenLost` at once.
    ///
    /// - Precondition: the new policy has the same `isActiveLow`.
    public mutating func adopt(_ policy: LinePolicy, at now: Duration) {
        precondition(policy.isActiveLow == self.policy.isActiveLow)
        if isLost, lostUntil == nil, policy.whenLost != self.policy.whenLost { lostUntil = now }
        self.policy = policy
        chatter.limit = policy.chatterLimit
        chatter.window = policy.chatterWindow
    }

    /// The line's current faults.
    public var faults: [Fault] {
        (chatter.isChattering ? [.chatter] : []) + (isStuck ? [.stuck] : []) + (isLost ? [.lost] : [])
    }

    /// The deassertion that takes effect later, unless the line asserts again; nil if there is none.
    public var pendingRelease: PendingRelease? {
        releases.map { PendingRelease(since: $0 - policy.releaseDelay, until: $0) }
    }

    /// When to call `advance(to:)` if nothing happens before; nil if time alone changes nothing.
    public var deadline: Duration? {
        [settles, releases, chatter.quietAt, stuckAt, lostUntil].compactMap { $0 }.min()
    }

    /// Reports the line's electrical level. A level that is reported again is no edge, but clears the fault `lost`.
    ///
    /// - Returns: the immediate changes, including those that were due before `now`. A level that must settle first takes
    ///   effect in `advance(to:)`.
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

    /// Reports that the line or its chip has disappeared.
    ///
    /// - Returns: the immediate changes. `whenLost` takes effect in `advance(to:)`, after `lostGrace`.
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

    /// Sets the signal at once, as if the line had had this level for long.
    ///
    /// - Returns: the changes, including those that were due by now.
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

    /// Reports the line's electrical level on waking from sleep. As at a start, an assertion takes effect at once, and a
    /// deassertion `releaseDelay` from now. Deadlines that passed during the sleep are not processed: call `advance(to:)`
    /// afterwards.
    ///
    /// - Returns: the signal's new state, nil if it has not changed; and the changes of faults.
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
        // A deassertion from before the sleep keeps its deadline.
        guard wasRaw else { return (nil, outputs) }
        settles = nil
        guard policy.releaseDelay == .zero else {
            releases = releases ?? now + policy.releaseDelay
            return (nil, outputs)
        }
        let ended = change(to: false, at: now)
        return (false, outputs + ended.filter { $0 != .deasserted })
    }

    /// Lets time pass, up to and including `now`.
    ///
    /// - Returns: the changes that were due, in order of time.
    public mutating func advance(to now: Duration) -> [Output] {
        var outputs: [Output] = []
        while let deadline, deadline <= now { outputs += pass(deadline) }
        return outputs
    }

    /// Processes what was due before an edge, which may have been read late.
    private mutating func advance(before now: Duration) -> [Output] {
        var outputs: [Output] = []
        while let deadline, deadline < now { outputs += pass(deadline) }
        return outputs
    }

    /// Processes a deadline. Levels come before the faults that depend on them.
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

    /// The line has been quiet for the window. Its level now takes effect like any other: after `debounce` and
    /// `releaseDelay`.
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
        // An assertion shorter than `debounce` does not delay a pending release.
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

/// An assertion in the saved state, which continues across a power cut.
public struct HeldAssertion: Hashable, Sendable {
    /// When it began, on the conditioner's clock; before the start.
    public var since: Duration
    /// Whether it had the fault `stuck`.
    public var isStuck: Bool
    /// Whether it was active when the power failed: neither suppressed nor dropped as stuck.
    public var isActive: Bool

    public init(since: Duration, isStuck: Bool = false, isActive: Bool = true) {
        self.since = since
        self.isStuck = isStuck
        self.isActive = isActive
    }
}

/// A settled deassertion, which takes effect after `releaseDelay`.
public struct PendingRelease: Hashable, Sendable {
    /// When the deassertion settled.
    public let since: Duration
    /// When it takes effect.
    public let until: Duration

    public init(since: Duration, until: Duration) {
        self.since = since
        self.until = until
    }
}
