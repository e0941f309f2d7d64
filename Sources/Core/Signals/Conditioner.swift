/// Turns the raw levels of one line into a reliable signal. It handles debounce and release delay, and detects the
/// faults chatter, stuck and lost.
///
/// This is a pure value without a clock. Pass it level changes (`level`, `lost`), and let time pass (`advance`) no
/// later than each `deadline`. Both return how the signal has changed. Times are on any monotonic clock. Only one
/// thread at a time may modify a conditioner.
public struct Conditioner: Hashable, Sendable {
    /// A change in the signal.
    public enum Output: Hashable, Sendable {
        case asserted, deasserted
        case fault(Fault)
        case cleared(Fault)
    }

    /// The reason why the line is not reliable.
    public enum Fault: Hashable, Sendable {
        /// The level of the line changes more often than any contact could change it. The signal is treated as asserted
        /// (without an `asserted` output) until the line has been quiet for `chatterWindow`.
        case chatter
        /// The signal has been asserted for longer than `stuckAfter`.
        case stuck
        /// The line has disappeared or cannot be read.
        case lost
        /// Both contacts of a changeover contact have the same level, because a wire is cut or shorted. The signal is
        /// lost, as with a line that cannot be read.
        case wire
    }

    /// The policy by which the line is conditioned. See `adopt(_:at:)`.
    public private(set) var policy: LinePolicy
    /// True if the signal is asserted, after conditioning.
    public private(set) var isAsserted: Bool
    /// True if the last known level of the line means asserted.
    private var raw: Bool
    /// The time at which the raw level takes effect, or nil if it already has.
    private var settles: Duration?
    /// The time at which a settled deassertion takes effect.
    private var releases: Duration?
    private var assertedSince: Duration?
    private var isStuck: Bool
    private var contacts: ContactPair
    /// The reason why the level is unknown, which is `lost` or `wire`, or nil if the signal is not lost.
    private var loss: Fault?
    /// The time at which `whenLost` applies, or nil if it already has, or if the signal is not lost.
    private var lostUntil: Duration?
    private var chatter: ChatterDetector

    /// Creates a conditioner for a signal whose level is read at the start and takes effect at once. If the signal is
    /// asserted in the saved state, the assertion continues. If the signal was active and the level is now deasserted,
    /// its end takes effect `releaseDelay` after the reading.
    ///
    /// - Parameters:
    ///   - level: the electrical level, or nil if the line cannot be read. In that case, a saved assertion is held for
    ///     `lostGrace`. Without a saved assertion, `WhenLost.assert` applies at once. The same applies if both contacts
    ///     of a changeover contact have the same level, but this is not yet a fault.
    ///   - complement: the level of the opposite contact, if `policy.hasComplement` is true.
    ///   - now: the time of the reading.
    ///   - held: the assertion in the saved state, or nil if the signal was deasserted.
    public init(
        policy: LinePolicy, level: Bool?, complement: Bool? = nil, at now: Duration, held: HeldAssertion? = nil
    ) {
        self.policy = policy
        contacts = ContactPair(isPair: policy.hasComplement, main: level, complement: complement, at: now)
        raw = contacts.level.map { $0 != policy.isActiveLow } ?? (held != nil || policy.whenLost == .assert)
        let isReleasing = !raw && held?.isActive == true && policy.releaseDelay > .zero
        isAsserted = raw || isReleasing
        releases = isReleasing ? now + policy.releaseDelay : nil
        assertedSince = isAsserted ? held?.since ?? now : nil
        isStuck = isAsserted && held?.isStuck == true
        loss = contacts.isReadable ? nil : .lost
        lostUntil = contacts.isReadable ? nil : now + policy.lostGrace
        chatter = ChatterDetector(limit: policy.chatterLimit, window: policy.chatterWindow)
    }

    /// Applies another policy from now on. Running deadlines do not change, but a lost line whose `lostGrace` has
    /// elapsed follows the new `whenLost` at once.
    ///
    /// - Precondition: the new policy has the same `isActiveLow` and the same `hasComplement`.
    public mutating func adopt(_ policy: LinePolicy, at now: Duration) {
        precondition(
            policy.isActiveLow == self.policy.isActiveLow && policy.hasComplement == self.policy.hasComplement)
        if isLost, lostUntil == nil, policy.whenLost != self.policy.whenLost { lostUntil = now }
        self.policy = policy
        chatter.limit = policy.chatterLimit
        chatter.window = policy.chatterWindow
    }

    /// The current faults of the line.
    public var faults: [Fault] {
        (chatter.isChattering ? [.chatter] : []) + (isStuck ? [.stuck] : []) + (loss.map { [$0] } ?? [])
    }

    /// The deassertion that takes effect later, unless the line is asserted again, or nil if there is none.
    public var pendingRelease: PendingRelease? {
        releases.map { PendingRelease(since: $0 - policy.releaseDelay, until: $0) }
    }

    /// The time at which to call `advance(to:)` if nothing else happens before that time, or nil if the passing of time
    /// has no effect.
    public var deadline: Duration? {
        [settles, releases, chatter.quietAt, stuckAt, lostUntil, brokenAt].compactMap { $0 }.min()
    }

    /// Reports the electrical level of the line, or of the line with the opposite contact. A level that is reported
    /// again is not a change, but clears the fault `lost`.
    ///
    /// - Parameter level: the level, or nil if the line cannot be read, as with `lost(_:at:)`.
    /// - Returns: the immediate changes, including those that were due before `now`. A level that must first settle
    ///   takes effect in `advance(to:)`. A change of a changeover contact settles once both lines have.
    public mutating func level(_ level: Bool?, of contact: Contact = .main, at now: Duration) -> [Output] {
        guard let level else { return lost(contact, at: now) }
        var outputs = advance(before: now)
        let hasEdge = contacts.set(contact, to: level, at: now)
        guard contacts.isReadable else { return outputs }
        outputs += foundAgain()
        let asserted = contacts.level.map { $0 != policy.isActiveLow }
        guard hasEdge || asserted.map({ $0 != raw }) ?? false else { return outputs }
        raw = asserted ?? raw
        // A broken wire may do anything until it is mended.
        if !isLost, chatter.change(at: now) {
            settles = nil
            releases = nil
            outputs.append(.fault(.chatter))
            if !isAsserted { become(asserted: true, at: now) }
        } else if !chatter.isChattering {
            // While the contact moves, nothing settles.
            settles = nil
            if asserted != nil { outputs += settle(after: policy.debounce, at: now) }
        }
        return outputs
    }

    private mutating func settle(after delay: Duration, at now: Duration) -> [Output] {
        settles = now + delay
        return delay == .zero ? settle(at: now) : []
    }

    /// Reports that the line, or the line with the opposite contact, or its chip has disappeared.
    ///
    /// - Returns: the immediate changes. `whenLost` takes effect in `advance(to:)`, after `lostGrace`.
    public mutating func lost(_ contact: Contact = .main, at now: Duration) -> [Output] {
        let outputs = advance(before: now)
        _ = contacts.set(contact, to: nil, at: now)
        return outputs + lose(because: .lost, at: now)
    }

    /// Records why the level is unknown.
    private mutating func lose(because fault: Fault, at now: Duration) -> [Output] {
        guard !contacts.isReadable || fault == .wire, loss != fault else { return [] }
        let former = loss
        loss = fault
        settles = nil
        // Levels that are unknown do not contradict each other.
        if let former { return [.cleared(former), .fault(fault)] }
        lostUntil = now + policy.lostGrace
        releases = nil
        raw = isAsserted
        let wasChattering = chatter.isChattering
        chatter.reset()
        return (wasChattering ? [.cleared(.chatter)] : []) + [.fault(fault)]
    }

    /// Sets the signal at once, as if the line had had this level for a long time.
    ///
    /// - Returns: the changes, including those that were due by now.
    public mutating func force(asserted: Bool, at now: Duration) -> [Output] {
        let due = advance(before: now)
        contacts.force(to: asserted != policy.isActiveLow)
        var cleared = foundAgain() + mended()
        if chatter.isChattering { cleared.append(.cleared(.chatter)) }
        chatter.reset()
        raw = asserted
        settles = nil
        releases = nil
        return due + change(to: asserted, at: now) + cleared
    }

    /// Reports the electrical level of the line when the system wakes from sleep. As on startup, an assertion takes
    /// effect at once, and a deassertion takes effect after `releaseDelay`. Deadlines that passed during the sleep are
    /// not processed, so call `advance(to:)` afterwards.
    ///
    /// - Returns: the new state of the signal, or nil if it has not changed, and the changes in its faults.
    ///
    /// - Parameter complement: the level of the opposite contact, if `policy.hasComplement` is true.
    public mutating func wake(
        _ level: Bool?, complement: Bool? = nil, at now: Duration
    ) -> (isAsserted: Bool?, outputs: [Output]) {
        contacts.read(main: level, complement: complement, at: now)
        guard contacts.isReadable else { return (nil, lose(because: .lost, at: now)) }
        var outputs = foundAgain()
        guard let level = contacts.level else {
            settles = nil
            return (nil, outputs)
        }
        outputs += mended()
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
        guard wasRaw || settles == nil && releases == nil else { return (nil, outputs) }
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

    /// Processes what was due before a level change, which may have been read late.
    private mutating func advance(before now: Duration) -> [Output] {
        var outputs: [Output] = []
        while let deadline, deadline < now { outputs += pass(deadline) }
        return outputs
    }

    /// Processes a deadline. Level changes are processed before the faults that depend on them.
    private mutating func pass(_ deadline: Duration) -> [Output] {
        if settles == deadline { return settle(at: deadline) }
        if releases == deadline {
            releases = nil
            return change(to: false, at: deadline)
        }
        if chatter.quietAt == deadline { return endChatter(at: deadline) }
        if brokenAt == deadline { return lose(because: .wire, at: deadline) }
        if lostUntil == deadline {
            lostUntil = nil
            guard policy.whenLost != .hold else { return [] }
            raw = policy.whenLost == .assert
            return change(to: raw, at: deadline)
        }
        isStuck = true
        return [.fault(.stuck)]
    }

    /// Ends chatter, because the line has been quiet for the window. Its level now takes effect like any other, after
    /// `debounce` and `releaseDelay`.
    private mutating func endChatter(at now: Duration) -> [Output] {
        let stableAt = chatter.lastChange.map { $0 + policy.debounce } ?? now
        chatter.reset()
        if stableAt > now {
            settles = contacts.level == nil ? nil : stableAt
            return [.cleared(.chatter)]
        }
        // A contact that still moves settles later.
        return [.cleared(.chatter)] + (contacts.level == nil ? [] : settle(at: now))
    }

    /// Applies a level that has settled. A fault of its wires clears after the change that this causes.
    private mutating func settle(at now: Duration) -> [Output] {
        settles = nil
        // `whenLost` may have applied while the contacts of a broken wire settled.
        raw = contacts.level.map { $0 != policy.isActiveLow } ?? raw
        return applySettled(at: now) + mended()
    }

    private mutating func applySettled(at now: Duration) -> [Output] {
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

    private var isLost: Bool { loss != nil }

    /// The time at which a wire counts as broken, or nil if it already does or if no wire is suspect.
    private var brokenAt: Duration? { loss == .wire ? nil : contacts.brokenAt }

    /// Clears the fault `lost`, because every line can be read.
    private mutating func foundAgain() -> [Output] { end(.lost) }

    /// Clears the fault `wire`, because the contacts do not contradict each other.
    private mutating func mended() -> [Output] { end(.wire) }

    private mutating func end(_ fault: Fault) -> [Output] {
        guard loss == fault else { return [] }
        loss = nil
        lostUntil = nil
        return [.cleared(fault)]
    }

    private var stuckAt: Duration? {
        guard let stuckAfter = policy.stuckAfter, let assertedSince, !isStuck else { return nil }
        return assertedSince + stuckAfter
    }
}

/// An assertion in the saved state, which continues across a power cut.
public struct HeldAssertion: Hashable, Sendable {
    /// The time at which the assertion began, on the clock of the conditioner. It is before the start.
    public var since: Duration
    /// True if the signal had the fault `stuck`.
    public var isStuck: Bool
    /// True if the signal was active when the power failed, which means neither suppressed nor dropped as stuck.
    public var isActive: Bool

    public init(since: Duration, isStuck: Bool = false, isActive: Bool = true) {
        self.since = since
        self.isStuck = isStuck
        self.isActive = isActive
    }
}

/// A settled deassertion, which takes effect after `releaseDelay`.
public struct PendingRelease: Hashable, Sendable {
    /// The time at which the deassertion settled.
    public let since: Duration
    /// The time at which the deassertion takes effect.
    public let until: Duration

    public init(since: Duration, until: Duration) {
        self.since = since
        self.until = until
    }
}
