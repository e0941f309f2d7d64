import AudioSession
import Testing

/// Reloads, in which a new session replaces another. For each beginning that its predecessor posted, an end must
/// follow.
@Suite struct SuccessionTests {
    @Test func reloadReportsADeviceThatReturned() {
        var fixture = Fixture()
        fixture.handle(.mediaServicesLost)
        fixture.reboot(continues: true)
        #expect(fixture.notifications == [.mediaServicesWereReset] && fixture.plays)
        // The saved position includes the rewind.
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func reloadDoesNotRepeatALossOfServices() {
        var fixture = Fixture()
        fixture.handle(.mediaServicesLost)
        fixture.reboot(continues: true, servicesAvailable: false)
        #expect(fixture.notifications == [] && !fixture.plays)
        #expect(fixture.handle(.mediaServicesReset) == [.mediaServicesWereReset])
        #expect(fixture.plays)
    }

    @Test func reloadReportsADeviceLostMeanwhile() {
        var fixture = Fixture()
        fixture.reboot(continues: true, servicesAvailable: false)
        #expect(fixture.notifications == [.mediaServicesWereLost])
    }

    /// If `resumesAfterReset` is off, a reload that resets the services does not resume either, unless the user gave
    /// the command `play`.
    @Test func reloadAfterALossResumesOnlyIfTheUserPlayed() {
        var fixture = Fixture { $0.resumesAfterReset = false }
        fixture.handle(.mediaServicesLost)
        fixture.reboot(continues: true)
        #expect(!fixture.plays && fixture.session.intent == .paused)
        fixture.command(.play)
        fixture.handle(.mediaServicesLost)
        fixture.command(.play)
        fixture.reboot(continues: true, servicesAvailable: false)
        fixture.handle(.mediaServicesReset)
        #expect(fixture.plays)
    }

    /// The user did not request silence, so the music rewinds.
    @Test func reloadThatSilencesTheMusicRewindsIt() {
        var fixture = Fixture()
        fixture.reboot(lines: [Fixture.phone: .asserted], continues: true)
        #expect(!fixture.plays && fixture.session.rewindsOnResume)
        fixture.end(Fixture.phone)
        #expect(fixture.actions.contains(.apply(.play(.full), rewinding: true)))
        // A reload that does not silence the music does not rewind it.
        fixture.reboot(continues: true)
        #expect(fixture.plays && fixture.actions.contains(.apply(.play(.full), rewinding: false)))
    }

    @Test func reloadReportsTheEndOfADuck() {
        var fixture = Fixture()
        fixture.begin(Fixture.alarm)
        fixture.reboot(continues: true)
        #expect(fixture.notifications == [.duckEnded])
    }

    @Test func reloadReportsAChangedDuckLevel() throws {
        let level = try #require(Level(decibels: -20))
        var fixture = Fixture()
        fixture.begin(Fixture.alarm)
        var policy = fixture.session.policy
        policy.signals[1].effect = .duck(level)
        fixture.reboot(lines: [Fixture.alarm: .asserted], continues: true, policy: policy)
        #expect(fixture.notifications == [.duckChanged(level)])
        // Speech pauses instead of being ducked.
        policy.mode = .spokenAudio
        fixture.reboot(lines: [Fixture.alarm: .asserted], continues: true, policy: policy)
        #expect(fixture.notifications == [.began(.appWasSuspended), .duckEnded])
    }

    /// The predecessor's episode is taken into account even without a saved state.
    @Test func interruptionEndsAfterAReloadWithoutASavedState() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        let before = fixture.session
        fixture.session = Session(policy: before.policy)
        let boot = Boot(saved: nil, trackCount: 3, predecessor: Boot.Predecessor(before))
        #expect(fixture.handle(.boot(boot)) == [.ended(.shouldResume)])
    }
}
