import AudioSession
import Testing

/// Contract, sections 1 to 3.
@Suite struct SignalTests {
    @Test func aCallInterruptsAndItsEndResumes() {
        var scene = Scene()
        #expect(scene.plays)
        #expect(scene.begin(Scene.phone) == [.began(.default)])
        #expect(!scene.plays && scene.session.isInterrupted)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(scene.plays && !scene.session.isInterrupted)
    }

    @Test func theBeginIsPostedWhenPlaybackHasBeenToldToStopAndSaved() {
        var scene = Scene()
        scene.begin(Scene.phone)
        #expect(scene.actions == [.apply(.silent, rewinding: false), .save(urgently: false), .post(.began(.default))])
    }

    @Test func aDuplicateBeginChangesNothing() {
        var scene = Scene()
        scene.begin(Scene.phone)
        let before = scene.session
        #expect(scene.begin(Scene.phone) == [])
        #expect(scene.session == before && scene.actions.isEmpty)
    }

    @Test func anEndWithoutABeginIsLogged() {
        var scene = Scene()
        #expect(scene.end(Scene.phone) == [])
        #expect(scene.actions == [.log(.endWithoutBegin(Scene.phone))])
    }

    @Test func anUnknownSignalIsLogged() {
        var scene = Scene()
        scene.begin("doorbell")
        #expect(scene.actions == [.log(.unknownSignal("doorbell"))])
    }

    @Test func anEpisodeLastsFromTheFirstToTheLast() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        #expect(scene.begin(Scene.phone) == [.began(.default)])
        #expect(scene.begin("door") == [])
        #expect(scene.end(Scene.phone) == [])
        #expect(!scene.plays)
        #expect(scene.end("door") == [.ended(.shouldResume)])
    }

    @Test func duckingIsNoInterruption() {
        var scene = Scene()
        #expect(scene.begin(Scene.alarm) == [.duckBegan(Scene.duckLevel)])
        #expect(scene.session.directive == .play(Scene.duckLevel) && !scene.session.isInterrupted)
        #expect(scene.end(Scene.alarm) == [.duckEnded])
        #expect(scene.session.directive == .play(.full))
    }

    @Test func theLowestLevelCounts() throws {
        let low = try #require(Level(decibels: -30))
        var scene = Scene { $0.signals.append(SignalPolicy(id: "strong", effect: .duck(low))) }
        scene.begin(Scene.alarm)
        #expect(scene.begin("strong") == [.duckChanged(low)])
        #expect(scene.session.directive == .play(low))
        #expect(scene.end(Scene.alarm) == [])
        #expect(scene.end("strong") == [.duckEnded])
    }

    @Test func duckingIsPostedWhetherOrNotAnythingPlays() {
        var scene = Scene()
        scene.command(.pause)
        #expect(scene.begin(Scene.alarm) == [.duckBegan(Scene.duckLevel)])
        #expect(!scene.plays)
    }

    @Test func aDuckPausesSpeech() {
        var scene = Scene { $0.mode = .spokenAudio }
        #expect(scene.begin(Scene.alarm) == [.began(.default)])
        #expect(!scene.plays)
        #expect(scene.end(Scene.alarm) == [.ended(.shouldResume)])
    }

    @Test func aMutedMicrophoneInterruptsOnlyWhoRecords() {
        var listener = Scene()
        #expect(listener.begin(Scene.cover) == [])
        #expect(listener.plays && listener.session.isMicrophoneMuted)
        #expect(listener.actions.contains(.muteMicrophone(true)))
        var recorder = Scene { $0.category = .playAndRecord }
        #expect(recorder.begin(Scene.cover) == [.began(.builtInMicMuted)])
        #expect(!recorder.plays && recorder.session.isMicrophoneMuted)
        var overriding = Scene {
            $0.category = .record
            $0.options = .overrideMutedMicrophoneInterruption
        }
        #expect(overriding.begin(Scene.cover) == [])
        #expect(overriding.plays && overriding.session.isMicrophoneMuted)
        overriding.end(Scene.cover)
        #expect(overriding.actions.contains(.muteMicrophone(false)))
    }

    @Test func alertsAreSuppressedAndSoAreTheirEnds() {
        var scene = Scene {
            $0.prefersNoInterruptionsFromSystemAlerts = true
            $0.signals[0].isAlert = true
        }
        #expect(scene.begin(Scene.phone) == [])
        #expect(scene.plays && scene.session.active == [])
        #expect(scene.remarks == [.suppressed(Scene.phone)])
        #expect(scene.end(Scene.phone) == [])
        #expect(scene.remarks == [.lateEnd(Scene.phone)])
    }

    @Test func anAlertInterruptsWhoDoesNotMind() {
        var scene = Scene { $0.signals[0].isAlert = true }
        #expect(scene.begin(Scene.phone) == [.began(.default)])
    }

    @Test func edgesReadTogetherCountBeginsFirst() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "door", effect: .pause)) }
        scene.begin(Scene.phone)
        let edges = [Edge(Scene.phone, asserted: false), Edge("door", asserted: true)]
        #expect(scene.handle(.edges(edges)) == [])
        #expect(scene.session.isInterrupted)
    }

    @Test(arguments: [false, true]) func severalSignalsAtOnceInterruptForTheDefaultReason(micFirst: Bool) {
        var scene = Scene { $0.category = .record }
        let edges = [Edge(Scene.phone, asserted: true), Edge(Scene.cover, asserted: true)]
        #expect(scene.handle(.edges(micFirst ? edges.reversed() : edges)) == [.began(.default)])
        var muted = Scene { $0.category = .record }
        #expect(muted.handle(.edges([edges[1], Edge(Scene.alarm, asserted: true)])).first == .began(.builtInMicMuted))
    }

    @Test func ofSeveralLevelsReadTogetherTheLastCounts() {
        var scene = Scene()
        #expect(scene.handle(.edges([Edge(Scene.phone, asserted: true), Edge(Scene.phone, asserted: false)])) == [])
        #expect(!scene.session.isInterrupted)
        scene.begin(Scene.phone)
        #expect(scene.handle(.edges([Edge(Scene.phone, asserted: false), Edge(Scene.phone, asserted: true)])) == [])
        #expect(scene.session.isInterrupted)
    }

    @Test func whatIsFoundOnWakingBeganWhileSuspended() {
        var scene = Scene()
        #expect(scene.handle(.awoke([Edge(Scene.phone, asserted: true)])) == [.began(.appWasSuspended)])
        #expect(scene.handle(.awoke([])) == [])
        // An interruption that took over continues the episode.
        #expect(
            scene.handle(.awoke([Edge(Scene.phone, asserted: false), Edge(Scene.alarm, asserted: true)]))
                == [.ended(.shouldResume), .duckBegan(Scene.duckLevel)])
    }

    @Test func aCheckpointSavesAtOnce() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "ignition", effect: .checkpoint)) }
        scene.begin("ignition")
        #expect(scene.saves == [true])
        #expect(scene.plays)
    }

    @Test func anIgnoredSignalIsShownAndHasNoEffect() {
        var scene = Scene { $0.signals.append(SignalPolicy(id: "spare", effect: .ignore)) }
        #expect(scene.begin("spare") == [])
        #expect(scene.plays && scene.session.active == ["spare"])
    }
}
