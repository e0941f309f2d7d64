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
    }

    public let policy: Policy
    let options: Options
    let subject: Subject

    public init(policy: Policy, options: Options = [], subject: Subject = Subject()) {
        self.policy = policy
        self.options = options
        self.subject = subject
    }

    public func explore() -> Report {
        let first = World(policy)
        var seen: [World: Int] = [first: 0]
        var worlds = [first]
        var origins: [(parent: Int, step: Step)?] = [nil]
        var transitions = 0
        var next = 0

        func path(to world: Int, and last: Step?) -> [String] {
            var steps = last.map { [$0] } ?? []
            var world = world
            while let origin = origins[world] {
                steps.append(origin.step)
                world = origin.parent
            }
            return steps.reversed().map { $0.description(policy) }
        }
        func report(_ violation: (rule: Int, what: String)?, at world: Int, _ step: Step?) -> Report {
            Report(
                states: worlds.count, transitions: transitions,
                violation: violation.map {
                    Report.Violation(rule: $0.rule, what: $0.what, path: path(to: world, and: step))
                })
        }

        while next < worlds.count {
            let world = worlds[next]
            if let violation = violation(in: world) { return report(violation, at: next, nil) }
            for step in steps(from: world) {
                transitions += 1
                var successor = world
                if let violation = take(step, &successor) { return report(violation, at: next, step) }
                guard seen[successor] == nil else { continue }
                seen[successor] = worlds.count
                worlds.append(successor)
                origins.append((next, step))
            }
            next += 1
        }
        return report(nil, at: 0, nil)
    }

    private func steps(from world: World) -> [Step] {
        var steps = world.lines.indices.map { Step.line($0, asserted: !world.lines[$0].asserted) }
        if options.contains(.time), !world.late { steps.append(.wait) }
        guard let session = world.session else { return steps + [.boot, .event(deviceStep(world))] }
        steps.append(.powerCut)
        for (signal, line) in zip(policy.signals, world.lines) {
            if line.asserted, !line.stuck { steps.append(.event(.fault(Fault(signal.id, .stuck)))) }
            guard options.contains(.chatter) else { continue }
            steps.append(
                .event(line.chatters ? .cleared(Fault(signal.id, .chatter)) : .fault(Fault(signal.id, .chatter))))
        }
        steps += Explorer.commands.map { .event(.command($0)) }
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

    private static let commands: [Command] = [
        .play, .pause, .playPause, .stop, .next, .previous, .seek(to: .seconds(-1), trackLength: trackLength),
        .seek(to: .seconds(1), trackLength: trackLength), .seek(to: .seconds(101), trackLength: trackLength),
    ]
}
