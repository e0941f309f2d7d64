import AudioSession

extension Explorer {
    /// Takes a step, and says what rule it broke in doing so.
    func take(_ step: Step, _ world: inout World) -> (rule: Int, what: String)? {
        switch step {
        case .wait: world.late = true
        case .powerCut:
            world.lastSaved = world.session?.saved
            world.session = nil
        case .boot: return boot(&world)
        case .line(let signal, let asserted):
            world.lines[signal].asserted = asserted
            // Without power nobody sees it; while it chatters, its level does not count.
            guard world.session != nil, !world.lines[signal].chatters else { return nil }
            world.lines[signal].begin(asserted: asserted, suppressed: suppresses(signal))
            return feed(.edge(Edge(policy.signals[signal].id, asserted: asserted)), &world)
        case .event(let event):
            note(event, &world)
            return world.session == nil ? nil : feed(event, &world)
        }
        return nil
    }

    /// The world's own bookkeeping of an event.
    private func note(_ event: Event, _ world: inout World) {
        switch event {
        case .mediaServicesLost: world.deviceIsThere = false
        case .mediaServicesReset: world.deviceIsThere = true
        case .fault(let fault):
            change(fault, &world) { line, signal in
                switch fault.kind {
                case .stuck:
                    line.stuck = true
                    if policy.signals[signal].whenStuck == .release { line.ineffective = true }
                case .chatter:
                    if !line.asserted { line.ineffective = suppresses(signal) }
                    line.chatters = true
                case .lost: break
                }
            }
        case .cleared(let fault):
            change(fault, &world) { line, _ in
                line.chatters = false
                if !line.asserted { line = World.Line() }
            }
        case .command(let command): note(command, &world)
        default: break
        }
    }

    private func note(_ command: Command, _ world: inout World) {
        let plays = command == .play || (command == .playPause && world.session?.intent != .playing)
        if plays {
            world.userWantsQuiet = false
            for line in world.lines.indices where world.lines[line].stuck { world.lines[line].ineffective = true }
        } else if command == .pause || command == .playPause || command == .stop {
            world.userWantsQuiet = true
        }
    }

    private func change(_ fault: Fault, _ world: inout World, _ body: (inout World.Line, Int) -> Void) {
        guard let signal = policy.signals.firstIndex(where: { $0.id == fault.signal }) else { return }
        body(&world.lines[signal], signal)
    }

    private func suppresses(_ signal: Int) -> Bool {
        policy.prefersNoInterruptionsFromSystemAlerts && policy.signals[signal].isAlert
    }

    private func boot(_ world: inout World) -> (rule: Int, what: String)? {
        for signal in world.lines.indices {
            let known = world.lastSaved?.held.contains { $0.signal == policy.signals[signal].id } ?? false
            world.lines[signal].chatters = false
            guard !known || !world.lines[signal].asserted else { continue }
            world.lines[signal].begin(asserted: world.lines[signal].asserted, suppressed: suppresses(signal))
        }
        var session = AudioSession(policy: policy)
        let actions = subject.handle(&session, world.bootEvent(policy), world.now)
        world.session = session
        world.lastSaved = nil
        let wasInterrupted = world.observedInterrupted
        for case .post(let notification) in actions {
            switch notification {
            case .began: world.observedInterrupted = true
            case .ended:
                guard wasInterrupted else { return (5, "the boot ends an episode that never began") }
                world.observedInterrupted = false
            default: break
            }
        }
        return nil
    }

    private func feed(_ event: Event, _ world: inout World) -> (rule: Int, what: String)? {
        guard var session = world.session else { return nil }
        let intent = session.intent
        var actions = subject.handle(&session, event, world.now)
        if case .cleared(let fault) = event, fault.kind == .chatter,
            let signal = policy.signals.firstIndex(where: { $0.id == fault.signal }), !world.lines[signal].asserted
        {
            actions += subject.handle(&session, .edge(Edge(fault.signal, asserted: false)), world.now)
        }
        world.session = session
        for case .post(let notification) in actions {
            switch notification {
            case .began:
                guard !world.observedInterrupted else { return (5, "began twice") }
                world.observedInterrupted = true
            case .ended:
                guard world.observedInterrupted else { return (5, "ended without a begin") }
                world.observedInterrupted = false
            default: break
            }
        }
        if intent != .playing, session.intent == .playing, !event.isUsersPlay {
            return (3, "\(intent) became playing, and no user asked")
        }
        return nil
    }
}

extension World.Line {
    mutating func begin(asserted: Bool, suppressed: Bool) {
        self = World.Line(asserted: asserted, ineffective: asserted && suppressed)
    }
}

extension Event {
    fileprivate var isUsersPlay: Bool { self == .command(.play) || self == .command(.playPause) }
}
