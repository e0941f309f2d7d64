import Signals
import Testing

@Suite struct ConditionerTests {
    private func policy(_ change: (inout LinePolicy) -> Void = { _ in }) -> LinePolicy {
        var policy = LinePolicy()
        policy.debounce = .milliseconds(30)
        change(&policy)
        return policy
    }

    /// Passes edges to the conditioner, and lets time pass up to each edge and up to the end.
    ///
    /// - Returns: each output, preceded by its time in milliseconds.
    private func run(
        _ policy: LinePolicy, level: Bool = false, edges: [(Int, Bool)], until end: Int
    ) -> [String] {
        var line = Conditioner(policy: policy, level: level, at: .zero)
        var log: [String] = []
        func pass(to time: Int) {
            while let deadline = line.deadline, deadline < .milliseconds(time) {
                log += line.advance(to: deadline).map { "\(deadline / .milliseconds(1)) \($0)" }
            }
        }
        for (time, level) in edges {
            pass(to: time)
            log += line.level(level, at: .milliseconds(time)).map { "\(Double(time)) \($0)" }
        }
        pass(to: end + 1)
        return log
    }

    @Test func levelTakesEffectOnceStableForDebounce() {
        #expect(run(policy(), edges: [(100, true)], until: 129) == [])
        #expect(run(policy(), edges: [(100, true)], until: 130) == ["130.0 asserted"])
    }

    @Test func bounceRestartsDebounce() {
        let edges = [(100, true), (110, false), (120, true)]
        #expect(run(policy(), edges: edges, until: 1000) == ["150.0 asserted"])
    }

    @Test func levelShorterThanDebounceIsIgnored() {
        #expect(run(policy(), edges: [(100, true), (129, false)], until: 1000) == [])
    }

    @Test func levelTakesEffectAtOnceWithoutDebounce() {
        let policy = policy { $0.debounce = .zero }
        #expect(run(policy, edges: [(5, true), (7, false)], until: 9) == ["5.0 asserted", "7.0 deasserted"])
    }

    @Test func activeLowLineIsAssertedWhileLow() {
        let policy = policy { $0.isActiveLow = true }
        #expect(
            run(policy, level: true, edges: [(10, false), (90, true)], until: 200) == [
                "40.0 asserted", "120.0 deasserted",
            ])
    }

    @Test func pulsesWithinReleaseDelayAreOneAssertion() {
        let policy = policy { $0.releaseDelay = .seconds(5) }
        let edges = [(0, true), (2000, false), (6000, true), (8000, false)]
        #expect(run(policy, edges: edges, until: 20_000) == ["30.0 asserted", "13030.0 deasserted"])
    }

    @Test func glitchDoesNotDelayTheRelease() {
        let policy = policy { $0.releaseDelay = .seconds(1) }
        let edges = [(0, true), (100, false), (500, true), (510, false)]
        #expect(run(policy, edges: edges, until: 5000) == ["30.0 asserted", "1130.0 deasserted"])
    }

    @Test func chatterIsOneFaultUntilQuietForTheWindow() {
        let policy = policy {
            $0.chatterLimit = 4
            $0.chatterWindow = .milliseconds(100)
        }
        let edges = (0..<9).map { ($0 * 10, $0.isMultiple(of: 2)) } + [(90, false)]
        #expect(
            run(policy, edges: edges, until: 1000) == [
                "40.0 fault(Signals.Conditioner.Fault.chatter)", "190.0 cleared(Signals.Conditioner.Fault.chatter)",
                "190.0 deasserted",
            ])
    }

    @Test func chatterThatEndsAssertedStaysAsserted() {
        let policy = policy {
            $0.chatterLimit = 2
            $0.chatterWindow = .milliseconds(100)
        }
        let log = run(policy, edges: [(0, true), (10, false), (20, true)], until: 1000)
        #expect(
            log == [
                "20.0 fault(Signals.Conditioner.Fault.chatter)", "120.0 cleared(Signals.Conditioner.Fault.chatter)",
            ])
    }

    @Test func releaseAfterChatterWaitsForReleaseDelay() {
        let policy = policy {
            $0.chatterLimit = 4
            $0.chatterWindow = .milliseconds(100)
            $0.releaseDelay = .seconds(5)
        }
        let edges = (0..<9).map { ($0 * 10, $0.isMultiple(of: 2)) } + [(90, false)]
        #expect(
            run(policy, edges: edges, until: 9000) == [
                "40.0 fault(Signals.Conditioner.Fault.chatter)", "190.0 cleared(Signals.Conditioner.Fault.chatter)",
                "5190.0 deasserted",
            ])
        // The next ring arrives before the release, so it belongs to the same call.
        let ring = edges + [(4000, true), (4100, false)]
        #expect(run(policy, edges: ring, until: 12_000).last == "9130.0 deasserted")
    }

    @Test func levelAfterChatterMustBeStableForDebounce() {
        let policy = policy {
            $0.debounce = .milliseconds(50)
            $0.chatterLimit = 4
            $0.chatterWindow = .milliseconds(20)
        }
        let edges = (0..<6).map { ($0 * 4, $0.isMultiple(of: 2)) }
        #expect(
            run(policy, edges: edges, until: 1000) == [
                "16.0 fault(Signals.Conditioner.Fault.chatter)", "40.0 cleared(Signals.Conditioner.Fault.chatter)",
                "70.0 deasserted",
            ])
    }

    @Test func edgesUpToTheLimitAreNotChatter() {
        let policy = policy {
            $0.chatterLimit = 3
            $0.chatterWindow = .milliseconds(100)
        }
        let log = run(policy, edges: [(0, true), (10, false), (20, true)], until: 300)
        #expect(log == ["50.0 asserted"])
    }

    @Test func stuckFaultClearsWhenDeasserted() {
        let policy = policy { $0.stuckAfter = .seconds(2) }
        #expect(
            run(policy, edges: [(0, true), (5000, false)], until: 9000) == [
                "30.0 asserted", "2030.0 fault(Signals.Conditioner.Fault.stuck)", "5030.0 deasserted",
                "5030.0 cleared(Signals.Conditioner.Fault.stuck)",
            ])
    }

    @Test(arguments: LinePolicy.WhenLost.allCases) func lostLineFollowsWhenLost(whenLost: LinePolicy.WhenLost) {
        var line = Conditioner(
            policy: policy {
                $0.lostGrace = .seconds(5)
                $0.whenLost = whenLost
            }, level: true, at: .zero)
        #expect(line.lost(at: .seconds(1)) == [.fault(.lost)])
        #expect(line.lost(at: .seconds(2)) == [])
        #expect(line.advance(to: .seconds(6)) == (whenLost == .release ? [.deasserted] : []))
        #expect(line.deadline == nil)
        #expect(line.level(true, at: .seconds(9)) == [.cleared(.lost)])
        let settled = line.advance(to: .seconds(10))
        #expect(settled == (whenLost == .release ? [.asserted] : []))
    }

    @Test func lostLineWithAssertIsAssertedAfterItsGrace() {
        let policy = policy {
            $0.lostGrace = .seconds(5)
            $0.whenLost = .assert
            $0.stuckAfter = .seconds(60)
        }
        var line = Conditioner(policy: policy, level: false, at: .zero)
        #expect(line.lost(at: .seconds(1)) == [.fault(.lost)])
        #expect(line.advance(to: .milliseconds(5_999)) == [])
        #expect(line.advance(to: .seconds(6)) == [.asserted])
        #expect(line.advance(to: .seconds(66)) == [.fault(.stuck)])
        // The line returns deasserted.
        #expect(line.level(false, at: .seconds(70)) == [.cleared(.lost)])
        #expect(line.advance(to: .milliseconds(70_029)) == [])
        #expect(line.advance(to: .milliseconds(70_030)) == [.deasserted, .cleared(.stuck)])
        #expect(line.deadline == nil)
    }

    @Test func lineThatReturnsWithinItsGraceIsNotAsserted() {
        let policy = policy { $0.whenLost = .assert }
        var line = Conditioner(policy: policy, level: false, at: .zero)
        #expect(line.lost(at: .seconds(1)) == [.fault(.lost)])
        #expect(line.level(false, at: .seconds(2)) == [.cleared(.lost)])
        #expect(line.deadline == nil && !line.isAsserted)
    }

    @Test func unreadableLineWithAssertIsAssertedAtTheStart() {
        let policy = policy { $0.whenLost = .assert }
        var line = Conditioner(policy: policy, level: nil, at: .seconds(3))
        #expect(line.isAsserted && line.faults == [.lost])
        #expect(line.advance(to: .seconds(99)) == [])
        #expect(line.level(true, at: .seconds(100)) == [.cleared(.lost)])
        #expect(line.deadline == nil && line.isAsserted)
    }

    @Test func newWhenLostAppliesToALineLostAlready() {
        var line = Conditioner(policy: policy(), level: false, at: .zero)
        _ = line.lost(at: .seconds(1))
        #expect(line.advance(to: .seconds(10)) == [])
        line.adopt(policy { $0.whenLost = .assert }, at: .seconds(20))
        #expect(line.advance(to: .seconds(20)) == [.asserted])
        line.adopt(policy { $0.whenLost = .release }, at: .seconds(30))
        #expect(line.advance(to: .seconds(30)) == [.deasserted])
        #expect(line.deadline == nil)
    }

    @Test func activeAssertionEndsReleaseDelayAfterTheStart() {
        let policy = policy {
            $0.releaseDelay = .seconds(5)
            $0.stuckAfter = .seconds(60)
        }
        let held = HeldAssertion(since: .seconds(-7))
        var line = Conditioner(policy: policy, level: false, at: .seconds(1), held: held)
        #expect(line.isAsserted)
        #expect(line.advance(to: .milliseconds(5_999)) == [])
        #expect(line.advance(to: .seconds(6)) == [.deasserted])

        // If the line is asserted again before that, the assertion continues with its original starting time.
        var again = Conditioner(policy: policy, level: false, at: .seconds(1), held: held)
        #expect(again.level(true, at: .seconds(3)) == [])
        #expect(again.advance(to: .milliseconds(52_999)) == [])
        #expect(again.advance(to: .seconds(53)) == [.fault(.stuck)])
    }

    @Test func inactiveAssertionEndsAtTheStart() {
        let policy = policy { $0.releaseDelay = .seconds(5) }
        let dropped = HeldAssertion(since: .seconds(-7), isStuck: true, isActive: false)
        let line = Conditioner(policy: policy, level: false, at: .zero, held: dropped)
        #expect(!line.isAsserted && line.faults == [] && line.deadline == nil)
        let asserted = Conditioner(policy: policy, level: true, at: .zero, held: dropped)
        #expect(asserted.isAsserted && asserted.faults == [.stuck])
    }

    @Test func heldAssertionContinuesAcrossABoot() {
        let policy = policy { $0.stuckAfter = .seconds(10) }
        var line = Conditioner(policy: policy, level: true, at: .zero, held: HeldAssertion(since: .seconds(-7)))
        #expect(line.isAsserted)
        #expect(line.deadline == .seconds(3))
        #expect(line.advance(to: .seconds(3)) == [.fault(.stuck)])
        var known = Conditioner(
            policy: policy, level: true, at: .zero, held: HeldAssertion(since: .seconds(-70), isStuck: true))
        #expect(known.advance(to: .seconds(100)) == [])
    }

    @Test func forcedLevelTakesEffectAtOnce() {
        var line = Conditioner(policy: policy { $0.stuckAfter = .seconds(1) }, level: false, at: .zero)
        #expect(line.level(true, at: .zero) == [])
        #expect(line.force(asserted: true, at: .milliseconds(10)) == [.asserted])
        #expect(line.force(asserted: true, at: .milliseconds(20)) == [])
        #expect(line.advance(to: .seconds(2)) == [.fault(.stuck)])
        #expect(line.force(asserted: false, at: .seconds(3)) == [.deasserted, .cleared(.stuck)])
        #expect(line.deadline == nil)
    }

    @Test func edgeReadLateAppliesAfterPendingChanges() {
        var line = Conditioner(policy: policy(), level: false, at: .zero)
        #expect(line.level(true, at: .zero) == [])
        #expect(line.level(false, at: .seconds(1)) == [.asserted])
        #expect(line.advance(to: .seconds(2)) == [.deasserted])
    }

    @Test func adoptedPolicyAppliesFromTheNextEdge() {
        var policy = LinePolicy()
        policy.chatterLimit = 10
        var line = Conditioner(policy: policy, level: false, at: .zero)
        for millisecond in 1...6 { _ = line.level(millisecond % 2 == 1, at: .milliseconds(millisecond)) }
        policy.chatterLimit = 2
        policy.debounce = .milliseconds(5)
        line.adopt(policy, at: .milliseconds(6))
        // This is chatter by the new limit, but not by the old one.
        #expect(line.level(true, at: .milliseconds(7)) == [.fault(.chatter)])
        var calm = Conditioner(policy: LinePolicy(), level: false, at: .zero)
        calm.adopt(policy, at: .zero)
        _ = calm.level(true, at: .zero)
        #expect(calm.deadline == .milliseconds(5))
    }

    // MARK: Changeover contacts

    private func changeover(main: Bool, at now: Duration = .zero) -> Conditioner {
        Conditioner(policy: policy { $0.hasComplement = true }, level: main, complement: !main, at: now)
    }

    @Test func changeoverThatSettlesDuringSleepEnds() {
        var line = changeover(main: true)
        _ = line.level(true, of: .complement, at: .milliseconds(30))
        _ = line.level(false, at: .milliseconds(60))
        _ = line.level(false, of: .complement, at: .milliseconds(68))
        let woken = line.wake(false, complement: true, at: .milliseconds(71))
        #expect(woken.isAsserted == false && !line.isAsserted && line.deadline == nil)
    }

    @Test func contactThatIsReadOnWakingCountsEvenIfTheOtherIsMissing() {
        var line = changeover(main: false)
        #expect(line.wake(nil, complement: false, at: .seconds(1)).outputs == [.fault(.lost)])
        #expect(line.level(true, at: .seconds(2)) == [.cleared(.lost)])
        #expect(line.advance(to: .seconds(3)) == [.asserted])
    }

    @Test func wireThatIsBrokenBeforeAndAfterSleepIsNotMeasuredAnew() {
        var line = changeover(main: false)
        _ = line.level(false, of: .complement, at: .seconds(1))
        _ = line.wake(true, complement: true, at: .milliseconds(1100))
        #expect(line.advance(to: .milliseconds(1200)) == [.fault(.wire)])
    }

    @Test func brokenWireDoesNotChatter() {
        var line = changeover(main: true)
        _ = line.level(true, of: .complement, at: .zero)
        #expect(line.advance(to: .milliseconds(200)) == [.fault(.wire)])
        for step in 0..<100 { _ = line.level(step % 2 == 1, of: .complement, at: .milliseconds(201 + step)) }
        #expect(line.faults == [.wire])
    }
}
