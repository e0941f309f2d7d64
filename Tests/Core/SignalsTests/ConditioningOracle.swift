import Signals

/// An independent model of the conditioner for one line or one changeover contact, written from the documentation of `LinePolicy`. It steps
/// through every millisecond and considers the whole history.
struct ConditioningOracle {
    /// A new level of a contact, which is true if asserted according to the main contact, or nil if its line is lost.
    struct Change {
        var contact = Contact.main
        var level: Bool?
    }

    /// The changes by millisecond.
    typealias Events = [Int: Change]

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
    /// The last levels of the two lines, as they mean asserted, or nil if they are lost.
    private var main: Bool?
    private var opposite: Bool?
    private var alikeSince: Int?
    private var hasBrokenWire = false
    private var isUnreadable: Bool
    private var isChattering = false
    private var isStuck: Bool

    /// - Parameters:
    ///   - level: true if the line is asserted at 0, or nil if it cannot be read.
    ///   - held: the time at which the signal began if it was active when the power failed, and a flag that is true if
    ///     it was stuck.
    ///   - opposite: the same as `level`, according to the opposite contact.
    private init(_ policy: LinePolicy, level: Bool?, opposite: Bool?, held: (since: Int, isStuck: Bool)?) {
        self.policy = policy
        main = level
        self.opposite = policy.hasComplement ? opposite : level
        isUnreadable = main == nil || self.opposite == nil
        alikeSince = !isUnreadable && main != self.opposite ? 0 : nil
        let known = isUnreadable || alikeSince != nil ? nil : main
        self.level = known ?? (held != nil || policy.whenLost == .assert)
        stable = self.level
        // A signal that was active stays active until `ReleaseDelay` has elapsed since the boot.
        stableSince = held == nil && !stable ? Int.min / 2 : 0
        lostSince = isUnreadable ? 0 : nil
        isAsserted = self.level || held != nil && policy.releaseDelay > .zero
        assertedSince = held?.since ?? 0
        isStuck = isAsserted && held?.isStuck == true
    }

    /// - Returns: each outcome, preceded by its millisecond.
    static func outcomes(
        _ policy: LinePolicy, level: Bool?, opposite: Bool?, held: (since: Int, isStuck: Bool)?, events: Events,
        until end: Int
    ) -> [String] {
        var oracle = ConditioningOracle(policy, level: level, opposite: opposite, held: held)
        for now in 0...end {
            if let event = events[now] { oracle.apply(event, at: now) }
            oracle.step(at: now)
        }
        return oracle.log
    }

    private mutating func apply(_ event: Change, at now: Int) {
        let before = event.contact == .main ? main : opposite
        if event.contact == .main { main = event.level } else { opposite = event.level }
        if !policy.hasComplement { opposite = main }
        guard let main, let opposite else {
            alikeSince = nil
            if !isUnreadable {
                if hasBrokenWire { record(now, "cleared wire") }
                hasBrokenWire = false
                lose("fault lost", at: now)
            }
            isUnreadable = true
            return
        }
        alikeSince = main == opposite ? nil : alikeSince ?? now
        if isUnreadable {
            record(now, "cleared lost")
        }
        isUnreadable = false
        if !hasBrokenWire { lostSince = nil }
        let isEdge = before != nil && before != event.level
        let position = main == opposite ? main : nil
        guard isEdge || position != nil && position != level else { return }
        if let position { level = position }
        levelSince = now
        if hasBrokenWire { return }
        edges.append(now)
        // More than `ChatterLimit` raw edges within `ChatterWindow` are one fault, and the line is treated as asserted.
        let recent = edges.filter { now - $0 <= milliseconds(policy.chatterWindow) }
        if !isChattering, recent.count > policy.chatterLimit {
            isChattering = true
            record(now, "fault chatter")
            count(asserted: true, at: now, silently: true)
        }
    }

    private mutating func lose(_ fault: String, at now: Int) {
        if lostSince == nil {
            lostSince = now
            // The last effect is held.
            level = isAsserted
            stable = isAsserted
            stableSince = isAsserted ? now : Int.min / 2
            if isChattering { record(now, "cleared chatter") }
            isChattering = false
            edges = []
        }
        record(now, fault)
    }

    private mutating func step(at now: Int) {
        if isChattering, let last = edges.last, now - last >= milliseconds(policy.chatterWindow) {
            // The line has been quiet for the window.
            isChattering = false
            edges = []
            record(now, "cleared chatter")
            stable = true
        }
        let isMoving = alikeSince != nil
        let isMended =
            hasBrokenWire && !isUnreadable && !isMoving && !isChattering
            && now - levelSince >= milliseconds(policy.debounce)
        if isMended {
            lostSince = nil
            hasBrokenWire = false
            level = main ?? level
        }
        if lostSince == nil, !isChattering {
            // A level takes effect once it has been stable for `Debounce`.
            if !isMoving, now - levelSince >= milliseconds(policy.debounce), level != stable {
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
        // The fault follows the change that the wires bring.
        if isMended { record(now, "cleared wire") }
        if let alikeSince, now - alikeSince >= 200, !hasBrokenWire {
            hasBrokenWire = true
            lose("fault wire", at: now)
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
