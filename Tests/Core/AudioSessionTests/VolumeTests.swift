import AudioSession
import Testing

/// `MaximumVolume`, which limits every way in which the volume can be set.
@Suite struct VolumeTests {
    private static let maximum = Level(decibels: -10) ?? .mute
    private static let quiet = Level(decibels: -30) ?? .mute

    private func fixture(saved: SavedSession? = nil, volume: Level = .full) -> Fixture {
        Fixture(
            {
                $0.maximumVolume = Self.maximum
                $0.volume = volume
            }, saved: saved)
    }

    private func setVolumes(_ fixture: Fixture) -> [Level] {
        fixture.actions.compactMap { if case .setVolume(let level) = $0 { level } else { nil } }
    }

    @Test func commandAboveTheMaximumSetsIt() {
        var fixture = fixture(volume: Self.quiet)
        #expect(fixture.session.volume == Self.quiet)
        #expect(fixture.command(.volume(.full)) == .success)
        #expect(fixture.session.volume == Self.maximum && fixture.session.saved.volume == Self.maximum)
        #expect(setVolumes(fixture) == [Self.maximum])
        // Nothing is left to change.
        #expect(fixture.command(.volume(.full)) == .success)
        #expect(setVolumes(fixture) == [])
        #expect(fixture.command(.volume(Self.quiet)) == .success)
        #expect(fixture.session.volume == Self.quiet)
    }

    @Test func configuredVolumeAboveTheMaximumIsTheMaximum() {
        #expect(Session(policy: Policy(maximumVolume: Self.maximum, signals: [])).volume == Self.maximum)
        let fixture = fixture()
        #expect(fixture.session.volume == Self.maximum && setVolumes(fixture) == [Self.maximum])
    }

    @Test func savedVolumeOfAnEarlierConfigurationIsLimited() {
        let saved = Fixture().session.saved
        #expect(saved.volume == .full)
        let fixture = fixture(saved: saved)
        #expect(fixture.session.volume == Self.maximum && setVolumes(fixture) == [Self.maximum])
    }

    @Test(arguments: [false, true]) func rebootWithALowerMaximumLowersTheVolume(continues: Bool) {
        var fixture = Fixture()
        var policy = fixture.session.policy
        policy.maximumVolume = Self.maximum
        fixture.reboot(continues: continues, policy: policy)
        #expect(fixture.session.volume == Self.maximum && setVolumes(fixture) == [Self.maximum])
    }

    @Test func adoptedMaximumLowersTheVolumeAndIsSaved() throws {
        var session = Fixture().session
        var policy = session.policy
        policy.maximumVolume = Self.maximum
        let adopted = session.adopt(policy, at: .seconds(1))
        let actions = try #require(adopted)
        #expect(session.volume == Self.maximum)
        #expect(actions.contains(.setVolume(Self.maximum)) && actions.contains(.save(urgently: false)))
        // A higher maximum does not make the music louder by itself.
        policy.maximumVolume = .full
        let raised = session.adopt(policy, at: .seconds(2)) ?? []
        #expect(session.volume == Self.maximum && !raised.contains { if case .setVolume = $0 { true } else { false } })
    }

    @Test func withoutAMaximumEveryVolumeIsPossible() {
        var fixture = Fixture()
        fixture.command(.volume(Self.quiet))
        fixture.command(.volume(.full))
        #expect(fixture.session.volume == .full)
    }
}
