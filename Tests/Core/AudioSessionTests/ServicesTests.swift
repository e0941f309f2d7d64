import AudioSession
import Testing

/// The device and its route, as the section Audio device of Semantics describes them.
@Suite struct ServicesTests {
    @Test func lossSilencesAndResetResumesWithARewind() {
        var fixture = Fixture()
        #expect(fixture.handle(.mediaServicesLost) == [.mediaServicesWereLost])
        #expect(fixture.actions.prefix(3) == [.apply(.silent, rewinding: false), .tearDown, .save(urgently: false)])
        #expect(fixture.handle(.mediaServicesLost) == [])
        #expect(fixture.handle(.mediaServicesReset) == [.mediaServicesWereReset])
        #expect(fixture.actions.prefix(2) == [.rebuild, .apply(.play(.full), rewinding: true)])
        fixture.handle(.mediaServicesReset)
        #expect(fixture.actions == [.log(.resetWithoutLoss)])
    }

    @Test func commandsChangeTheIntentWhileServicesAreLost() {
        var fixture = Fixture()
        fixture.handle(.mediaServicesLost)
        #expect(fixture.command(.pause) == .success)
        fixture.handle(.mediaServicesReset)
        #expect(!fixture.plays && fixture.session.intent == .paused)
    }

    @Test func resetPausesWithoutResumesAfterResetUnlessTheUserPlayed() {
        var fixture = Fixture { $0.resumesAfterReset = false }
        fixture.handle(.mediaServicesLost)
        fixture.handle(.mediaServicesReset)
        #expect(fixture.session.intent == .paused)
        fixture.handle(.mediaServicesLost)
        #expect(fixture.command(.play) == .deferred)
        fixture.handle(.mediaServicesReset)
        #expect(fixture.plays)
    }

    @Test func lastCommandWhileServicesAreLostCounts() {
        var fixture = Fixture { $0.resumesAfterReset = false }
        fixture.handle(.mediaServicesLost)
        fixture.command(.play)
        fixture.command(.pause)
        fixture.handle(.mediaServicesReset)
        #expect(fixture.session.intent == .paused)
    }

    @Test func interruptionContinuesWhileServicesAreLost() {
        var fixture = Fixture()
        fixture.handle(.mediaServicesLost)
        #expect(fixture.begin(Fixture.phone) == [.began(.default)])
        fixture.handle(.mediaServicesReset)
        #expect(!fixture.plays)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(fixture.plays)
    }

    /// The configuration may change before, during or after the episode.
    @Test(arguments: 0..<4) func configurationChangeNeverAffectsTheDirective(position: Int) {
        var fixture = Fixture()
        let steps: [Event] = [
            .edge(Edge(Fixture.phone, asserted: true)), .command(.play), .edge(Edge(Fixture.phone, asserted: false)),
        ]
        for (index, step) in steps.enumerated() {
            if index == position { change(&fixture) }
            fixture.handle(step)
        }
        if position == steps.count { change(&fixture) }
        #expect(fixture.plays)
    }

    private func change(_ fixture: inout Fixture) {
        let directive = fixture.session.directive
        #expect(fixture.handle(.configurationChanged) == [.configurationChanged])
        #expect(fixture.actions.first == .rebuild)
        #expect(fixture.session.directive == directive)
    }

    @Test func configurationChangeDoesNotRebuildALostDevice() {
        var fixture = Fixture()
        fixture.handle(.mediaServicesLost)
        #expect(fixture.handle(.configurationChanged) == [.configurationChanged])
        #expect(!fixture.actions.contains(.rebuild))
    }

    @Test func lostRoutePausesUnlessConfiguredOtherwise() {
        var fixture = Fixture()
        #expect(fixture.handle(.routeLost) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(fixture.session.intent == .paused)
        var unaffected = Fixture { $0.pausesOnRouteLoss = false }
        #expect(unaffected.handle(.routeLost) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(unaffected.plays)
    }

    @Test func returnOfTheRouteIsPostedOnceAndResumesNothing() {
        var fixture = Fixture()
        fixture.handle(.routeLost)
        #expect(fixture.handle(.routeLost) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(fixture.handle(.routeBack) == [.routeChanged(.newDeviceAvailable)])
        #expect(fixture.session.intent == .paused)
        #expect(fixture.handle(.routeBack) == [] && fixture.noOpReasons == [.routeBackWithoutLoss])
        // A boot uses the preferred device.
        fixture.handle(.routeLost)
        fixture.reboot()
        #expect(fixture.handle(.routeBack) == [])
    }

    @Test func startOnAFallbackNotifiesOnlyTheReturn() {
        var fixture = Fixture()
        #expect(fixture.handle(.routeFound) == [] && fixture.plays)
        #expect(fixture.handle(.routeBack) == [.routeChanged(.newDeviceAvailable)])
        #expect(fixture.plays && fixture.noOpReasons == [])
    }

    @Test func playDuringTheEpisodeSurvivesAReset() {
        var fixture = Fixture { $0.resumesAfterReset = false }
        fixture.begin(Fixture.phone)
        fixture.command(.play)
        fixture.handle(.mediaServicesLost)
        fixture.handle(.mediaServicesReset)
        #expect(fixture.session.intent == .playing)
        fixture.end(Fixture.phone)
        #expect(fixture.plays)
        // A `play` command before the episode does not make the music resume.
        fixture.command(.play)
        fixture.begin(Fixture.phone)
        fixture.handle(.mediaServicesLost)
        fixture.handle(.mediaServicesReset)
        #expect(fixture.session.intent == .paused)
    }

    @Test func lostRouteDuringAnInterruptionPauses() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        fixture.handle(.routeLost)
        #expect(fixture.end(Fixture.phone) == [.ended(.shouldResume)])
        #expect(!fixture.plays && fixture.session.intent == .paused)
    }
}
