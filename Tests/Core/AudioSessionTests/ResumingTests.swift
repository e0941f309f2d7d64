import AudioSession
import Testing

/// Contract, sections 3 and 4: every row of its table.
@Suite struct ResumingTests {
    @Test(arguments: [Command.pause, .stop]) func theUserPausedBefore(command: Command) {
        var scene = Scene()
        scene.command(command)
        let intent = scene.session.intent
        #expect(scene.begin(Scene.phone) == [.began(.default)])
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(!scene.plays && scene.session.intent == intent)
    }

    @Test(arguments: [Command.pause, .stop]) func theUserPausedMeanwhile(command: Command) {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.command(command)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
        #expect(!scene.plays)
    }

    @Test(arguments: SignalPolicy.Resume.allCases) func theUserPlayedMeanwhile(resume: SignalPolicy.Resume) {
        var scene = Scene { $0.signals[0].resume = resume }
        scene.command(.pause)
        scene.begin(Scene.phone)
        #expect(scene.command(.play) == .deferred)
        #expect(!scene.plays)
        scene.end(Scene.phone)
        #expect(scene.plays)
    }

    @Test func theLastWordCounts() {
        var scene = Scene { $0.signals[0].resume = .manual }
        scene.begin(Scene.phone)
        scene.command(.pause)
        scene.command(.play)
        scene.end(Scene.phone)
        #expect(scene.plays)
    }

    @Test func manualResumeWaitsForTheUser() {
        var scene = Scene { $0.signals[0].resume = .manual }
        scene.begin(Scene.phone)
        #expect(scene.end(Scene.phone) == [.ended([])])
        #expect(!scene.plays && scene.session.intent == .paused)
        #expect(scene.command(.play) == .success)
        #expect(scene.plays)
    }

    @Test func anApplianceWithoutControlsIgnoresTheHint() {
        var scene = Scene {
            $0.signals[0].resume = .manual
            $0.hasPlaybackInterface = false
        }
        scene.begin(Scene.phone)
        #expect(scene.end(Scene.phone) == [.ended([])])
        #expect(scene.plays)
    }

    @Test func resumeWithin() {
        var scene = Scene { $0.signals[0].resumeWithin = .seconds(10) }
        scene.begin(Scene.phone)
        #expect(scene.end(Scene.phone, after: 10) == [.ended(.shouldResume)])
        scene.begin(Scene.phone)
        #expect(scene.end(Scene.phone, after: 11) == [.ended([])])
    }

    @Test func allHaveToRecommendIt() {
        var scene = Scene {
            $0.signals.append(SignalPolicy(id: "door", effect: .pause, resume: .manual))
        }
        scene.begin("door")
        scene.begin(Scene.phone)
        scene.end("door")
        #expect(scene.end(Scene.phone) == [.ended([])])
        scene.command(.play)
        // What an episode knew is forgotten with it.
        scene.begin(Scene.phone)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
    }

    @Test func duckingDoesNotVote() {
        var scene = Scene { $0.signals[1].resume = .manual }
        scene.begin(Scene.phone)
        scene.begin(Scene.alarm)
        scene.end(Scene.alarm)
        #expect(scene.end(Scene.phone) == [.ended(.shouldResume)])
    }

    @Test func itGoesOnEarlierOnlyAfterAnInterruption() {
        var scene = Scene()
        scene.begin(Scene.phone)
        scene.end(Scene.phone)
        #expect(scene.actions.first == .apply(.play(.full), rewinding: true))
        scene.command(.pause)
        scene.command(.play)
        #expect(scene.actions.first == .apply(.play(.full), rewinding: false))
        scene.begin(Scene.phone)
        scene.command(.seek(to: .seconds(5)))
        scene.end(Scene.phone)
        #expect(scene.actions.first == .apply(.play(.full), rewinding: false))
    }
}
