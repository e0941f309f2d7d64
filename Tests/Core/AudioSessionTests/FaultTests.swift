import AudioSession
import Testing

/// Contract, section 6.
@Suite struct FaultTests {
    private let stuck = Fault(Scene.phone, .stuck)

    @Test func holdKeepsTheEffect() {
        var scene = Scene()
        scene.begin(Scene.phone)
        #expect(scene.handle(.fault(stuck)) == [])
        #expect(!scene.plays && scene.session.faults == [stuck])
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(scene.plays && scene.session.faults == [])
    }

    @Test func releaseDropsItUntilItWasSeenDeasserted() {
        var scene = Scene { $0.signals[0].whenStuck = .release }
        scene.begin(Scene.phone)
        #expect(scene.handle(.fault(stuck)) == [.ended(.shouldResume)])
        #expect(scene.plays && scene.session.active == [] && scene.session.faults == [stuck])
        #expect(scene.begin(Scene.phone) == [])
        #expect(scene.plays)
        #expect(scene.end(Scene.phone) == [])
        #expect(scene.remarks == [.lateEnd(Scene.phone)] && scene.session.faults == [])
        #expect(scene.begin(Scene.phone) == [.began(.default)])
    }

    @Test(arguments: [Command.play, .playPause]) func aUsersPlayDropsWhatIsStuck(play: Command) {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.handle(.fault(stuck))
        if play == .playPause { scene.command(.pause) }
        #expect(scene.command(play) == .success)
        #expect(scene.notifications == [.ended(.shouldResume)])
        #expect(scene.plays && scene.session.active == [])
        #expect(scene.end(Scene.phone) == [])
    }

    @Test func playIsDeferredWhileSomethingElseBlocks() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        scene.begin(Scene.phone)
        scene.begin("door")
        scene.handle(.fault(stuck))
        #expect(scene.command(.play) == .deferred)
        #expect(scene.end("door") == [.ended(.shouldResume)])
        #expect(scene.plays)
    }

    @Test func chatterCountsAsAsserted() {
        var scene = Scene()
        let chatter = Fault(Scene.phone, .chatter)
        #expect(scene.handle(.fault(chatter)) == [.began(.default)])
        #expect(scene.session.faults == [chatter] && scene.session.active == [Scene.phone])
        #expect(scene.handle(.cleared(chatter)) == [])
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(scene.session.faults == [])
    }

    @Test func aLostLineHoldsItsEffect() {
        var scene = Scene()
        let lost = Fault(Scene.phone, .lost)
        scene.begin(Scene.phone)
        #expect(scene.handle(.fault(lost)) == [])
        #expect(!scene.plays && scene.session.faults == [lost])
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(scene.session.faults == [lost])
        scene.handle(.cleared(lost))
        #expect(scene.session.faults == [])
    }
}
