import AudioSession
import Testing

/// A policy that is replaced while the session runs (`Session.adopt`).
@Suite struct AdoptionTests {
    private func policy(_ fixture: Fixture, _ signal: SignalID, _ effect: Effect) -> Policy {
        var policy = fixture.session.policy
        for index in policy.signals.indices where policy.signals[index].id == signal {
            policy.signals[index].effect = effect
        }
        return policy
    }

    @Test func newDuckLevelAppliesAtOnce() throws {
        var fixture = Fixture()
        fixture.begin(Fixture.alarm)
        let level = try #require(Level(decibels: -20))
        let actions = fixture.session.adopt(policy(fixture, Fixture.alarm, .duck(level)), at: fixture.now)
        #expect(actions?.contains(.apply(.play(level), rewinding: false)) == true)
        #expect(actions?.contains(.post(.duckChanged(level))) == true)
    }

    @Test func interruptionEndsWhenItsEffectBecomesDuck() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        let actions = fixture.session.adopt(policy(fixture, Fixture.phone, .duck(Fixture.duckLevel)), at: fixture.now)
        #expect(actions?.contains(.post(.ended(.shouldResume))) == true)
        #expect(actions?.contains(.post(.duckBegan(Fixture.duckLevel))) == true)
        #expect(fixture.session.directive == .play(Fixture.duckLevel))
        #expect(!fixture.session.isInterrupted)
    }

    @Test func unchangedPolicyCausesNoActions() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        let actions = fixture.session.adopt(fixture.session.policy, at: fixture.now)
        #expect(actions == [])
    }

    @Test func policyWithOtherSignalsIsRejected() {
        var fixture = Fixture()
        var policy = fixture.session.policy
        policy.signals.removeLast()
        let actions = fixture.session.adopt(policy, at: fixture.now)
        #expect(actions == nil)
        #expect(fixture.session.policy.signals.count == 3)
    }
}
