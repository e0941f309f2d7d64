/// An audio session with the semantics of Apple's `AVAudioSession`, for a device whose interruptions come by wire.
///
/// A pure value: it is told what happened and when, and answers what is to be done. It knows no clock, no file and
/// no thread, so it can be used in any program, copied, compared, saved and explored exhaustively.
///
/// What is heard is *derived* from facts after every event, and never accumulated: no lost or doubled event can
/// unbalance it. The facts are the user's `intent`, the signals in force, and whether the media services are there.
///
///     var session = Session(policy: Policy(signals: [SignalPolicy(id: "phone-call", effect: .pause)]))
///     session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .zero)           // … .apply(.play(0 dB))
///     session.handle(.edge(Edge("phone-call", asserted: true)), at: .seconds(2))  // … .apply(.silent), .post(began)
public struct Session: Sendable {
    public private(set) var policy: Policy
    var facts: Facts

    /// A session that waits for its boot event: stopped, with nothing to play.
    public init(policy: Policy) {
        self.policy = policy
        facts = Facts(signals: policy.signals.count, volume: policy.volume)
    }

    /// Takes in an event.
    ///
    /// - Parameter now: any clock that does not go back and that the saved state's instants are on, too.
    /// - Returns: what is to be done, in this order; empty when nothing changed.
    @discardableResult
    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        let before = self
        var reaction = Reaction()
        switch event {
        case .boot(let boot): return start(boot, at: now)
        case .edge(let edge): handle(edge, at: now, &reaction)
        case .edges(let edges): handle(edges, at: now, &reaction)
        case .awoke(let edges):
            handle(edges, at: now, &reaction)
            reaction.interruptsFromSuspension()
        case .delayElapsed(let end): return finish(end, since: before, at: now)
        case .fault(let fault): handle(fault, at: now, &reaction)
        case .cleared(let fault): clear(fault, &reaction)
        case .command(let command): handle(command, at: now, &reaction)
        case .mediaServicesLost: loseServices(&reaction)
        case .mediaServicesReset: resetServices(&reaction)
        case .configurationChanged: changeConfiguration(&reaction)
        case .routeLost: loseRoute(&reaction)
        case .routeBack: returnRoute(&reaction)
        case .trackBegan(let track): facts.track = track
        case .programmeEnded: endProgramme(&reaction)
        case .tracksAvailable(let count): facts.trackCount = count
        }
        return settle(since: before, at: now, reaction)
    }

    /// Replaces the policy: what is heard is derived again, as after an event.
    ///
    /// - Returns: what is to be done; nil, and nothing changes, if the new policy has other signals.
    public mutating func adopt(_ policy: Policy, at now: Duration) -> [Action]? {
        guard policy.signals.map(\.id) == self.policy.signals.map(\.id) else { return nil }
        let before = self
        self.policy = policy
        return settle(since: before, at: now, Reaction())
    }
}

extension Session: Hashable {
    /// Sessions that are compared have the same policy, as a rule, so the facts tell one from another; hashing no more
    /// than them is what makes exploring every state affordable.
    public func hash(into hasher: inout Hasher) { hasher.combine(facts) }
}

// MARK: - What is so

extension Session {
    /// What the user wants.
    public var intent: Intent { facts.intent }
    /// The number of the current track, from 0; nil when there is none.
    public var track: Int? { facts.trackCount > 0 ? facts.track : nil }
    /// The user's level of the programme.
    public var volume: Level { facts.volume }
    /// Whether the sound device is there.
    public var servicesAvailable: Bool { facts.servicesAvailable }
    /// The episode that lasts, or nil when nothing interrupts.
    public var episode: Episode? { facts.episode }
    public var isInterrupted: Bool { facts.episode != nil }

    /// What the programme should sound like now.
    public var directive: Directive {
        guard facts.intent == .playing, facts.trackCount > 0, facts.servicesAvailable, facts.episode == nil else {
            return .silent
        }
        return .play(duckLevel ?? .full)
    }

    /// Whether the programme is heard, or would be if its level were not mute.
    var isPlaying: Bool { directive != .silent }

    /// The lowest active ducking level, or the one that a `ResumeDelay` holds, whether or not anything plays; nil when
    /// nothing ducks.
    public var duckLevel: Level? { activeDuckLevel ?? facts.heldDuck?.level }

    /// The lowest level of an active ducking signal; nil when there is none.
    var activeDuckLevel: Level? {
        var lowest: Level?
        for signal in inForce {
            guard let level = policy.duckLevel(of: policy.signals[signal].effect) else { continue }
            lowest = min(level, lowest ?? level)
        }
        return lowest
    }

    public var isMicrophoneMuted: Bool { inForce.contains { policy.signals[$0].effect == .muteMicrophone } }

    /// The signals in force, in the policy's order: asserted, and neither suppressed nor dropped as stuck.
    public var active: [SignalID] { inForce.map { policy.signals[$0].id } }

    /// Those of them that block, in the policy's order.
    public var blocking: [SignalID] {
        inForce.map { policy.signals[$0] }.filter { policy.interruptionReason(of: $0.effect) != nil }.map(\.id)
    }

    /// Those of them that turn the programme down, in the policy's order.
    public var ducking: [SignalID] {
        inForce.map { policy.signals[$0] }.filter { policy.duckLevel(of: $0.effect) != nil }.map(\.id)
    }

    /// All faults, sorted.
    public var faults: [Fault] {
        zip(policy.signals, facts.signals).flatMap { signal, now in
            Fault.Kind.allCases.filter(now.has).map { Fault(signal.id, $0) }
        }.sorted()
    }

    /// Whether the programme goes on a little earlier when it plays again (`ResumeRewind`).
    public var rewindsOnResume: Bool { facts.rewinds }

    /// What has to survive the power.
    public var saved: SavedSession {
        let held = zip(policy.signals, facts.signals).compactMap { signal, now in
            now.standing.map {
                SavedSession.Held(signal: signal.id, standing: $0, began: now.began, isStuck: now.has(.stuck))
            }
        }
        return SavedSession(
            intent: facts.intent, track: facts.track, volume: facts.volume, held: held, episode: facts.episode,
            wasPlaying: isPlaying)
    }

    var inForce: some Sequence<Int> {
        facts.signals.indices.lazy.filter { [facts] in facts.signals[$0].standing == .inForce }
    }

    /// Why active signals block: `default` if it is the reason of any of them; nil when none blocks.
    var blockingReason: InterruptionReason? {
        var found: InterruptionReason?
        for signal in facts.signals.indices where facts.signals[signal].standing == .inForce {
            guard let reason = policy.interruptionReason(of: policy.signals[signal].effect) else { continue }
            if reason == .default { return reason }
            found = reason
        }
        return found
    }
}
