import AudioSession
import Testing

/// Contract, section 7.
@Suite struct ServicesTests {
    @Test func lostAndReset() {
        var scene = Scene()
        #expect(scene.handle(.mediaServicesLost) == [.mediaServicesWereLost])
        #expect(scene.actions.prefix(3) == [.apply(.silent, rewinding: false), .tearDown, .save(urgently: false)])
        #expect(scene.handle(.mediaServicesLost) == [])
        #expect(scene.handle(.mediaServicesReset) == [.mediaServicesWereReset])
        #expect(scene.actions.prefix(2) == [.rebuild, .apply(.play(.full), rewinding: true)])
        scene.handle(.mediaServicesReset)
        #expect(scene.actions == [.log(.resetWithoutLoss)])
    }

    @Test func commandsChangeTheIntentMeanwhile() {
        var scene = Scene()
        scene.handle(.mediaServicesLost)
        #expect(scene.command(.pause) == .success)
        scene.handle(.mediaServicesReset)
        #expect(!scene.plays && scene.session.intent == .paused)
    }

    @Test func applesStricterRule() {
        var scene = Scene { $0.resumesAfterReset = false }
        scene.handle(.mediaServicesLost)
        scene.handle(.mediaServicesReset)
        #expect(scene.session.intent == .paused)
        scene.handle(.mediaServicesLost)
        #expect(scene.command(.play) == .deferred)
        scene.handle(.mediaServicesReset)
        #expect(scene.plays)
    }

    @Test func theLastWordWhileLostCounts() {
        var scene = Scene { $0.resumesAfterReset = false }
        scene.handle(.mediaServicesLost)
        scene.command(.play)
        scene.command(.pause)
        scene.handle(.mediaServicesReset)
        #expect(scene.session.intent == .paused)
    }

    @Test func anInterruptionGoesOnWithoutServices() {
        var scene = Scene()
        scene.handle(.mediaServicesLost)
        #expect(scene.begin(Scene.phone) == [.began(.default)])
        scene.handle(.mediaServicesReset)
        #expect(!scene.plays)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(scene.plays)
    }

    /// The configuration may change before the begin, during the episode, or after its end.
    @Test(arguments: 0..<4) func configurationChanges(place: Int) {
        var scene = Scene()
        let steps: [Event] = [
            .edge(Edge(Scene.phone, asserted: true)), .command(.play), .edge(Edge(Scene.phone, asserted: false)),
        ]
        for (index, step) in steps.enumerated() {
            if index == place { change(&scene) }
            scene.handle(step)
        }
        if place == steps.count { change(&scene) }
        #expect(scene.plays)
    }

    private func change(_ scene: inout Scene) {
        let directive = scene.session.directive
        #expect(scene.handle(.configurationChanged) == [.configurationChanged])
        #expect(scene.actions.first == .rebuild)
        #expect(scene.session.directive == directive)
    }

    @Test func aLostDeviceIsNotRebuilt() {
        var scene = Scene()
        scene.handle(.mediaServicesLost)
        #expect(scene.handle(.configurationChanged) == [.configurationChanged])
        #expect(!scene.actions.contains(.rebuild))
    }

    @Test func unpluggingPauses() {
        var scene = Scene()
        #expect(scene.handle(.routeLost) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(scene.session.intent == .paused)
        var careless = Scene { $0.pausesOnRouteLoss = false }
        #expect(careless.handle(.routeLost) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(careless.plays)
    }

    @Test func theReturnOfTheRouteIsPostedOnceAndResumesNothing() {
        var scene = Scene()
        scene.handle(.routeLost)
        #expect(scene.handle(.routeLost) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(scene.handle(.routeBack) == [.routeChanged(.newDeviceAvailable)])
        #expect(scene.session.intent == .paused)
        #expect(scene.handle(.routeBack) == [] && scene.remarks == [.routeBackWithoutLoss])
        // A boot uses the preferred device.
        scene.handle(.routeLost)
        scene.reboot()
        #expect(scene.handle(.routeBack) == [])
    }

    @Test func aPlayDuringTheEpisodeOutlivesAReset() {
        var scene = Scene { $0.resumesAfterReset = false }
        scene.begin(Scene.phone)
        scene.command(.play)
        scene.handle(.mediaServicesLost)
        scene.handle(.mediaServicesReset)
        #expect(scene.session.intent == .playing)
        scene.end(Scene.phone)
        #expect(scene.plays)
        // A play before the episode does not.
        scene.command(.play)
        scene.begin(Scene.phone)
        scene.handle(.mediaServicesLost)
        scene.handle(.mediaServicesReset)
        #expect(scene.session.intent == .paused)
    }

    @Test func unpluggingDuringAnInterruptionToo() {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.handle(.routeLost)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(!scene.plays && scene.session.intent == .paused)
    }
}
