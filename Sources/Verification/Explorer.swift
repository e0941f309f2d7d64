import AudioSession

/// Visits every state that a session can reach under a policy, breadth first, and checks the contract's rules
/// (section 10) in each. The first violation found is therefore one with a shortest path.
public struct Explorer {
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
    let stuck: Set<SignalID>
    let commands: [Command]
    /// How many states are visited at most.
    let limit: Int
    let subject: Subject
    let readings: Readings

    /// - Parameters:
    ///   - stuck: the signals that can be found stuck; nil: all.
    ///   - commands: what users can ask for; nil: everything.
    ///   - limit: how many states are visited at most. One takes about half a kilobyte.
    public init(
        policy: Policy, options: Options = [], stuck: Set<SignalID>? = nil, commands: [Command]? = nil,
        limit: Int = .max, subject: Subject = Subject()
    ) {
        self.policy = policy
        self.options = options
        self.stuck = stuck ?? Set(policy.signals.map(\.id))
        self.commands = commands ?? Explorer.everyCommand
        self.limit = limit
        self.subject = subject
        readings = Readings(of: policy.signals.map(\.id), order: subject.order)
    }

    public func explore() -> Report {
        var search = Search(from: World(policy))
        var findings = Findings(policy)
        var transitions = 0
        func report(_ violation: (rule: Int, what: String)?, at world: Int, _ step: Step?) -> Report {
            Report(
                states: search.worlds.count, transitions: transitions, isComplete: search.worlds.count <= limit,
                violation: violation.map {
                    let steps = search.path(to: world, and: step)
                    return Report.Violation(
                        rule: $0.rule, what: $0.what, steps: steps, path: steps.map { $0.description(policy) })
                }, findings: findings)
        }

        var next = 0
        while next < search.worlds.count, search.worlds.count <= limit {
            let world = search.worlds[next]
            if let violation = violation(in: world) { return report(violation, at: next, nil) }
            findings.note(world)
            for step in steps(from: world) {
                transitions += 1
                var successor = world
                if let violation = take(step, &successor) { return report(violation, at: next, step) }
                findings.note(world, successor)
                _ = search.reach(successor, from: next, by: step)
            }
            next += 1
        }
        return report(nil, at: 0, nil)
    }

    func steps(from world: World) -> [Step] {
        var steps = world.lines.indices.map { Step.line($0, asserted: !world.lines[$0].asserted) }
        if options.contains(.time), !world.late { steps.append(.wait) }
        guard let session = world.session else { return steps + [.boot, .event(deviceStep(world))] }
        steps.append(.powerCut)
        let mayBeginToChatter =
            options.contains(.chatter)
            || options.contains(.chatterOfOne) && !world.lines.contains(where: \.chatters)
        for (signal, line) in zip(policy.signals, world.lines) {
            if line.asserted, !line.stuck, stuck.contains(signal.id) {
                steps.append(.event(.fault(Fault(signal.id, .stuck))))
            }
            if line.chatters {
                steps.append(.event(.cleared(Fault(signal.id, .chatter))))
            } else if mayBeginToChatter {
                steps.append(.event(.fault(Fault(signal.id, .chatter))))
            }
        }
        steps += commands.map { .event(.command($0)) }
        if options.contains(.volume) {
            steps += [-20, 0].compactMap(Level.init(decibels:)).map { .event(.command(.volume($0))) }
        }
        steps += [.event(deviceStep(world)), .event(.configurationChanged), .event(.routeLost)]
        if session.directive != .silent, let track = session.track {
            let successor = policy.repeats.successor(of: track, count: Explorer.trackCount)
            steps.append(.event(successor.map(Event.trackBegan) ?? .programmeEnded))
        }
        return steps
    }

    private func deviceStep(_ world: World) -> Event {
        world.deviceIsThere ? .mediaServicesLost : .mediaServicesReset
    }

    private static let everyCommand: [Command] = [
        .play, .pause, .playPause, .stop, .next, .previous, .seek(to: .seconds(-1), trackLength: trackLength),
        .seek(to: .seconds(1), trackLength: trackLength), .seek(to: .seconds(101), trackLength: trackLength),
    ]
}
