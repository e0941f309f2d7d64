import AudioSession
import Testing

/// Contract, section 8.
@Suite struct PowerTests {
    @Test func aFirstBoot() {
        #expect(Scene().plays)
        let quiet = Scene { $0.autoPlay = false }
        #expect(!quiet.plays && quiet.session.intent == .stopped)
        #expect(Scene().notifications == [])
    }

    @Test func aBootIntoACall() {
        let scene = Scene(lines: [Scene.phone: .asserted])
        #expect(scene.notifications == [.began(.appWasSuspended)])
        #expect(!scene.plays && scene.session.intent == .playing)
    }

    @Test func theSameInterruptionWithItsOldBegin() {
        var scene = Scene { $0.signals[0].resumeWithin = .seconds(10) }
        scene.begin(Scene.phone)
        scene.reboot(after: 8, lines: [Scene.phone: .asserted])
        #expect(scene.notifications == [.began(.appWasSuspended)])
        #expect(scene.end(Scene.phone, after: 3) == [.ended([])])
    }

    @Test func withThePowerOnAllTheTimeABeginIsNoNews() {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.reboot(lines: [Scene.phone: .asserted], continues: true)
        #expect(scene.notifications == [] && !scene.plays)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        // The position that was saved includes the rewind.
        #expect(scene.actions.contains(.apply(.play(.full), rewinding: false)))
        // Nor is a duck.
        scene.begin(Scene.alarm)
        scene.reboot(lines: [Scene.alarm: .asserted], continues: true)
        #expect(scene.notifications == [])
        // What begins meanwhile is, and what ends.
        scene.reboot(lines: [Scene.alarm: .asserted, Scene.phone: .asserted], continues: true)
        #expect(scene.notifications == [.began(.appWasSuspended)])
        scene.reboot(continues: true)
        #expect(scene.notifications == [.ended(.shouldResume), .duckEnded])
        // Nothing is heard twice.
        scene.reboot(continues: true)
        #expect(scene.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func theEndHappenedWhileWeWereOff() {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.reboot()
        #expect(scene.notifications == [.ended(.shouldResume)])
        #expect(scene.plays)
        #expect(scene.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func aBootRewindsOnlyWhatWasPlaying() {
        var playing = Scene()
        playing.reboot()
        #expect(playing.actions.contains(.apply(.play(.full), rewinding: true)))
        var ringing = Scene()
        ringing.reboot(lines: [Scene.phone: .asserted])
        #expect(ringing.session.rewindsOnResume)
        ringing.end(Scene.phone)
        #expect(ringing.actions.contains(.apply(.play(.full), rewinding: true)))
        // The position saved of a silent programme includes the rewind already.
        for silence in [Event.command(.pause), .mediaServicesLost, .edge(Edge(Scene.phone, asserted: true))] {
            var silent = Scene()
            silent.handle(silence)
            silent.reboot(lines: [Scene.phone: .asserted])
            #expect(!silent.session.rewindsOnResume, "\(silence)")
        }
    }

    @Test func anEndWhileOffIsAsOfNow() {
        var scene = Scene { $0.signals[0].resumeWithin = .seconds(10) }
        scene.begin(Scene.phone)
        scene.reboot(after: 11)
        #expect(scene.notifications == [.ended([])])
        #expect(scene.session.intent == .paused)
    }

    @Test func whatTheEpisodeKnewSurvives() {
        var scene = Scene { $0.signals[0].resume = .manual }
        scene.begin(Scene.phone)
        scene.command(.pause)
        scene.command(.play)
        scene.reboot(lines: [Scene.phone: .asserted])
        #expect(scene.end(Scene.phone) == [.ended([])])
        #expect(scene.plays)
    }

    @Test func aManualEndBeforeTheCutCountsAfterIt() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "door", effect: .pause, resume: .manual)) }
        scene.begin("door")
        scene.begin(Scene.phone)
        scene.end("door")
        scene.reboot()
        #expect(scene.notifications == [.ended([])])
        #expect(!scene.plays)
    }

    @Test func anotherSignalTookOverWhileWeWereOff() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        scene.begin(Scene.phone)
        scene.command(.pause)
        scene.reboot(lines: ["door": .asserted])
        #expect(scene.notifications == [.began(.appWasSuspended)])
        #expect(scene.end("door") == [.ended(.shouldResume)])
        #expect(!scene.plays)
    }

    @Test func pausedStaysPaused() {
        var scene = Scene()
        scene.command(.next)
        scene.command(.pause)
        scene.reboot()
        #expect(scene.notifications == [] && !scene.plays)
        #expect(scene.session.track == 1 && scene.session.intent == .paused)
    }

    @Test func volumeAndDuckSurvive() {
        var scene = Scene()
        scene.command(.volume(Scene.duckLevel))
        scene.begin(Scene.alarm)
        scene.reboot(lines: [Scene.alarm: .asserted])
        #expect(scene.session.volume == Scene.duckLevel)
        #expect(scene.session.directive == .play(Scene.duckLevel))
        #expect(scene.notifications == [.duckBegan(Scene.duckLevel)])
    }

    @Test func whatWasDroppedAsStuckStaysDropped() {
        var scene = Scene { $0.signals[0].whenStuck = .release }
        scene.begin(Scene.phone)
        scene.handle(.fault(Fault(Scene.phone, .stuck)))
        scene.reboot(lines: [Scene.phone: .asserted])
        #expect(scene.plays && scene.notifications == [])
        #expect(scene.session.faults == [Fault(Scene.phone, .stuck)])
        scene.reboot()
        #expect(scene.plays && scene.session.faults == [])
    }

    @Test func whatWasSuppressedStaysSuppressed() {
        var scene = Scene {
            $0.prefersNoInterruptionsFromSystemAlerts = true
            $0.signals[0].isAlert = true
        }
        scene.begin(Scene.phone)
        scene.reboot(lines: [Scene.phone: .asserted])
        #expect(scene.plays && scene.notifications == [])
    }

    @Test func aLineThatCannotBeReadHoldsWhatWasInForce() {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.reboot(lines: [Scene.phone: .unknown])
        #expect(!scene.plays && scene.notifications == [.began(.appWasSuspended)])
        #expect(scene.session.faults == [Fault(Scene.phone, .lost)])
        var fresh = Scene()
        fresh.reboot(lines: [Scene.phone: .unknown])
        #expect(fresh.plays)
    }

    @Test func bootIsInterruptedByAnUnreadableLineThatCountsAsAsserted() {
        var scene = Scene()
        scene.reboot(lines: [Scene.phone: .assumed])
        #expect(!scene.plays && scene.notifications == [.began(.appWasSuspended)])
        #expect(scene.session.active == [Scene.phone] && scene.session.faults == [Fault(Scene.phone, .lost)])
    }

    @Test func aBootWithoutDevice() {
        var scene = Scene(servicesAvailable: false)
        #expect(scene.notifications == [.mediaServicesWereLost] && !scene.plays)
        #expect(scene.handle(.mediaServicesReset) == [.mediaServicesWereReset])
        #expect(scene.plays)
    }

    @Test func aLibraryThatShrank() {
        var scene = Scene()
        scene.command(.next)
        scene.command(.next)
        scene.reboot(trackCount: 1)
        #expect(scene.session.track == 0 && scene.plays)
        scene.reboot(trackCount: 0)
        #expect(scene.session.track == nil && !scene.plays && scene.session.intent == .playing)
        scene.reboot(trackCount: 2)
        #expect(scene.plays)
    }
}
