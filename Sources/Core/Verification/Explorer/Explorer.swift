import AudioSession

/// Visits every state that a session can reach under a policy, breadth first, and checks the rules of
/// `ExplorationReport.rules` in each. The path to the first violation found is therefore a shortest one, which means
/// that it has the fewest moves. A boot is a single move, regardless of what the lines did without power.
public struct Explorer {
    /// The maximum number of signals. With more signals, an exploration ends at once and reports that it is incomplete.
    public static let maximumSignals = SignalSet.maximum
    static let trackCount = 2
    static let trackLength = Duration.seconds(100)
    /// The number of the only track of a choice.
    static let chosenTrack = 10

    /// The aspects to explore in addition to lines, stuck signals, commands, device, route and power.
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Lines that chatter.
        public static let chatter = Options(rawValue: 1)
        /// Interruptions that outlast their `ResumeWithin`.
        public static let time = Options(rawValue: 2)
        /// Volume commands.
        public static let volume = Options(rawValue: 4)
        /// Lines that chatter, but only one at a time, which requires only a fraction of the states.
        public static let chatterOfOne = Options(rawValue: 8)
        /// Recording, with its commands and with its device in place of the sound device, the route and the tracks,
        /// which do not affect it. The policy must allow recording.
        public static let recording = Options(rawValue: 16)
        /// A sound device that no other device can replace and that has no jack, so that its route is never lost.
        public static let fixedRoute = Options(rawValue: 32)
    }

    /// The states that an exploration visits.
    public enum Coverage: Sendable {
        /// Every state.
        case everyState
        /// One of several equivalent states. If the session turns out to distinguish them, every state is visited.
        case oneOfEquivalentStates
    }

    public let policy: Policy
    let options: Options
    /// The signals that can become stuck.
    let stuck: SignalSet
    /// The maximum number of states to visit.
    let limit: Int
    let alphabet: Alphabet
    let sessions: Sessions
    let readings: Readings
    let effects: Effects
    let symmetry: SignalSymmetry
    let coverage: Coverage
    /// The sets of lines that can change while the power is off.
    let changesWithoutPower: [SignalSet]
    /// The announcements that can expire.
    let expiring: [Announcement.ID]
    /// The sounds of the announcements that can be requested.
    let announced: [Announcement.ID: AnnouncedSound]
    let shouldStop: (_ states: Int) -> Bool
    /// Creates an explorer that does not treat states as equivalent.
    private let everyState: () -> Explorer

    /// Creates an explorer for a policy.
    /// - Parameters:
    ///   - stuck: the signals that can become stuck, or nil for all.
    ///   - commands: the commands that users can send, or nil for all.
    ///   - announcements: the announcements that users can request. Each can be requested whenever it is neither due
    ///     nor waiting, and must have a different `id` from 0 to 7. If an announcement can expire, its `expire` must be
    ///     `.after(.zero)`, and it then expires at any time.
    ///   - choices: the endings of the choices that users can make. Each has one track.
    ///   - coverage: the states to visit.
    ///   - limit: the maximum number of states to visit. Each takes about 500 bytes, including its session.
    ///   - behaviour: the behaviour of the session. A test substitutes a broken one.
    ///   - shouldStop: called at least once every few hundred steps, with the number of states found so far. If it
    ///     returns true, the exploration ends, as at the limit.
    public init(
        policy: Policy, options: Options = [], stuck: Set<SignalID>? = nil, commands: [Command]? = nil,
        announcements: [Announcement] = [], choices: [ChoiceRequest.Ending] = [], coverage: Coverage = .everyState,
        limit: Int = .max, behaviour: SessionBehaviour = SessionBehaviour(),
        shouldStop: @escaping (_ states: Int) -> Bool = { _ in false }
    ) {
        self.shouldStop = shouldStop
        everyState = { [commands, announcements, choices] in
            Explorer(
                policy: policy, options: options, stuck: stuck, commands: commands, announcements: announcements,
                choices: choices, coverage: .everyState, limit: limit, behaviour: behaviour, shouldStop: shouldStop)
        }
        let isTooLarge = policy.signals.count > Explorer.maximumSignals
        var policy = policy
        // The session behaves alike at every volume, so states that differ only in the volume need not be visited.
        if !options.contains(.volume) { policy.volume = policy.maximumVolume }
        self.policy = policy
        self.options = options
        let coverage = options.contains(.chatter) ? .everyState : coverage
        self.coverage = coverage
        self.stuck = isTooLarge ? [] : SignalSet(policy.signals) { stuck?.contains($0.id) ?? true }
        self.limit = isTooLarge ? 0 : min(limit, Int(Int32.max) / 2)
        let volumes = Explorer.volumes(policy, options)
        expiring = announcements.filter { if case .after = $0.expire { true } else { false } }.map(\.id)
        announced = Dictionary(
            announcements.compactMap { announcement in
                AnnouncedSound(announcement, among: announcements, policy).map { (announcement.id, $0) }
            }, uniquingKeysWith: { first, _ in first })
        effects = Effects(isTooLarge ? Policy(signals: []) : policy)
        symmetry =
            coverage == .oneOfEquivalentStates && !isTooLarge
            ? SignalSymmetry(policy, effects, stuck: self.stuck, announcements: announcements) : SignalSymmetry()
        changesWithoutPower = SignalSet.all(
            of: isTooLarge ? 0 : policy.signals.count,
            most: Explorer.mostChangesWithoutPower(policy, options, coverage))
        let announcements = announcements.map(Command.announce) + (announcements.isEmpty ? [] : [.hush])
        let recording: [Command] = options.contains(.recording) ? [.record, .stopRecording] : []
        let choices = choices.map { ending -> Command in
            .choose(
                Choice(ChoiceRequest("choice", then: ending), tracks: Explorer.chosenTrack..<Explorer.chosenTrack + 1))
        }
        alphabet = Alphabet(
            policy,
            commands: (commands ?? Explorer.everyCommand) + volumes.map(Command.volume) + announcements + recording
                + choices,
            trackCount: Explorer.trackCount)
        let canChatter =
            options.contains(.chatter) || options.contains(.chatterOfOne) && coverage == .everyState
        sessions = Sessions(
            policy, behaviour, alphabet, hasTime: options.contains(.time), records: options.contains(.recording),
            symmetry: coverage == .oneOfEquivalentStates ? symmetry : nil
        ) { [alphabet, stuck = self.stuck] event in
            guard case .fault(let fault) = alphabet.events[event] else {
                guard case .cleared = alphabet.events[event] else { return true }
                return canChatter
            }
            return fault.kind == .stuck ? stuck[alphabet.signal(of: event)] : canChatter
        }
        readings = Readings(of: policy.signals.map(\.id), alphabet, order: behaviour.order)
    }

    /// Visits the states, and stops at the first violation or at a limit.
    public func explore() -> ExplorationReport {
        var search = StateSearch(self, limit: limit, shouldStop: shouldStop)
        return explore(&search)
    }

    /// Visits the states of a search of this space, which has not visited any yet.
    func explore(_ search: inout StateSearch<Explorer>) -> ExplorationReport {
        var findings = Findings(policy)
        let end = search.run(check: violation(in:), note: { note($1, $2, in: &findings) })
        for state in 0..<search.visited { note(search.states[state], in: &findings) }
        findings.share(among: symmetry)
        var isComplete = true
        var broken: ExplorationReport.Violation?
        switch end {
        case .complete: break
        case .limit: isComplete = false
        case .violation(let found, let path):
            switch coverage {
            case .everyState: broken = violation(found, path)
            case .oneOfEquivalentStates:
                let whole = everyState()
                broken = whole.violation(found, path, of: self)
                guard broken != nil else { return whole.explore() }
            }
        }
        return ExplorationReport(
            states: search.states.count, transitions: search.transitions, isComplete: isComplete,
            violation: broken, findings: findings)
    }

    func violation(_ found: Violation, _ path: StateSearch<Explorer>.Path) -> ExplorationReport.Violation {
        let stepsOfMoves = steps(path)
        let steps = stepsOfMoves.flatMap { $0 }
        return ExplorationReport.Violation(
            rule: found.rule, what: found.what, steps: steps, path: steps.map { $0.description(policy) },
            delays: delays(path, stepsOfMoves))
    }

    /// Returns, for each step that ends a `ResumeDelay`, the step that started the delay.
    private func delays(_ path: StateSearch<Explorer>.Path, _ steps: [[Step]]) -> [Int: Int] {
        var begins: [Int: Int] = [:]
        // The last step of a move is the move itself.
        func number(ofMove move: Int) -> Int { steps[...move].reduce(0) { $0 + $1.count } - 1 }
        for end in path.indices {
            let begin =
                switch path[end].move {
                case alphabet.move(alphabet.episodeElapsed): path[..<end].lastIndex { !$0.from.delaysEpisode }
                case alphabet.move(alphabet.duckElapsed): path[..<end].lastIndex { $0.from.heldDuck == 0 }
                default: Int?.none
                }
            if let begin { begins[number(ofMove: end)] = number(ofMove: begin) }
        }
        return begins
    }

    /// Returns the volumes that users can set. Without the option, this is only the full level, and only if the policy
    /// limits it.
    private static func volumes(_ policy: Policy, _ options: Options) -> [Level] {
        if options.contains(.volume) { return [-20, 0].compactMap(Level.init(decibels:)) }
        return policy.maximumVolume < .full ? [.full] : []
    }

    /// Returns the number of lines that can change while the power is off. With many signals, there are too many boots.
    /// A boot with more changes leads to a state that represents the same states as a boot with fewer changes that the
    /// other lines follow at once.
    private static func mostChangesWithoutPower(_ policy: Policy, _ options: Options, _ coverage: Coverage) -> Int {
        guard coverage == .oneOfEquivalentStates, policy.signals.count > 5 else { return Int.max }
        return options.contains(.chatterOfOne) ? 2 : 1
    }

    private static let everyCommand: [Command] = [
        .play, .pause, .playPause, .stop, .next, .previous, .seek(to: .seconds(-1), trackLength: trackLength),
        .seek(to: .seconds(1), trackLength: trackLength), .seek(to: .seconds(101), trackLength: trackLength),
    ]
}
