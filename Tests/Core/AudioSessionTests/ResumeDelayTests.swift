import AudioSession
import Testing

/// `Policy.resumeDelay`, as the section Resume delay of Semantics describes it.
@Suite struct ResumeDelayTests {
    private func fixture(_ change: (inout Policy) -> Void = { _ in }) -> Fixture {
        Fixture {
            $0.resumeDelay = .seconds(3)
            $0.signals.append(SignalPolicy(id: "off-hook", effect: .pause))
            change(&$0)
        }
    }

    /// Reports an elapsed delay to the session, as the supervisor does.
    private func elapse(_ fixture: inout Fixture, after seconds: Int) -> [SessionNotification] {
        let now = fixture.now + .seconds(seconds)
        guard let end = fixture.session.elapsed(by: now) else { return [] }
        return fixture.handle(.delayElapsed(end), after: seconds)
    }

    @Test func episodeContinuesBetweenARingAndItsAcceptedCall() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone) == [])
        #expect(!fixture.plays && fixture.session.isInterrupted && fixture.session.active == [])
        #expect(fixture.session.deadline == fixture.now + .seconds(3))
        #expect(fixture.begin("off-hook") == [])
        #expect(fixture.session.deadline == nil)
        #expect(fixture.end("off-hook") == [])
        #expect(elapse(&fixture, after: 2) == [] && !fixture.plays)
        #expect(elapse(&fixture, after: 3) == [.ended(.shouldResume)])
        #expect(fixture.plays && fixture.session.deadline == nil)
    }

    @Test func duckLevelIsHeldDuringTheResumeDelay() throws {
        let low = try #require(Level(decibels: -30))
        var fixture = fixture { $0.signals.append(SignalPolicy(id: "door", effect: .duck(low))) }
        fixture.begin(Fixture.alarm)
        #expect(fixture.begin("door") == [.duckChanged(low)])
        // While a signal still ducks, its level applies at once.
        #expect(fixture.end("door") == [.duckChanged(Fixture.duckLevel)])
        #expect(fixture.end(Fixture.alarm) == [] && fixture.session.directive == .play(Fixture.duckLevel))
        #expect(fixture.begin("door") == [.duckChanged(low)])
        #expect(fixture.end("door") == [] && fixture.session.directive == .play(low))
        #expect(elapse(&fixture, after: 3) == [.duckEnded])
        #expect(fixture.session.directive == .play(.full))
    }

    @Test func playDuringTheDelayIsDeferredAndTheLastCommand() {
        var fixture = fixture { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(fixture.command(.play) == .deferred)
        #expect(elapse(&fixture, after: 3) == [.ended([])] && fixture.plays)
    }

    @Test func delayFollowsAPlayThatDropsAStuckSignal() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.fault(Fault(Fixture.phone, .stuck)))
        #expect(fixture.command(.play) == .deferred)
        #expect(fixture.session.active == [])
        #expect(elapse(&fixture, after: 3) == [.ended(.shouldResume)] && fixture.plays)
    }

    @Test func resumeWithinCountsToTheEndOfTheSignal() {
        var fixture = fixture { $0.signals[0].resumeWithin = .seconds(2) }
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone, after: 2)
        #expect(elapse(&fixture, after: 3) == [.ended(.shouldResume)])
    }

    @Test func episodeEndsBeforeDuckAtTheSameInstant() {
        var fixture = fixture()
        fixture.handle(.edges([Edge(Fixture.phone, asserted: true), Edge(Fixture.alarm, asserted: true)]))
        fixture.handle(.edges([Edge(Fixture.phone, asserted: false), Edge(Fixture.alarm, asserted: false)]))
        #expect(elapse(&fixture, after: 3) == [.ended(.shouldResume)])
        #expect(fixture.session.directive == .play(Fixture.duckLevel))
        #expect(elapse(&fixture, after: 0) == [.duckEnded])
        #expect(elapse(&fixture, after: 0) == [])
    }

    @Test func microphoneIsUnmutedWithoutDelay() {
        var fixture = fixture()
        fixture.begin(Fixture.cover)
        fixture.end(Fixture.cover)
        #expect(!fixture.session.isMicrophoneMuted)
    }

    @Test func timeWithoutPowerCountsAsAnElapsedDelay() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.begin(Fixture.alarm)
        fixture.end(Fixture.phone)
        fixture.end(Fixture.alarm)
        fixture.reboot(after: 0)
        #expect(fixture.notifications == [.ended(.shouldResume)])
        #expect(fixture.session.directive == .play(.full) && fixture.session.deadline == nil)
    }

    @Test func reloadDoesNotShortenTheDelay() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.begin(Fixture.alarm)
        fixture.end(Fixture.phone)
        fixture.end(Fixture.alarm)
        fixture.reboot(continues: true)
        #expect(fixture.notifications == [] && !fixture.plays)
        #expect(elapse(&fixture, after: 1) == [.ended(.shouldResume)])
        #expect(elapse(&fixture, after: 1) == [.duckEnded])
        // If an interruption ends during a reload, its delay starts at the reload.
        fixture.begin(Fixture.phone)
        fixture.reboot(continues: true)
        #expect(fixture.notifications == [] && fixture.session.deadline == fixture.now + .seconds(3))
    }

    @Test func delayEndsWhenTheNewPolicyHasNone() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        fixture.begin(Fixture.alarm)
        fixture.end(Fixture.phone)
        fixture.end(Fixture.alarm)
        var policy = fixture.session.policy
        policy.resumeDelay = .zero
        let actions = fixture.session.adopt(policy, at: fixture.now) ?? []
        #expect(actions.contains(.post(.ended(.shouldResume))) && actions.contains(.post(.duckEnded)))
        #expect(fixture.plays)
    }

    @Test func elapsedEventWithoutARunningDelayChangesNothing() {
        var fixture = fixture()
        fixture.begin(Fixture.phone)
        #expect(fixture.handle(.delayElapsed(.episode)) == [] && fixture.session.isInterrupted)
        #expect(fixture.handle(.delayElapsed(.duck)) == [] && fixture.actions == [])
    }
}
