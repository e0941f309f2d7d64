import Signals

/// An independent model of the conditioner for one line, written from the documentation of `LinePolicy`. It steps
/// through every millisecond and considers the whole history.
struct ConditioningOracle {
    /// The level of the line (true if asserted) by millisecond, or nil if it is lost.
    typealias Events = [Int: Bool?]

    private let policy: LinePolicy
    private var log: [String] = []

    /// True if the signal is treated as asserted.
    private var isAsserted: Bool
    private var assertedSince: Int
    /// The level of the line or, while the line is lost, the level that is assumed.
    private var level: Bool
    private var levelSince = Int.min / 2
    /// The last level that was stable for `Debounce`, and the time at which it began.
    private var stable: Bool
    private var stableSince: Int
    private var edges: [Int] = []
    private var lostSince: Int?
    private var isChattering = false
    private var isStuck: Bool

    /// - Parameters:
    ///   - level: true if the line is asserted at 0, or nil if it cannot be read.
    ///   - held: the time at which the signal began if it was active when the power failed, and a flag that is true if
    ///     it was stuck.
    private init(_ policy: LinePolicy, level: Bool?, held: (since: Int, isStuck: Bool)?) {
        self.policy = policy
        self.level = level ?? (held != nil || policy.whenLost == .assert)
        stable = self.level
        // A signal that was active stays active until `ReleaseDelay` has elapsed since the boot.
        stableSince = held == nil && !stable ? Int.min / 2 : 0
        lostSince = level == nil ? 0 : nil
        isAsserted = self.level || held != nil && policy.releaseDelay > .zero
        assertedSince = held?.since ?? 0
        isStuck = isAsserted && held?.isStuck == true
    }

    /// - Returns: each outcome, preceded by its millisecond.
    static func outcomes(
        _ policy: LinePolicy, level: Bool?, held: (since: Int, isStuck: Bool)?, events: Events, until end: Int
    ) -> [String] {
        var oracle = ConditioningOracle(policy, level: level, held: held)
        for now in 0...end {
            if let event = events[now] { oracle.apply(event, at: now) }
            oracle.step(at: now)
        }
        return oracle.log
    }

    private mutating func apply(_ event: Bool?, at now: Int) {
        guard let level = event else {
            guard lostSince == nil else { return }
            lostSince = now
            // The last effect is held.
            self.level = isAsserted
            stable = isAsserted
            stableSince = isAsserted ? now : Int.min / 2
            if isChattering { record(now, "cleared chatter") }
            isChattering = false
            edges = []
            record(now, "fault lost")
            return
        }
        if lostSince != nil { record(now, "cleared lost") }
        lostSince = nil
        guard level != self.level else { return }
        self.level = level
        levelSince = now
        edges.append(now)
        // More than `ChatterLimit` raw edges within `ChatterWindow` are one fault, and the line is treated as asserted.
        let recent = edges.filter { now - $0 <= milliseconds(policy.chatterWindow) }
        if !isChattering, recent.count > policy.chatterLimit {
            isChattering = true
            record(now, "fault chatter")
            count(asserted: true, at: now, silently: true)
        }
    }

    private mutating func step(at now: Int) {
        if isChattering, let last = edges.last, now - last >= milliseconds(policy.chatterWindow) {
            // The line has been quiet for the window.
            isChattering = false
            edges = []
            record(now, "cleared chatter")
            stable = true
        }
        if lostSince == nil, !isChattering {
            // A level takes effect once it has been stable for `Debounce`.
            if now - levelSince >= milliseconds(policy.debounce), level != stable {
                stable = level
                stableSince = now
            }
            // A deassertion takes effect `ReleaseDelay` later.
            if stable {
                count(asserted: true, at: now)
            } else if now - stableSince >= milliseconds(policy.releaseDelay) {
                count(asserted: false, at: now)
            }
        } else if isChattering {
            stable = true
        }
        if let lostSince, now - lostSince == milliseconds(policy.lostGrace), policy.whenLost != .hold {
            level = policy.whenLost == .assert
            stable = level
            stableSince = level ? now : Int.min / 2
            count(asserted: level, at: now)
        }
        if let limit = policy.stuckAfter, isAsserted, !isStuck, now - assertedSince >= milliseconds(limit) {
            isStuck = true
            record(now, "fault stuck")
        }
    }

    private mutating func count(asserted: Bool, at now: Int, silently: Bool = false) {
        guard asserted != isAsserted else { return }
        isAsserted = asserted
        if !silently { record(now, asserted ? "asserted" : "deasserted") }
        if asserted { assertedSince = now }
        if isStuck { record(now, "cleared stuck") }
        isStuck = false
    }

    private mutating func record(_ now: Int, _ what: String) { log.append("\(now) \(what)") }

    private func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
}
