import AudioSession
import Testing

/// Every row of the table in the section Resuming of AudioSession's Semantics.
@Suite struct ResumingTests {
    @Test(arguments: [Command.pause, .stop]) func staysSilentWhenTheUserPausedBeforeTheCall(command: Command) {
        var fixture = Fixture()
        fixture.command(command)
        let intent = fixture.session.intent
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(!fixture.plays && fixture.session.intent == intent)
    }

    @Test(arguments: [Command.pause, .stop]) func staysSilentWhenTheUserPausedDuringTheCall(command: Command) {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.command(command)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(!fixture.plays)
    }

    @Test(arguments: SignalPolicy.Resume.allCases) func playsAfterTheCallWhenTheUserPlayedDuringIt(
        resume: SignalPolicy.Resume
    ) {
        var fixture = Fixture { $0.signals[0].resume = resume }
        fixture.command(.pause)
        fixture.begin(Fixture.phone)
        #expect(fixture.command(.play) == .deferred)
        #expect(!fixture.plays)
        fixture.end(Fixture.phone)
        #expect(fixture.plays)
    }

    @Test func lastOfSeveralCommandsDecides() {
        var fixture = Fixture { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        fixture.command(.pause)
        fixture.command(.play)
        fixture.end(Fixture.phone)
        #expect(fixture.plays)
    }

    @Test func manualResumeWaitsForTheUser() {
        var fixture = Fixture { $0.signals[0].resume = .manual }
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone) == [.ended([])])
        #expect(!fixture.plays && fixture.session.intent == .paused)
        #expect(fixture.command(.play) == .success)
        #expect(fixture.plays)
    }

    @Test func applianceWithoutControlsResumesWithoutRecommendation() {
        var fixture = Fixture {
            $0.signals[0].resume = .manual
            $0.hasPlaybackInterface = false
        }
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone) == [.ended([])])
        #expect(fixture.plays)
    }

    @Test func outlastedResumeWithinPreventsResuming() {
        var fixture = Fixture { $0.signals[0].resumeWithin = .seconds(10) }
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone, after: 10) == [.ended(.shouldResume)])
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone, after: 11) == [.ended([])])
    }

    @Test func shouldResumeRequiresAllInterruptionsToRecommendIt() {
        var fixture = Fixture {
            $0.signals.append(SignalPolicy(id: "door", effect: .pause, resume: .manual))
        }
        fixture.begin("door")
        fixture.begin(Fixture.phone)
        fixture.end("door")
        #expect(fixture.end(Fixture.phone) == [.ended([])])
        fixture.command(.play)
        // The next episode starts without that command.
        fixture.begin(Fixture.phone)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
    }

    @Test func duckDoesNotAffectTheRecommendation() {
        var fixture = Fixture { $0.signals[1].resume = .manual }
        fixture.begin(Fixture.phone)
        fixture.begin(Fixture.alarm)
        fixture.end(Fixture.alarm)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
    }

    @Test func rewindsOnlyAfterAnInterruption() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.end(Fixture.phone)
        #expect(fixture.actions.first == .apply(.play(.full), rewinding: true))
        fixture.command(.pause)
        fixture.command(.play)
        #expect(fixture.actions.first == .apply(.play(.full), rewinding: false))
        fixture.begin(Fixture.phone)
        fixture.command(.seek(to: .seconds(5)))
        fixture.end(Fixture.phone)
        #expect(fixture.actions.first == .apply(.play(.full), rewinding: false))
    }
}
