/// Turns the arrival of audio at one input into the beginning and the end of its sound.
///
/// This is a pure value without a clock. Pass it each change (`arrival`, `hold`), and let time pass (`advance`) no later
/// than each `deadline`. Times are on any monotonic clock.
public struct ArrivalConditioner: Hashable, Sendable {
    /// A change of the input.
    public enum Output: Hashable, Sendable { case began, ceased }

    private enum State: Hashable, Sendable {
        /// Nothing sounds.
        /// - Parameter arriving: the time since when audio has arrived without interruption, or nil if none arrives.
        case silent(arriving: Duration?)
        /// The input sounds.
        /// - Parameter quiet: the time since when nothing has arrived, or nil if audio arrives.
        case sounding(quiet: Duration?)
    }

    public private(set) var policy: ArrivalPolicy
    private var state: State
    /// True while the input counts as sounding although nothing arrives, because its player is kept paused.
    private var isHeld = false
    /// True if the input has sounded since the start, so that it must settle before it sounds again.
    private var mustSettle = false

    /// Creates a conditioner at the start.
    ///
    /// - Parameters:
    ///   - arrives: true if audio arrives, which sounds at once.
    ///   - isSounding: true if the input counts as sounding even if nothing arrives.
    public init(policy: ArrivalPolicy, arrives: Bool, isSounding: Bool = false, at now: Duration) {
        self.policy = policy
        state = arrives || isSounding ? .sounding(quiet: arrives ? nil : now) : .silent(arriving: nil)
    }

    /// Applies another policy from now on. Running deadlines follow it.
    public mutating func adopt(_ policy: ArrivalPolicy) { self.policy = policy }

    public var isSounding: Bool { if case .sounding = state { true } else { false } }

    /// The time at which to call `advance(to:)` if nothing else happens before that time, or nil if the passing of time
    /// has no effect.
    public var deadline: Duration? {
        switch state {
        case .silent(let arriving?): arriving + max(policy.attack, mustSettle ? policy.settle ?? .zero : .zero)
        case .sounding(let quiet?): isHeld ? nil : quiet + policy.idle
        case .silent(nil), .sounding(nil): nil
        }
    }

    /// Reports that audio arrives, or that none does. A report that is repeated is not a change.
    public mutating func arrival(_ arrives: Bool, at now: Duration) {
        switch (state, arrives) {
        case (.silent(nil), true): state = .silent(arriving: now)
        case (.silent(_?), false): state = .silent(arriving: nil)
        case (.sounding(_?), true): state = .sounding(quiet: nil)
        case (.sounding(nil), false): state = .sounding(quiet: now)
        case (.silent(_?), true), (.silent(nil), false), (.sounding(nil), true), (.sounding(_?), false): break
        }
    }

    /// Holds a sounding input, or releases it. After the release, it sounds for at least `idle` longer.
    public mutating func hold(_ isHeld: Bool, at now: Duration) {
        guard isHeld != self.isHeld else { return }
        self.isHeld = isHeld
        if !isHeld, case .sounding(_?) = state { state = .sounding(quiet: now) }
    }

    /// Lets time pass, up to and including `now`.
    ///
    /// - Returns: the change that was due, or nil if there was none.
    public mutating func advance(to now: Duration) -> Output? {
        guard let deadline, deadline <= now else { return nil }
        if isSounding {
            state = .silent(arriving: nil)
            mustSettle = true
            return .ceased
        }
        state = .sounding(quiet: nil)
        return .began
    }
}

/// The times by which the arrival of audio at an input is conditioned.
public struct ArrivalPolicy: Hashable, Sendable {
    /// The time for which audio must arrive without interruption before the input sounds.
    public var attack: Duration
    /// The time for which nothing must arrive before the input ceases to sound.
    public var idle: Duration
    /// The time for which audio must arrive without interruption, if it is longer than `attack`, once the input has
    /// ceased to sound. It is nil if `attack` always applies.
    public var settle: Duration?

    public init(attack: Duration = .milliseconds(100), idle: Duration = .seconds(2), settle: Duration? = nil) {
        self.attack = attack
        self.idle = idle
        self.settle = settle
    }
}
