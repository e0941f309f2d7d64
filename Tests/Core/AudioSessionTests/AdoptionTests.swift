import AudioSession
import Testing

/// Another policy, under way: what is heard follows from it as if it had always been so.
@Suite struct AdoptionTests {
    private func policy(_ scene: Scene, _ signal: SignalID, _ effect: Effect) -> Policy {
        var policy = scene.session.policy
        for index in policy.signals.indices where policy.signals[index].id == signal {
            policy.signals[index].effect = effect
        }
        return policy
    }

    @Test func anotherDuckLevelIsHeardAtOnce() throws {
        var scene = Scene()
        scene.begin(Scene.alarm)
        let level = try #require(Level(decibels: -20))
        let actions = scene.session.adopt(policy(scene, Scene.alarm, .duck(level)), at: scene.now)
        #expect(actions?.contains(.apply(.play(level), rewinding: false)) == true)
        #expect(actions?.contains(.post(.duckChanged(level))) == true)
    }

    @Test func anInterruptionThatBecomesADuckEnds() {
        var scene = Scene()
        scene.begin(Scene.phone)
        let actions = scene.session.adopt(policy(scene, Scene.phone, .duck(Scene.duckLevel)), at: scene.now)
        #expect(actions?.contains(.post(.ended(.shouldResume))) == true)
        #expect(actions?.contains(.post(.duckBegan(Scene.duckLevel))) == true)
        #expect(scene.session.directive == .play(Scene.duckLevel))
        #expect(!scene.session.isInterrupted)
    }

    @Test func oneThatChangesNothingDoesNothing() {
        var scene = Scene()
        scene.begin(Scene.phone)
        let actions = scene.session.adopt(scene.session.policy, at: scene.now)
        #expect(actions == [])
    }

    @Test func otherSignalsAreRefused() {
        var scene = Scene()
        var policy = scene.session.policy
        policy.signals.removeLast()
        let actions = scene.session.adopt(policy, at: scene.now)
        #expect(actions == nil)
        #expect(scene.session.policy.signals.count == 3)
    }
}
