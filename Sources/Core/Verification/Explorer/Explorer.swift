import AudioSession

/// Visits every state that a session can reach under a policy, breadth first, and checks the contract's rules
/// (section 10) in each. The first violation found is therefore one with a shortest path.
public struct Explorer {
    /// An exploration of more signals than these says at once that it is not complete.
    public static let mostSignals = SignalSet.most
    static let trackCount = 2
    static let trackLength = Duration.seconds(100)

    /// What is explored besides lines, stuck signals, commands, device, route and power.
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Lines that chatter.
        public static let chatter = Options(rawValue: 1)
        /// Interruptions that outlast their `ResumeWithin`.
        public static let time = Options(rawValue: 2)
        /// The user's volume.
        public static let volume = Options(rawValue: 4)
        /// Lines that chatter, but no two at a time: a fraction of the states.
        public static let chatterOfOne = Options(rawValue: 8)
    }

    public let policy: Policy
    let options: Options
    /// The signals that can be found stuck.
    let stuck: SignalSet
    /// How many states are visited at most.
    let limit: Int
    let alphabet: Alphabet
    let sessions: Sessions
    let readings: Readings
    let effects: Effects

    /// - Parameters:
    ///   - stuck: the signals that can be found stuck; nil: all.
    ///   - commands: what users can ask for; nil: everything.
    ///   - limit: how many states are visited at most. One takes about 60 bytes.
    public init(
        policy: Policy, options: Options = [], stuck: Set<SignalID>? = nil, commands: [Command]? = nil,
        limit: Int = .max, subject: Subject = Subject()
    ) {
        let isTooLarge = policy.signals.count > Explorer.mostSignals
        self.policy = policy
        self.options = options
        self.stuck = isTooLarge ? [] : SignalSet(policy.signals) { stuck?.contains($0.id) ?? true }
        self.limit = isTooLarge ? 0 : min(limit, Int(Int32.max) / 2)
        let volumes = options.contains(.volume) ? [-20, 0].compactMap(Level.init(decibels:)) : []
        alphabet = Alphabet(
            policy, commands: (commands ?? Explorer.everyCommand) + volumes.map(Command.volume),
            trackCount: Explorer.trackCount)
        sessions = Sessions(policy, subject, alphabet, hasTime: options.contains(.time))
        readings = Readings(of: policy.signals.map(\.id), alphabet, order: subject.order)
        effects = Effects(isTooLarge ? Policy(signals: []) : policy)
    }

    public func explore() -> Report {
        var search = Search(from: World())
        var findings = Findings(policy)
        var transitions = 0
        func report(_ violation: (rule: Int, what: String)?, at world: Int, _ move: Move?) -> Report {
            Report(
                states: search.worlds.count, transitions: transitions, isComplete: search.worlds.count <= limit,
                violation: violation.map {
                    var path = search.path(to: world)
                    if let move { path.append((search.worlds[world], move)) }
                    let steps = steps(path)
                    return Report.Violation(
                        rule: $0.rule, what: $0.what, steps: steps, path: steps.map { $0.description(policy) },
                        delays: delays(path))
                }, findings: findings)
        }

        var moves: [Move] = []
        var next = 0
        while next < search.worlds.count, search.worlds.count <= limit {
            let world = search.worlds[next]
            if let violation = violation(in: world) { return report(violation, at: next, nil) }
            note(world, in: &findings)
            list(&moves, from: world)
            for move in moves {
                transitions += 1
                var successor = world
                if let violation = take(move, &successor) { return report(violation, at: next, move) }
                note(world, successor, in: &findings)
                search.reach(successor, from: next, by: move)
            }
            next += 1
        }
        return report(nil, at: 0, nil)
    }

    /// The way that was found, as steps.
    func steps(_ path: [(from: World, move: Move)]) -> [Step] { path.map { step($0.move, from: $0.from) } }

    /// For each step that ends a `ResumeDelay`, the step with which the delay began.
    private func delays(_ path: [(from: World, move: Move)]) -> [Int: Int] {
        var begins: [Int: Int] = [:]
        for end in path.indices {
            switch path[end].move {
            case .episodeElapsed: begins[end] = path[..<end].lastIndex { !$0.from.delaysEpisode }
            case .duckElapsed: begins[end] = path[..<end].lastIndex { $0.from.heldDuck == 0 }
            default: break
            }
        }
        return begins
    }

    /// All that can happen next.
    func list(_ moves: inout [Move], from world: World) {
        moves.removeAll(keepingCapacity: true)
        let signals = policy.signals.indices
        for signal in signals { moves.append(.line(Int16(signal))) }
        if options.contains(.time), !world.late { moves.append(.wait) }
        guard world.isOn else {
            moves.append(.boot)
            moves.append(.device)
            return
        }
        moves.append(.powerCut)
        let mayBeginToChatter =
            options.contains(.chatter) || options.contains(.chatterOfOne) && world.lines.chatters.isEmpty
        let mayGetStuck = world.lines.asserted.intersection(stuck).subtracting(world.lines.stuck)
        for signal in signals {
            if mayGetStuck[signal] { moves.append(.stuck(Int16(signal))) }
            if world.lines.chatters[signal] {
                moves.append(.quiet(Int16(signal)))
            } else if mayBeginToChatter {
                moves.append(.chatter(Int16(signal)))
            }
        }
        for command in alphabet.commands.indices { moves.append(.command(Int16(command))) }
        moves.append(.device)
        moves.append(.configurationChanged)
        moves.append(.routeLost)
        if world.delaysEpisode { moves.append(.episodeElapsed) }
        if world.heldDuck > 0 { moves.append(.duckElapsed) }
        if sessions[world.session].directive != .silent { moves.append(.trackEnded) }
    }

    private static let everyCommand: [Command] = [
        .play, .pause, .playPause, .stop, .next, .previous, .seek(to: .seconds(-1), trackLength: trackLength),
        .seek(to: .seconds(1), trackLength: trackLength), .seek(to: .seconds(101), trackLength: trackLength),
    ]
}
