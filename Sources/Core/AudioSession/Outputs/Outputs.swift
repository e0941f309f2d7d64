/// The levels of a board's outputs, derived from the facts after every event. This is a pure value that is separate
/// from the session.
///
/// An amplifier needs time after it is turned on, so each event requires two calls. Call ``prepare(_:at:)`` before the
/// sound is ordered, which must then wait until ``audibleFrom``, and call ``settle(_:quietAt:at:)`` afterwards. Call
/// ``elapse(by:)`` at each ``deadline``.
public struct Outputs: Hashable, Sendable {
    /// The policies in the order of the configuration. Each name occurs only once.
    public private(set) var policies: [OutputPolicy]
    /// The states in the order of the policies.
    private var states: [State]

    /// Creates outputs that are all deasserted.
    public init(_ policies: [OutputPolicy] = []) {
        self.policies = policies
        states = policies.map { State($0.meaning) }
    }

    fileprivate enum State: Hashable {
        case level(Bool)
        case amplifier(Amplifier)

        init(_ meaning: OutputMeaning) {
            if case .amplifier = meaning { self = .amplifier(.off) } else { self = .level(false) }
        }

        var isAsserted: Bool {
            switch self {
            case .level(let isAsserted): isAsserted
            case .amplifier(.off): false
            case .amplifier(.on), .amplifier(.lagging): true
            }
        }
    }

    fileprivate enum Amplifier: Hashable {
        case off
        /// Something plays, or waits for the lead, which ends at `ready`.
        case on(ready: Duration)
        /// Nothing is going to be played. The amplifier turns off at `end`.
        case lagging(ready: Duration, end: Duration)
    }

    // MARK: Levels

    /// The names of the asserted outputs, sorted.
    public var asserted: [OutputID] {
        zip(policies, states).compactMap { $1.isAsserted ? $0.id : nil }.sorted()
    }

    /// Returns true if an output of this name is asserted.
    public func isAsserted(_ id: OutputID) -> Bool {
        zip(policies, states).contains { $0.id == id && $1.isAsserted }
    }

    /// The time at which the lead of every amplifier that is on has passed, or nil if no amplifier is on. No frame may
    /// be played before this time.
    public var audibleFrom: Duration? {
        states.compactMap { state in
            switch state {
            case .amplifier(.on(let ready)), .amplifier(.lagging(let ready, _)): ready
            case .level, .amplifier(.off): nil
            }
        }.max()
    }

    // MARK: Events

    /// Turns amplifiers on if something is going to be played, and asserts the outputs that mute a device if nothing is to
    /// be heard. Call this after an event, before the sound is ordered.
    public mutating func prepare(_ facts: Set<OutputFact>, at now: Duration) {
        for index in policies.indices {
            switch (policies[index].meaning, states[index]) {
            case (.amplifier(let lead, _), .amplifier(let state)) where facts.isAudible:
                states[index] = .amplifier(state.turnedOn(readyAt: now + lead))
            case (.follows(.silent), _) where facts.contains(.silent): states[index] = .level(true)
            case (.amplifier, _), (.follows, _): break
            }
        }
    }

    /// Derives all levels. Call this once all consequences of an event have been performed.
    /// - Parameter quietAt: the time at which the fade-out of the music ends, or `now` if there is none.
    public mutating func settle(_ facts: Set<OutputFact>, quietAt: Duration, at now: Duration) {
        prepare(facts, at: now)
        for index in policies.indices {
            switch policies[index].meaning {
            case .amplifier(_, let lag):
                guard case .amplifier(let state) = states[index], !facts.isAudible else { continue }
                states[index] = .amplifier(state.silenced(until: max(quietAt, now) + lag, at: now))
            case .follows(let fact): states[index] = .level(facts.contains(fact))
            }
        }
    }

    // MARK: Time

    /// The time at which to call `elapse` next, or nil while no output is about to turn off.
    public var deadline: Duration? { states.compactMap(\.end).min() }

    /// Turns off the first output, in the order of the configuration, whose lag has elapsed. If there are several, call
    /// it again.
    /// - Returns: the name of the output, or nil if there is none.
    public mutating func elapse(by now: Duration) -> OutputID? {
        guard let index = states.firstIndex(where: { $0.end.map { $0 <= now } ?? false }) else { return nil }
        states[index] = .amplifier(.off)
        return policies[index].id
    }

    /// Moves the origin of time, so that states that differ only in the current time become equal.
    package mutating func rebase(to now: Duration) {
        for index in states.indices {
            guard case .amplifier(let state) = states[index] else { continue }
            states[index] = .amplifier(state.rebased(to: now))
        }
    }

    // MARK: Reloading

    /// Replaces the policies. An output that keeps its name and its kind keeps its level until the next event.
    public mutating func adopt(_ policies: [OutputPolicy]) {
        let former = zip(self.policies, states)
        states = policies.map { policy in
            let state = former.first { $0.0.id == policy.id && $0.0.meaning.name == policy.meaning.name }
            return state?.1 ?? State(policy.meaning)
        }
        self.policies = policies
    }
}

extension Outputs.State {
    /// The time at which the output turns off by itself, or nil if it does not.
    fileprivate var end: Duration? {
        switch self {
        case .amplifier(.lagging(_, let end)): end
        case .level, .amplifier(.off), .amplifier(.on): nil
        }
    }
}

extension Outputs.Amplifier {
    fileprivate func rebased(to now: Duration) -> Self {
        switch self {
        case .off: .off
        case .on(let ready): .on(ready: max(.zero, ready - now))
        case .lagging(let ready, let end): .lagging(ready: max(.zero, ready - now), end: end - now)
        }
    }

    /// Returns the state before something is played, if the amplifier needs until `ready` when it is off.
    fileprivate func turnedOn(readyAt ready: Duration) -> Self {
        switch self {
        case .off: .on(ready: ready)
        case .on: self
        // The amplifier is still on, so no new lead starts, but a lead that is in progress continues.
        case .lagging(let former, _): .on(ready: former)
        }
    }

    /// Returns the state after everything has been silenced, if the amplifier is needed until `end`.
    fileprivate func silenced(until end: Duration, at now: Duration) -> Self {
        switch self {
        case .off: .off
        case .on(let ready): end <= now ? .off : .lagging(ready: ready, end: end)
        // A fade-out can be cut short, but nothing extends it.
        case .lagging(let ready, let former):
            end >= former ? self : end <= now ? .off : .lagging(ready: ready, end: end)
        }
    }
}
