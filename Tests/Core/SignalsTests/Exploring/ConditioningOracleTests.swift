import Chance
import Signals
import Testing

/// A comparison of the conditioner with `ConditioningOracle`, for random lines under random policies.
@Suite struct ConditioningOracleTests {
    /// A policy, an initial state and the events of the line, all derived from a seed.
    private struct Trial {
        var policy = LinePolicy()
        var level: Bool?
        /// The level of the opposite contact, as it means asserted.
        var opposite: Bool?
        var held: (since: Int, isStuck: Bool)?
        var events: ConditioningOracle.Events = [:]
        let end = 1_500

        init(seed: UInt64) {
            var chance = SplitMix(seed: seed)
            func pick(_ times: Int...) -> Duration {
                .milliseconds(times.randomElement(using: &chance) ?? 0)
            }
            policy.isActiveLow = Bool.random(using: &chance)
            policy.debounce = pick(0, 1, 5, 30)
            policy.releaseDelay = pick(0, 1, 40, 300)
            policy.chatterLimit = [2, 3, 6, 20].randomElement(using: &chance) ?? 2
            policy.chatterWindow = pick(10, 50, 200)
            policy.stuckAfter = Bool.random(using: &chance) ? nil : pick(100, 400)
            policy.lostGrace = pick(0, 20, 200)
            policy.whenLost = LinePolicy.WhenLost.allCases.randomElement(using: &chance) ?? .hold
            level = Int.random(in: 0..<8, using: &chance) == 0 ? nil : Bool.random(using: &chance)
            if Int.random(in: 0..<3, using: &chance) == 0 {
                let age = Int.random(in: 0...500, using: &chance)
                let isStuck = policy.stuckAfter.map { .milliseconds(age) >= $0 } ?? false
                held = (-age, isStuck)
            }
            policy.hasComplement = Int.random(in: 0..<3, using: &chance) == 0
            opposite = policy.hasComplement && Int.random(in: 0..<4, using: &chance) == 0 ? nil : level
            if policy.hasComplement, Int.random(in: 0..<4, using: &chance) == 0 { opposite?.toggle() }
            // The line has idle periods, bounces and chatter.
            var time = 0
            var current = level ?? false
            while !policy.hasComplement {
                time += Int.random(in: 1...([2, 8, 40, 400].randomElement(using: &chance) ?? 1), using: &chance)
                guard time < end else { break }
                switch Int.random(in: 0..<20, using: &chance) {
                case 0: events[time] = ConditioningOracle.Change(level: nil)
                // The same level is reported again, for example because a lost line returns.
                case 1: events[time] = ConditioningOracle.Change(level: current)
                default:
                    current.toggle()
                    events[time] = ConditioningOracle.Change(level: current)
                }
            }
            if policy.hasComplement { changeOver(&chance) }
        }

        /// Adds the events of a changeover contact that moves, whose wires break and return, and which chatters.
        private mutating func changeOver(_ chance: inout SplitMix) {
            var time = 0
            var (main, opposite) = (level ?? false, opposite ?? false)
            while true {
                time += Int.random(in: 1...([2, 8, 40, 300].randomElement(using: &chance) ?? 1), using: &chance)
                guard time < end else { break }
                let contact: Contact = Bool.random(using: &chance) ? .main : .complement
                var level: Bool? = contact == .main ? main : opposite
                switch Int.random(in: 0..<20, using: &chance) {
                case 0: level = nil
                case 1: break
                default: level?.toggle()
                }
                if let level { if contact == .main { main = level } else { opposite = level } }
                events[time] = ConditioningOracle.Change(contact: contact, level: level)
                // The other contact often follows soon.
                guard main != opposite, Int.random(in: 0..<4, using: &chance) > 0 else { continue }
                time += Int.random(in: 1...20, using: &chance)
                if contact == .main { opposite = main } else { main = opposite }
                events[time] = ConditioningOracle.Change(contact: contact == .main ? .complement : .main, level: main)
            }
            events = events.filter { $0.key < end }
        }

        /// Returns the conditioner's outputs in the oracle's format.
        func outcomes() -> [String] {
            let electrical = { (level: Bool) in level != policy.isActiveLow }
            var line = Conditioner(
                policy: policy, level: level.map(electrical), complement: opposite.map { !electrical($0) }, at: .zero,
                held: held.map { HeldAssertion(since: .milliseconds($0.since), isStuck: $0.isStuck) })
            var log: [String] = []
            func say(_ outputs: [Conditioner.Output], _ now: Duration) {
                log += outputs.map { "\(Int(now / .milliseconds(1))) \(words($0))" }
            }
            for time in events.keys.sorted() {
                let now = Duration.milliseconds(time)
                while let deadline = line.deadline, deadline < now {
                    say(line.advance(to: deadline), max(.zero, deadline))
                }
                if let event = events[time] {
                    let isMain = event.contact == .main
                    say(
                        event.level.map { line.level(electrical($0) == isMain, of: event.contact, at: now) }
                            ?? line.lost(event.contact, at: now), now)
                }
            }
            while let deadline = line.deadline, deadline <= .milliseconds(end) {
                say(line.advance(to: deadline), max(.zero, deadline))
            }
            return log
        }

        private func words(_ output: Conditioner.Output) -> String {
            switch output {
            case .asserted: "asserted"
            case .deasserted: "deasserted"
            case .fault(let fault): "fault \(fault)"
            case .cleared(let fault): "cleared \(fault)"
            }
        }
    }

    @Test(arguments: 0..<8) func conditionerMatchesTheOracleForRandomLines(part: UInt64) throws {
        var seen: Set<String> = []
        for seed in (part * 500)..<((part + 1) * 500) {
            let trial = Trial(seed: seed)
            let outcomes = trial.outcomes()
            let expected = ConditioningOracle.outcomes(
                trial.policy, level: trial.level, opposite: trial.opposite, held: trial.held, events: trial.events,
                until: trial.end)
            try #require(outcomes == expected, "seed \(seed): \(trial)")
            seen.formUnion(outcomes.map { String($0.drop { $0 != " " }.dropFirst()) })
        }
        // Every kind of outcome occurred.
        #expect(seen.count == 10)
    }
}
