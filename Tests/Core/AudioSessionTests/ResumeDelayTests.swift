import AudioSession
import Testing

/// Contract, section 2 (`ResumeDelay`), and 13 n and o.
@Suite struct ResumeDelayTests {
    private func scene(_ change: (inout Policy) -> Void = { _ in }) -> Scene {
        Scene {
            $0.resumeDelay = .seconds(3)
            $0.signals.append(SignalPolicy(id: "off-hook", effect: .pause))
            change(&$0)
        }
    }

    /// Reports what is over by now, as the supervisor does.
    private func elapse(_ scene: inout Scene, after seconds: Int) -> [SessionNotification] {
        let now = scene.now + .seconds(seconds)
        guard let end = scene.session.elapsed(by: now) else { return [] }
        return scene.handle(.delayElapsed(end), after: seconds)
    }

    @Test func theEpisodeContinuesBetweenARingAndItsAcceptedCall() {
        var scene = scene()
        scene.begin(Scene.phone)
        #expect(scene.end(Scene.phone) == [])
        #expect(!scene.plays && scene.session.isInterrupted && scene.session.active == [])
        #expect(scene.session.deadline == scene.now + .seconds(3))
        #expect(scene.begin("off-hook") == [])
        #expect(scene.session.deadline == nil)
        #expect(scene.end("off-hook") == [])
        #expect(elapse(&scene, after: 2) == [] && !scene.plays)
        #expect(elapse(&scene, after: 3) == [.ended(.shouldResume)])
        #expect(scene.plays && scene.session.deadline == nil)
    }

    @Test func aDuckIsHeldAtItsLevel() throws {
        let low = try #require(Level(decibels: -30))
        var scene = scene { $0.signals.append(SignalPolicy(id: "door", effect: .duck(low))) }
        scene.begin(Scene.alarm)
        #expect(scene.begin("door") == [.duckChanged(low)])
        // While anything still ducks, its level applies at once.
        #expect(scene.end("door") == [.duckChanged(Scene.duckLevel)])
        #expect(scene.end(Scene.alarm) == [] && scene.session.directive == .play(Scene.duckLevel))
        #expect(scene.begin("door") == [.duckChanged(low)])
        #expect(scene.end("door") == [] && scene.session.directive == .play(low))
        #expect(elapse(&scene, after: 3) == [.duckEnded])
        #expect(scene.session.directive == .play(.full))
    }

    @Test func aPlayDuringItIsDeferredAndTheLastWord() {
        var scene = scene { $0.signals[0].resume = .manual }
        scene.begin(Scene.phone)
        scene.end(Scene.phone)
        #expect(scene.command(.play) == .deferred)
        #expect(elapse(&scene, after: 3) == [.ended([])] && scene.plays)
    }

    @Test func itFollowsAnEndByAPlayThatDropsAStuckSignal() {
        var scene = scene()
        scene.begin(Scene.phone)
        scene.handle(.fault(Fault(Scene.phone, .stuck)))
        #expect(scene.command(.play) == .deferred)
        #expect(scene.session.active == [])
        #expect(elapse(&scene, after: 3) == [.ended(.shouldResume)] && scene.plays)
    }

    @Test func resumeWithinCountsToTheSignalsOwnEnd() {
        var scene = scene { $0.signals[0].resumeWithin = .seconds(2) }
        scene.begin(Scene.phone)
        scene.end(Scene.phone, after: 2)
        #expect(elapse(&scene, after: 3) == [.ended(.shouldResume)])
    }

    @Test func episodeAndDuckEndInThisOrder() {
        var scene = scene()
        scene.handle(.edges([Edge(Scene.phone, asserted: true), Edge(Scene.alarm, asserted: true)]))
        scene.handle(.edges([Edge(Scene.phone, asserted: false), Edge(Scene.alarm, asserted: false)]))
        #expect(elapse(&scene, after: 3) == [.ended(.shouldResume)])
        #expect(scene.session.directive == .play(Scene.duckLevel))
        #expect(elapse(&scene, after: 0) == [.duckEnded])
        #expect(elapse(&scene, after: 0) == [])
    }

    @Test func theMicrophoneIsNotDelayed() {
        var scene = scene()
        scene.begin(Scene.cover)
        scene.end(Scene.cover)
        #expect(!scene.session.isMicrophoneMuted)
    }

    @Test func timeWithoutPowerSatisfiesIt() {
        var scene = scene()
        scene.begin(Scene.phone)
        scene.begin(Scene.alarm)
        scene.end(Scene.phone)
        scene.end(Scene.alarm)
        scene.reboot(after: 0)
        #expect(scene.notifications == [.ended(.shouldResume)])
        #expect(scene.session.directive == .play(.full) && scene.session.deadline == nil)
    }

    @Test func aReloadDoesNotCutItShort() {
        var scene = scene()
        scene.begin(Scene.phone)
        scene.begin(Scene.alarm)
        scene.end(Scene.phone)
        scene.end(Scene.alarm)
        scene.reboot(continues: true)
        #expect(scene.notifications == [] && !scene.plays)
        #expect(elapse(&scene, after: 1) == [.ended(.shouldResume)])
        #expect(elapse(&scene, after: 1) == [.duckEnded])
        // What ends during a reload has its delay from then on.
        scene.begin(Scene.phone)
        scene.reboot(continues: true)
        #expect(scene.notifications == [] && scene.session.deadline == scene.now + .seconds(3))
    }

    @Test func withoutADelayInTheNewPolicyItIsOver() {
        var scene = scene()
        scene.begin(Scene.phone)
        scene.begin(Scene.alarm)
        scene.end(Scene.phone)
        scene.end(Scene.alarm)
        var policy = scene.session.policy
        policy.resumeDelay = .zero
        let actions = scene.session.adopt(policy, at: scene.now) ?? []
        #expect(actions.contains(.post(.ended(.shouldResume))) && actions.contains(.post(.duckEnded)))
        #expect(scene.plays)
    }

    @Test func anElapsedDelayThatDoesNotRunChangesNothing() {
        var scene = scene()
        scene.begin(Scene.phone)
        #expect(scene.handle(.delayElapsed(.episode)) == [] && scene.session.isInterrupted)
        #expect(scene.handle(.delayElapsed(.duck)) == [] && scene.actions == [])
    }
}
