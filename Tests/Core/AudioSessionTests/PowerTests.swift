import AudioSession
import Testing

/// Boots, as the section Power of Semantics describes them.
@Suite struct PowerTests {
    @Test func firstBootFollowsAutoPlay() {
        #expect(Fixture().plays)
        let quiet = Fixture { $0.autoPlay = false }
        #expect(!quiet.plays && quiet.session.intent == .stopped)
        #expect(Fixture().notifications == [])
    }

    @Test func bootDuringACallStartsInterrupted() {
        let fixture = Fixture(lines: [Fixture.phone: .asserted])
        #expect(fixture.notifications == [.began(.appWasSuspended)])
        #expect(!fixture.plays && fixture.session.intent == .playing)
    }

    @Test func interruptionKeepsItsBeginAcrossAPowerCut() {
        var fixture = Fixture { $0.signals[0].resumeWithin = .seconds(10) }
        fixture.begin(Fixture.phone)
        fixture.reboot(after: 8, lines: [Fixture.phone: .asserted])
        #expect(fixture.notifications == [.began(.appWasSuspended)])
        #expect(fixture.end(Fixture.phone, after: 3) == [.ended([])])
    }

    @Test func reloadDoesNotRepeatTheBegin() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.reboot(lines: [Fixture.phone: .asserted], continues: true)
        #expect(fixture.notifications == [] && !fixture.plays)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        // The saved position includes the rewind.
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: false)))
        // The beginning of a duck is not repeated either.
        fixture.begin(Fixture.alarm)
        fixture.reboot(lines: [Fixture.alarm: .asserted], continues: true)
        #expect(fixture.notifications == [])
        // Beginnings and ends that happened in the meantime are reported.
        fixture.reboot(lines: [Fixture.alarm: .asserted, Fixture.phone: .asserted], continues: true)
        #expect(fixture.notifications == [.began(.appWasSuspended)])
        fixture.reboot(continues: true)
        #expect(fixture.notifications == [.ended(.shouldResume), .duckEnded])
        // There is no second rewind.
        fixture.reboot(continues: true)
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func interruptionThatEndedDuringAPowerCutEndsAtBoot() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.reboot()
        #expect(fixture.notifications == [.ended(.shouldResume)])
        #expect(fixture.plays)
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func bootRewindsOnlyMusicThatWasPlaying() {
        var playing = Fixture()
        playing.reboot()
        #expect(playing.actions.contains(.apply(.play(.full), rewinding: true)))
        var ringing = Fixture()
        ringing.reboot(lines: [Fixture.phone: .asserted])
        #expect(ringing.session.rewindsOnResume)
        ringing.end(Fixture.phone)
        #expect(ringing.actions.contains(.apply(.play(.full), rewinding: true)))
        // The saved position of silent music already includes the rewind.
        for silence in [Event.command(.pause), .mediaServicesLost, .edge(Edge(Fixture.phone, asserted: true))] {
            var silent = Fixture()
            silent.handle(silence)
            silent.reboot(lines: [Fixture.phone: .asserted])
            #expect(!silent.session.rewindsOnResume, "\(silence)")
        }
    }

    @Test func endDuringAPowerCutCountsFromTheBoot() {
        var fixture = Fixture { $0.signals[0].resumeWithin = .seconds(10) }
        fixture.begin(Fixture.phone)
        fixture.reboot(after: 11)
        #expect(fixture.notifications == [.ended([])])
        #expect(fixture.session.intent == .paused)
    }

    @Test func lastCommandSurvivesAPowerCut() {
        var fixture = Fixture { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        fixture.command(.pause)
        fixture.command(.play)
        fixture.reboot(lines: [Fixture.phone: .asserted])
        #expect(fixture.end(Fixture.phone) == [.ended([])])
        #expect(fixture.plays)
    }

    @Test func manualEndBeforeAPowerCutPreventsResumingAfterIt() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "door", effect: .pause, resume: .manual)) }
        fixture.begin("door")
        fixture.begin(Fixture.phone)
        fixture.end("door")
        fixture.reboot()
        #expect(fixture.notifications == [.ended([])])
        #expect(!fixture.plays)
    }

    @Test func episodeContinuesWhenAnotherSignalTookOverDuringAPowerCut() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        fixture.begin(Fixture.phone)
        fixture.command(.pause)
        fixture.reboot(lines: ["door": .asserted])
        #expect(fixture.notifications == [.began(.appWasSuspended)])
        #expect(fixture.end("door") == [.ended(.shouldResume)])
        #expect(!fixture.plays)
    }

    @Test func pausedMusicStaysPausedAfterABoot() {
        var fixture = Fixture()
        fixture.command(.next)
        fixture.command(.pause)
        fixture.reboot()
        #expect(fixture.notifications == [] && !fixture.plays)
        #expect(fixture.session.track == 1 && fixture.session.intent == .paused)
    }

    @Test func volumeAndDuckSurviveAPowerCut() {
        var fixture = Fixture()
        fixture.command(.volume(Fixture.duckLevel))
        fixture.begin(Fixture.alarm)
        fixture.reboot(lines: [Fixture.alarm: .asserted])
        #expect(fixture.session.volume == Fixture.duckLevel)
        #expect(fixture.session.directive == .play(Fixture.duckLevel))
        #expect(fixture.notifications == [.duckBegan(Fixture.duckLevel)])
    }

    @Test func droppedSignalStaysDroppedAcrossAPowerCut() {
        var fixture = Fixture { $0.signals[0].whenStuck = .release }
        fixture.begin(Fixture.phone)
        fixture.handle(.fault(Fault(Fixture.phone, .stuck)))
        fixture.reboot(lines: [Fixture.phone: .asserted])
        #expect(fixture.plays && fixture.notifications == [])
        #expect(fixture.session.faults == [Fault(Fixture.phone, .stuck)])
        fixture.reboot()
        #expect(fixture.plays && fixture.session.faults == [])
    }

    @Test func suppressedSignalStaysSuppressedAcrossAPowerCut() {
        var fixture = Fixture {
            $0.prefersNoInterruptionsFromSystemAlerts = true
            $0.signals[0].isAlert = true
        }
        fixture.begin(Fixture.phone)
        fixture.reboot(lines: [Fixture.phone: .asserted])
        #expect(fixture.plays && fixture.notifications == [])
    }

    @Test func unreadableLineKeepsItsSavedState() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.reboot(lines: [Fixture.phone: .unknown])
        #expect(!fixture.plays && fixture.notifications == [.began(.appWasSuspended)])
        #expect(fixture.session.faults == [Fault(Fixture.phone, .lost)])
        var fresh = Fixture()
        fresh.reboot(lines: [Fixture.phone: .unknown])
        #expect(fresh.plays)
    }

    @Test func unreadableLineThatCountsAsAssertedInterruptsTheBoot() {
        var fixture = Fixture()
        fixture.reboot(lines: [Fixture.phone: .assumed])
        #expect(!fixture.plays && fixture.notifications == [.began(.appWasSuspended)])
        #expect(fixture.session.active == [Fixture.phone] && fixture.session.faults == [Fault(Fixture.phone, .lost)])
    }

    @Test func bootWithoutADeviceReportsServicesLost() {
        var fixture = Fixture(servicesAvailable: false)
        #expect(fixture.notifications == [.mediaServicesWereLost] && !fixture.plays)
        #expect(fixture.handle(.mediaServicesReset) == [.mediaServicesWereReset])
        #expect(fixture.plays)
    }

    @Test func bootSelectsAnExistingTrackAfterTheLibraryShrank() {
        var fixture = Fixture()
        fixture.command(.next)
        fixture.command(.next)
        fixture.reboot(trackCount: 1)
        #expect(fixture.session.track == 0 && fixture.plays)
        fixture.reboot(trackCount: 0)
        #expect(fixture.session.track == nil && !fixture.plays && fixture.session.intent == .playing)
        fixture.reboot(trackCount: 2)
        #expect(fixture.plays)
    }
}
