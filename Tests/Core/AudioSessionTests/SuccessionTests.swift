import AudioSession
import Testing

/// Another session takes over while the power is on: each begin that was told of has its end.
@Suite struct SuccessionTests {
    @Test func aDeviceThatIsBackIsReset() {
        var scene = Scene()
        scene.handle(.mediaServicesLost)
        scene.reboot(continues: true)
        #expect(scene.notifications == [.mediaServicesWereReset] && scene.plays)
        // The position that was saved includes the rewind.
        #expect(scene.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func aDeviceThatIsStillGoneIsNoNews() {
        var scene = Scene()
        scene.handle(.mediaServicesLost)
        scene.reboot(continues: true, servicesAvailable: false)
        #expect(scene.notifications == [] && !scene.plays)
        #expect(scene.handle(.mediaServicesReset) == [.mediaServicesWereReset])
        #expect(scene.plays)
    }

    @Test func aDeviceThatGoesMeanwhileIsLost() {
        var scene = Scene()
        scene.reboot(continues: true, servicesAvailable: false)
        #expect(scene.notifications == [.mediaServicesWereLost])
    }

    /// What is to be asked for after a reset is not to be had by a reload, unless it was asked for.
    @Test func applesStricterRuleHolds() {
        var scene = Scene { $0.resumesAfterReset = false }
        scene.handle(.mediaServicesLost)
        scene.reboot(continues: true)
        #expect(!scene.plays && scene.session.intent == .paused)
        scene.command(.play)
        scene.handle(.mediaServicesLost)
        scene.command(.play)
        scene.reboot(continues: true, servicesAvailable: false)
        scene.handle(.mediaServicesReset)
        #expect(scene.plays)
    }

    /// A reload that silences the programme is nothing that the user wished for.
    @Test func aReloadThatSilencesRewinds() {
        var scene = Scene()
        scene.reboot(lines: [Scene.phone: .asserted], continues: true)
        #expect(!scene.plays && scene.session.rewindsOnResume)
        scene.end(Scene.phone)
        #expect(scene.actions.contains(.apply(.play(.full), rewinding: true)))
        // One that does not changes nothing.
        scene.reboot(continues: true)
        #expect(scene.plays && scene.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func aDuckThatIsOverHasItsEnd() {
        var scene = Scene()
        scene.begin(Scene.alarm)
        scene.reboot(continues: true)
        #expect(scene.notifications == [.duckEnded])
    }

    @Test func aDuckOfAnotherLevelHasChanged() throws {
        let level = try #require(Level(decibels: -20))
        var scene = Scene()
        scene.begin(Scene.alarm)
        var policy = scene.session.policy
        policy.signals[1].effect = .duck(level)
        scene.reboot(lines: [Scene.alarm: .asserted], continues: true, policy: policy)
        #expect(scene.notifications == [.duckChanged(level)])
        // Speech pauses instead.
        policy.mode = .spokenAudio
        scene.reboot(lines: [Scene.alarm: .asserted], continues: true, policy: policy)
        #expect(scene.notifications == [.began(.appWasSuspended), .duckEnded])
    }

    /// What could not be saved is known all the same.
    @Test func anInterruptionHasItsEndWithoutAState() {
        var scene = Scene()
        scene.begin(Scene.phone)
        let before = scene.session
        scene.session = Session(policy: before.policy)
        let boot = Boot(saved: nil, trackCount: 3, predecessor: Boot.Predecessor(before))
        #expect(scene.handle(.boot(boot)) == [.ended(.shouldResume)])
    }
}
