import AudioSession
import Testing
import Verification

/// The exploration of inputs and players.
@Suite struct SourceExplorerTests {
    /// - Parameter resume: the behaviour after the call.
    private static func policy(_ resume: SignalPolicy.Resume = .auto) -> Policy {
        var policy = Policy(
            signals: [
                SignalPolicy(
                    id: "page", effect: .duck(Level(decibels: -20) ?? .mute), cue: "desk", input: "desk"),
                SignalPolicy(id: "phone-call", effect: .pause, resume: resume),
                SignalPolicy(id: "alarm", effect: .duck(Level(decibels: -14) ?? .mute)),
            ],
            inputs: [
                InputPolicy(id: "airplay", player: "shairport"), InputPolicy(id: "radio", role: .automaticProgramme),
                InputPolicy(id: "desk", role: .page),
            ], players: ["shairport", "mpd"])
        policy.autoPlay = true
        return policy
    }

    /// With `Resume=manual` there are three times as many states, of which this visits some.
    @Test func rulesHoldWithManualResume() {
        let report = SourceExplorer.explore(Self.policy(.manual), limit: 20_000)
        #expect(report.violation == nil, "\(report)")
        #expect(report.states > 20_000, "\(report)")
    }

    @Test func everyStateIsExplored() {
        let report = SourceExplorer.explore(Self.policy())
        #expect(report.isComplete && report.violation == nil, "\(report)")
        #expect(report.states < 100_000, "\(report)")
    }

    /// Without players and automatic inputs, parts of the policy are the same and are explored only once.
    @Test func configurationWithOneInputIsExploredQuickly() {
        var policy = Self.policy()
        (policy.inputs, policy.players) = ([InputPolicy(id: "airplay")], [])
        let report = SourceExplorer.explore(policy)
        #expect(report.isComplete && report.violation == nil && report.states < 10_000, "\(report)")
    }

    /// A session that is wrong on purpose, and the rule that detects it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: Int
        let handle: @Sendable (inout Session, Event, Duration) -> [Action]

        init(
            _ description: String, _ rule: Int,
            _ handle: @escaping @Sendable (inout Session, Event, Duration) -> [Action]
        ) {
            (testDescription, self.rule, self.handle) = (description, rule, handle)
        }
    }

    static let mistakes = [
        Mistake("an input never ceases", 15) { session, event, now in
            event == .inputCeased("airplay") ? [] : session.handle(event, at: now)
        },
        Mistake("a pause is ignored", 3) { session, event, now in
            event == .command(.pause) ? [] : session.handle(event, at: now)
        },
        Mistake("the library plays after an input, although it was paused", 3) { session, event, now in
            let actions = session.handle(event, at: now)
            return event == .inputCeased("airplay") ? actions + session.handle(.command(.play), at: now) : actions
        },
        Mistake("the library stays paused after an input", 4) { session, event, now in
            let actions = session.handle(event, at: now)
            return event == .inputCeased("airplay") ? actions + session.handle(.command(.pause), at: now) : actions
        },
        Mistake("the end of an interruption is not posted", 5) { session, event, now in
            session.handle(event, at: now).filter { if case .post(.ended) = $0 { false } else { true } }
        },
        Mistake("a boot ignores what arrives", 15) { session, event, now in
            guard case .boot(var boot) = event else { return session.handle(event, at: now) }
            boot.arrivals = []
            return session.handle(.boot(boot), at: now)
        },
        Mistake("a device never returns", 4) { session, event, now in
            event == .mediaServicesReset ? [] : session.handle(event, at: now)
        },
        Mistake("a player is resumed that nobody paused", 16) { session, event, now in
            let actions = session.handle(event, at: now)
            if case .edge = event { return actions + [.player("shairport", .play)] }
            return actions
        },
        Mistake("reports of players are ignored", 16) { session, event, now in
            if case .player = event { return [] }
            return session.handle(event, at: now)
        },
        Mistake("a player is never resumed", 16) { session, event, now in
            session.handle(event, at: now).filter { if case .player(_, .play) = $0 { false } else { true } }
        },
    ]

    @Test(arguments: mistakes) func mistakeIsFound(_ mistake: Mistake) throws {
        let report = SourceExplorer.explore(
            Self.policy(), limit: 20_000, behaviour: SessionBehaviour(handle: mistake.handle))
        let violation = try #require(report.violation, "\(report)")
        #expect(violation.rule == mistake.rule, "\(report)")
        #expect(violation.steps.count == violation.path.count && violation.steps.first == .boot)
    }
}
