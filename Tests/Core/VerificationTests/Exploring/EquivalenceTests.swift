import AudioSession
import Chance
import Effort
import Testing

@testable import Verification

/// Explorations of one of several equivalent states, compared with explorations of every state.
@Suite struct EquivalenceTests {
    /// A random policy, and what its exploration includes.
    struct Case: CustomTestStringConvertible {
        let policy: Policy
        let options: Explorer.Options
        let stuck: Set<SignalID>
        let commands: [Command]?
        let announcements: [Announcement]
        let testDescription: String

        /// - Parameter signals: the number of signals. There are few kinds, so some of the signals are probably alike.
        init(seed: UInt64, signals count: Int) {
            var random = SplitMix(seed: seed)
            func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
            let duck = Effect.duck(Level(decibels: -14) ?? .mute)
            let effects: [Effect] = [.pause, .pause, duck, .muteMicrophone, .checkpoint, .ignore]
            var kinds: [SignalPolicy] = (0..<2).map { _ in
                SignalPolicy(
                    id: "", effect: effects.randomElement(using: &random) ?? .pause,
                    resume: chance(30) ? .manual : .auto, resumeWithin: chance(20) ? .seconds(10) : nil,
                    isAlert: chance(20), whenStuck: chance(40) ? .release : .hold,
                    priority: [20, 50, 90].randomElement(using: &random) ?? 50)
            }
            kinds[0].effect = .pause
            let signals = (0..<count).map { number in
                var signal = kinds.randomElement(using: &random) ?? kinds[0]
                signal.id = SignalID("s\(number)")
                return signal
            }
            var policy = Policy(
                category: Policy.Category.allCases.randomElement(using: &random) ?? .playback,
                mode: chance(15) ? .spokenAudio : .default,
                prefersNoInterruptionsFromSystemAlerts: chance(30), hasPlaybackInterface: chance(80),
                resumesAfterReset: chance(70), pausesOnRouteLoss: chance(80),
                resumeDelay: chance(25) ? .seconds(3) : .zero,
                repeats: Policy.Repeat.allCases.randomElement(using: &random) ?? .playlist, signals: signals)
            var options: Explorer.Options = .chatterOfOne
            if chance(15) { options.insert(.time) }
            if chance(30), policy.category.records {
                policy.recorder = RecorderPolicy(during: chance(50) ? .active : .interruptions)
                options.insert(.recording)
            }
            if chance(40) {
                policy = ExplorationTests.withSounds(policy)
                if chance(50) { policy.signals = signals }
            }
            announcements = policy.sounds.isEmpty ? [] : [ExplorationTests.impatient]
            stuck = Set(signals.filter { _ in chance(60) }.map(\.id))
            commands = count < 3 && chance(50) ? nil : [.play, .pause, .stop, .next]
            (self.policy, self.options) = (policy, options)
            testDescription = "seed \(seed), \(count) signals"
        }

        func explorer(
            _ coverage: Explorer.Coverage, _ behaviour: SessionBehaviour = SessionBehaviour()
        ) -> Explorer {
            Explorer(
                policy: policy, options: options, stuck: stuck, commands: commands, announcements: announcements,
                coverage: coverage, behaviour: behaviour)
        }
    }

    private static func cases(_ count: UInt64) -> [Case] {
        // A debug build has time for a few small cases.
        let seeds = Effort.isExhaustive ? Effort.seeds(count, from: 1) : 1..<3
        return seeds.map { Case(seed: $0, signals: 1 + Int($0 % (Effort.isExhaustive ? 3 : 2))) }
    }

    /// Checks that the states of the smaller exploration are exactly those that represent the states of the larger one,
    /// and that both find the same.
    @Test(arguments: cases(12)) func everyStateIsRepresentedAndFindingsAreTheSame(`case`: Case) {
        let (every, one) = (`case`.explorer(.everyState), `case`.explorer(.oneOfEquivalentStates))
        var all = StateSearch(every)
        var representing = StateSearch(one)
        let reports = (every.explore(&all), one.explore(&representing))
        #expect(reports.0.violation == nil && reports.1.violation == nil, "\(reports)")
        #expect(reports.0.findings.signals == reports.1.findings.signals)
        #expect(reports.1.states < reports.0.states)
        var visited = Catalogue<ExplorerState>()
        let states = representing.states
        for index in states.indices where states[index].isOn { _ = visited.number(of: states[index]) }
        let expected = visited.elements.count
        var found: Set<Int32> = []
        for index in all.states.indices {
            let state = all.states[index]
            guard state.isOn, state.lines.chatters.isEmpty else { continue }
            found.insert(visited.number(of: one.representative(of: state, of: every)).number)
        }
        #expect(visited.elements.count == expected, "\(visited.elements.count - expected) states are missing")
        #expect(found.count == expected, "\(expected - found.count) states represent no state")
    }

    /// With so many signals, only one line changes without power, or two if lines chatter.
    @Test(.enabled(if: Effort.isDue(0)), arguments: [(false, false), (true, false), (true, true)])
    func everyStateIsRepresentedIfFewLinesChangeWithoutPower(delays: Bool, chatters: Bool) {
        let signals = (0..<6).map { number in
            SignalPolicy(
                id: SignalID("s\(number)"), effect: number < 3 ? .pause : .duck(.defaultDuck),
                resume: number == 2 && delays ? .manual : .auto)
        }
        let policy = Policy(resumeDelay: delays ? .seconds(3) : .zero, repeats: .playlist, signals: signals)
        func explorer(_ coverage: Explorer.Coverage) -> Explorer {
            Explorer(
                policy: policy, options: chatters ? .chatterOfOne : [], stuck: [], commands: [.play, .pause],
                coverage: coverage)
        }
        let (every, one) = (explorer(.everyState).explore(), explorer(.oneOfEquivalentStates).explore())
        #expect(every.isComplete && one.isComplete && every.violation == nil && one.violation == nil)
        #expect(one.states < every.states / 4)
        #expect(every.findings.signals == one.findings.signals)
    }

    /// A random mistake. It does not depend on what equivalent states do not distinguish, which is the names of signals
    /// that are alike, and details such as the track.
    ///
    /// - Parameter happens: called when the mistake happens.
    private static func mistake(_ `case`: Case, seed: UInt64, happens: @escaping () -> Void) -> SessionBehaviour {
        var random = SplitMix(seed: seed)
        let before = `case`.explorer(.oneOfEquivalentStates).symmetry.before
        let unique = `case`.policy.signals.indices.filter { before[$0] < 0 && !before.contains($0) }
        let signal = unique.randomElement(using: &random).map { `case`.policy.signals[$0].id } ?? ""
        let conditions: [@Sendable (Session, Event) -> Bool] = [
            { session, _ in session.isInterrupted }, { session, _ in session.intent == .paused },
            { session, _ in session.active.count > 1 }, { session, _ in !session.servicesAvailable },
            { session, _ in session.active.contains(signal) }, { session, _ in session.volume == .full },
            { session, _ in session.faults.contains { $0.kind == .stuck } },
        ]
        let events: [@Sendable (Event) -> Bool] = [
            { if case .edge(let edge) = $0 { edge.isAsserted } else { false } },
            { if case .edge(let edge) = $0 { !edge.isAsserted } else { false } },
            { if case .edge(let edge) = $0 { edge.signal == signal } else { false } },
            { if case .fault = $0 { true } else { false } }, { if case .boot = $0 { true } else { false } },
            { if case .cleared = $0 { true } else { false } },
            { $0 == .command(.play) }, { $0 == .command(.pause) }, { $0 == .mediaServicesReset },
        ]
        let condition = conditions.randomElement(using: &random) ?? { _, _ in true }
        let event = events.randomElement(using: &random) ?? { _ in true }
        let effect = Int.random(in: 0..<4, using: &random)
        return SessionBehaviour(handle: { session, what, now in
            guard condition(session, what), event(what) else { return session.handle(what, at: now) }
            happens()
            switch effect {
            case 0: if case .boot = what { return session.handle(what, at: now) } else { return [] }
            case 1: return session.handle(what, at: now) + session.handle(.command(.play), at: now)
            case 2: return session.handle(what, at: now).filter { if case .save = $0 { false } else { true } }
            default:
                return session.handle(what, at: now) + session.handle(.edge(Edge(signal, asserted: false)), at: now)
            }
        })
    }

    @Test(arguments: cases(12)) func mistakesAreFound(`case`: Case) throws {
        for seed in 0..<4 as Range<UInt64> {
            var isMade = false
            let behaviour = Self.mistake(`case`, seed: seed &* 1_000_003 &+ UInt64(`case`.policy.signals.count)) {
                isMade = true
            }
            let one = `case`.explorer(.oneOfEquivalentStates, behaviour).explore()
            // Without the mistake, both were compared above.
            guard isMade else { continue }
            let every = `case`.explorer(.everyState, behaviour).explore()
            #expect(
                (every.violation == nil) == (one.violation == nil), "mistake \(seed): \(every) and \(one)")
            guard let first = every.violation, let second = one.violation else { continue }
            #expect(first.steps.count == second.steps.count, "mistake \(seed): \(every) and \(one)")
        }
    }
}
