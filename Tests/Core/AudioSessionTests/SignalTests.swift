import AudioSession
import Testing

/// Beginnings and ends of signals, as the sections Signals and Notifications of Semantics describe them.
@Suite struct SignalTests {
    @Test func callInterruptsAndItsEndResumes() {
        var fixture = Fixture()
        #expect(fixture.plays)
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
        #expect(!fixture.plays && fixture.session.isInterrupted)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.plays && !fixture.session.isInterrupted)
    }

    @Test func beginIsPostedAfterStoppingAndSaving() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        #expect(
            fixture.actions == [.apply(.silent, rewinding: false), .save(urgently: false), .post(.began(.default))])
    }

    @Test func duplicateBeginChangesNothing() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        let before = fixture.session
        #expect(fixture.begin(Fixture.phone) == [])
        #expect(fixture.session == before && fixture.actions.isEmpty)
    }

    @Test func endWithoutABeginIsLogged() {
        var fixture = Fixture()
        #expect(fixture.end(Fixture.phone) == [])
        #expect(fixture.actions == [.log(.endWithoutBegin(Fixture.phone))])
    }

    @Test func unknownSignalIsLogged() {
        var fixture = Fixture()
        fixture.begin("doorbell")
        #expect(fixture.actions == [.log(.unknownSignal("doorbell"))])
    }

    @Test func episodeLastsFromTheFirstBeginToTheLastEnd() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
        #expect(fixture.begin("door") == [])
        #expect(fixture.end(Fixture.phone) == [])
        #expect(!fixture.plays)
        #expect(fixture.end("door") == [.ended(.shouldResume)])
    }

    @Test func duckingIsNotAnInterruption() {
        var fixture = Fixture()
        #expect(fixture.begin(Fixture.alarm) == [.duckBegan(Fixture.duckLevel)])
        #expect(fixture.session.directive == .play(Fixture.duckLevel) && !fixture.session.isInterrupted)
        #expect(fixture.end(Fixture.alarm) == [.duckEnded])
        #expect(fixture.session.directive == .play(.full))
    }

    @Test func lowestActiveDuckLevelApplies() throws {
        let low = try #require(Level(decibels: -30))
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "strong", effect: .duck(low))) }
        fixture.begin(Fixture.alarm)
        #expect(fixture.begin("strong") == [.duckChanged(low)])
        #expect(fixture.session.directive == .play(low))
        #expect(fixture.end(Fixture.alarm) == [])
        #expect(fixture.end("strong") == [.duckEnded])
    }

    @Test func duckingIsPostedWhetherOrNotAnythingPlays() {
        var fixture = Fixture()
        fixture.command(.pause)
        #expect(fixture.begin(Fixture.alarm) == [.duckBegan(Fixture.duckLevel)])
        #expect(!fixture.plays)
    }

    @Test func duckPausesSpeech() {
        var fixture = Fixture { $0.mode = .spokenAudio }
        #expect(fixture.begin(Fixture.alarm) == [.began(.default)])
        #expect(!fixture.plays)
        #expect(fixture.end(Fixture.alarm) == [.ended(.shouldResume)])
    }

    @Test func mutedMicrophoneInterruptsOnlySessionsThatRecord() {
        var listener = Fixture()
        #expect(listener.begin(Fixture.cover) == [])
        #expect(listener.plays && listener.session.isMicrophoneMuted)
        #expect(listener.actions.contains(.muteMicrophone(true)))
        var recorder = Fixture { $0.category = .playAndRecord }
        #expect(recorder.begin(Fixture.cover) == [.began(.builtInMicMuted)])
        #expect(!recorder.plays && recorder.session.isMicrophoneMuted)
        var overriding = Fixture {
            $0.category = .record
            $0.options = .overrideMutedMicrophoneInterruption
        }
        #expect(overriding.begin(Fixture.cover) == [])
        #expect(overriding.plays && overriding.session.isMicrophoneMuted)
        overriding.end(Fixture.cover)
        #expect(overriding.actions.contains(.muteMicrophone(false)))
    }

    @Test func alertIsSuppressedAndSoIsItsEnd() {
        var fixture = Fixture {
            $0.prefersNoInterruptionsFromSystemAlerts = true
            $0.signals[0].isAlert = true
        }
        #expect(fixture.begin(Fixture.phone) == [])
        #expect(fixture.plays && fixture.session.active == [])
        #expect(fixture.noOpReasons == [.suppressed(Fixture.phone)])
        #expect(fixture.end(Fixture.phone) == [])
        #expect(fixture.noOpReasons == [.lateEnd(Fixture.phone)])
    }

    @Test func alertInterruptsASessionThatAcceptsAlerts() {
        var fixture = Fixture { $0.signals[0].isAlert = true }
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
    }

    @Test func beginsApplyBeforeEndsOfEdgesReadTogether() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        fixture.begin(Fixture.phone)
        let edges = [Edge(Fixture.phone, asserted: false), Edge("door", asserted: true)]
        #expect(fixture.handle(.edges(edges)) == [])
        #expect(fixture.session.isInterrupted)
    }

    @Test(arguments: [false, true]) func severalSignalsAtOnceInterruptForTheDefaultReason(micFirst: Bool) {
        var fixture = Fixture { $0.category = .record }
        let edges = [Edge(Fixture.phone, asserted: true), Edge(Fixture.cover, asserted: true)]
        #expect(fixture.handle(.edges(micFirst ? edges.reversed() : edges)) == [.began(.default)])
        var muted = Fixture { $0.category = .record }
        #expect(
            muted.handle(.edges([edges[1], Edge(Fixture.alarm, asserted: true)])).first == .began(.builtInMicMuted))
    }

    @Test func lastOfSeveralLevelsReadTogetherApplies() {
        var fixture = Fixture()
        #expect(
            fixture.handle(.edges([Edge(Fixture.phone, asserted: true), Edge(Fixture.phone, asserted: false)])) == [])
        #expect(!fixture.session.isInterrupted)
        fixture.begin(Fixture.phone)
        #expect(
            fixture.handle(.edges([Edge(Fixture.phone, asserted: false), Edge(Fixture.phone, asserted: true)])) == [])
        #expect(fixture.session.isInterrupted)
    }

    @Test func interruptionFoundOnWakingHasReasonAppWasSuspended() {
        var fixture = Fixture()
        #expect(fixture.handle(.awoke([Edge(Fixture.phone, asserted: true)])) == [.began(.appWasSuspended)])
        #expect(fixture.handle(.awoke([])) == [])
        // An interruption that took over continues the episode.
        #expect(
            fixture.handle(.awoke([Edge(Fixture.phone, asserted: false), Edge(Fixture.alarm, asserted: true)]))
                == [.ended(.shouldResume), .duckBegan(Fixture.duckLevel)])
    }

    @Test func checkpointSavesUrgently() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "ignition", effect: .checkpoint)) }
        fixture.begin("ignition")
        #expect(fixture.saves == [true])
        #expect(fixture.plays)
    }

    @Test func ignoredSignalIsListedAsActiveWithoutEffect() {
        var fixture = Fixture { $0.signals.append(SignalPolicy(id: "spare", effect: .ignore)) }
        #expect(fixture.begin("spare") == [])
        #expect(fixture.plays && fixture.session.active == ["spare"])
    }
}
