import AudioSession
import Testing

/// Every row of the table in the section Commands of AudioSession's Semantics.
@Suite struct CommandTests {
    @Test func playSucceedsOrIsDeferredWithoutServices() {
        var fixture = Fixture()
        #expect(fixture.command(.play) == .success)
        fixture.command(.pause)
        #expect(fixture.command(.play) == .success)
        fixture.handle(.mediaServicesLost)
        #expect(fixture.command(.play) == .deferred)
    }

    @Test func playWithoutATrackChangesTheIntent() {
        var fixture = Fixture({ $0.autoPlay = false }, trackCount: 0)
        #expect(fixture.command(.play) == .noActionableNowPlayingItem)
        #expect(fixture.session.intent == .playing && !fixture.plays && fixture.saves == [false])
        fixture.handle(.tracksAvailable(3))
        #expect(fixture.plays)
        // This command is also stored as the user's last command, and drops a stuck signal.
        var interrupted = Fixture({ $0.signals[0].resume = .manual }, trackCount: 0)
        interrupted.begin(Fixture.phone)
        interrupted.handle(.fault(Fault(Fixture.phone, .stuck)))
        #expect(interrupted.command(.play) == .noActionableNowPlayingItem)
        #expect(interrupted.notifications == [.ended([])] && interrupted.session.intent == .playing)
    }

    @Test func pauseChangesTheIntentUnlessStopped() {
        var fixture = Fixture()
        #expect(fixture.command(.pause) == .success)
        #expect(fixture.session.intent == .paused)
        #expect(fixture.command(.pause) == .success)
        fixture.command(.stop)
        #expect(fixture.command(.pause) == .noActionableNowPlayingItem)
        #expect(fixture.session.intent == .stopped)
    }

    @Test func playPauseToggles() {
        var fixture = Fixture()
        #expect(fixture.command(.playPause) == .success)
        #expect(fixture.session.intent == .paused)
        #expect(fixture.command(.playPause) == .success)
        #expect(fixture.plays)
    }

    @Test func playPausePlaysWheneverTheDirectiveIsSilent() {
        var fixture = Fixture()
        fixture.begin(Fixture.phone)
        // Because nothing is played, the command means play. A user cannot see the intent.
        #expect(fixture.command(.playPause) == .deferred)
        #expect(fixture.session.intent == .playing && fixture.session.episode?.lastCommand == .play)
        fixture.command(.pause)
        #expect(fixture.command(.playPause) == .deferred)
        #expect(fixture.session.intent == .playing)
        fixture.end(Fixture.phone)
        fixture.handle(.mediaServicesLost)
        #expect(fixture.command(.playPause) == .deferred)
        #expect(fixture.session.intent == .playing)
    }

    @Test func stopReturnsToTheStartOfTheTrack() {
        var fixture = Fixture()
        #expect(fixture.command(.stop) == .success)
        #expect(fixture.session.intent == .stopped)
        #expect(fixture.actions.prefix(2) == [.apply(.silent, rewinding: false), .seek(.zero)])
    }

    @Test func nextAndPreviousSelectTracksAndKeepTheIntent() {
        var fixture = Fixture()
        #expect(fixture.command(.next) == .success)
        #expect(fixture.session.track == 1 && fixture.plays)
        #expect(fixture.actions.first == .load(track: 1, direction: .forwards))
        fixture.command(.pause)
        #expect(fixture.command(.previous) == .success)
        #expect(fixture.session.track == 0 && fixture.session.intent == .paused)
        #expect(fixture.actions.first == .load(track: 0, direction: .backwards))
        var empty = Fixture(trackCount: 0)
        #expect(empty.command(.next) == .noActionableNowPlayingItem)
        #expect(empty.command(.previous) == .noActionableNowPlayingItem)
    }

    @Test func steppingPastEitherEndStopsAtTheFirstTrack() {
        var fixture = Fixture()
        #expect(fixture.command(.previous) == .success)
        #expect(fixture.session.intent == .stopped && fixture.session.track == 0)
        fixture.command(.play)
        fixture.command(.next)
        fixture.command(.next)
        #expect(fixture.command(.next) == .success)
        #expect(fixture.session.intent == .stopped && fixture.session.track == 0)
    }

    @Test(arguments: [Policy.Repeat.track, .playlist]) func steppingWrapsAroundInARepeatingList(repeats: Policy.Repeat)
    {
        var fixture = Fixture { $0.repeats = repeats }
        fixture.command(.previous)
        #expect(fixture.session.track == 2 && fixture.plays)
        fixture.command(.next)
        #expect(fixture.session.track == 0 && fixture.plays)
    }

    @Test func successorDependsOnRepeat() {
        #expect(Policy.Repeat.none.successor(of: 2, count: 3) == nil)
        #expect(Policy.Repeat.playlist.successor(of: 2, count: 3) == 0)
        #expect(Policy.Repeat.track.successor(of: 1, count: 3) == 1)
        #expect(Policy.Repeat.playlist.successor(of: 0, count: 0) == nil)
    }

    @Test func seekClampsToTheStartAndContinuesWithTheNextTrack() {
        var fixture = Fixture()
        #expect(fixture.command(.seek(to: .seconds(5), trackLength: .seconds(60))) == .success)
        #expect(fixture.actions.first == .seek(.seconds(5)))
        #expect(fixture.command(.seek(to: .seconds(-5), trackLength: .seconds(60))) == .success)
        #expect(fixture.actions.first == .seek(.zero))
        #expect(fixture.command(.seek(to: .milliseconds(59_999), trackLength: .seconds(60))) == .success)
        #expect(fixture.session.track == 0)
        #expect(fixture.command(.seek(to: .seconds(60), trackLength: .seconds(60))) == .success)
        #expect(fixture.session.track == 1)
        fixture.command(.stop)
        #expect(fixture.command(.seek(to: .seconds(5))) == .noActionableNowPlayingItem)
    }

    @Test func volumeIsSetAndSaved() throws {
        var fixture = Fixture()
        let level = try #require(Level(decibels: -6))
        #expect(fixture.command(.volume(level)) == .success)
        #expect(fixture.session.volume == level)
        #expect(fixture.actions == [.setVolume(level), .save(urgently: false), .answer(.success)])
    }

    @Test func endOfTheMusicStopsAtTheFirstTrack() {
        var fixture = Fixture()
        fixture.handle(.trackBegan(1))
        #expect(fixture.session.track == 1 && fixture.plays)
        fixture.handle(.playbackEnded)
        #expect(fixture.session.intent == .stopped && fixture.session.track == 0)
        #expect(fixture.actions.contains(.load(track: 0, direction: .forwards)))
    }

    @Test func levelsAreClampedAndFormatted() {
        #expect(Level(decibels: 0.1) == nil && Level(decibels: -120.1) == nil && Level(decibels: .nan) == nil)
        #expect(Level.mute.description == "mute" && Level(decibels: -10.5)?.description == "-10.5")
        #expect(Fixture.duckLevel.attenuated(by: Fixture.duckLevel).decibels == -28)
        #expect(Level.mute.attenuated(by: Fixture.duckLevel) == .mute)
    }

    @Test func goToPlaysThatTrackOfTheList() {
        var fixture = Fixture()
        fixture.command(.stop)
        #expect(fixture.command(.goTo(track: 2)) == .success)
        #expect(fixture.session.track == 2 && fixture.plays && fixture.saves.count == 1)
        #expect(fixture.actions.first == .load(track: 2, direction: .forwards))
        // The list continues from there.
        fixture.command(.previous)
        #expect(fixture.session.track == 1)
        // During an interruption, it is the user's last command.
        fixture.begin(Fixture.phone)
        #expect(fixture.command(.goTo(track: 0)) == .deferred)
        #expect(fixture.session.episode?.lastCommand == .play && fixture.session.track == 0)
    }

    @Test func goToATrackOfAnotherListChangesNothing() {
        var fixture = Fixture()
        fixture.command(.pause)
        for track in [-1, 3, .max, .min] {
            #expect(fixture.command(.goTo(track: track)) == .noActionableNowPlayingItem)
            #expect(fixture.session.track == 0 && fixture.session.intent == .paused && fixture.saves.isEmpty)
        }
        fixture.command(.choose(Choice(ChoiceRequest("stories"), tracks: 100..<103)))
        #expect(fixture.command(.goTo(track: 1)) == .noActionableNowPlayingItem && fixture.session.track == 100)
        #expect(fixture.command(.goTo(track: 102)) == .success && fixture.session.track == 102)
        // The choice ends after its last track, and the library continues where it was left.
        fixture.handle(.choiceEnded)
        #expect(fixture.session.track == 0)
        #expect(fixture.command(.goTo(track: 101)) == .noActionableNowPlayingItem)
        var empty = Fixture(trackCount: 0)
        #expect(empty.command(.goTo(track: 0)) == .noActionableNowPlayingItem)
    }

    @Test func goToPassesOverAnInputThatSounds() {
        var fixture = Fixture({ $0.inputs = [InputPolicy(id: "fm-radio")] })
        fixture.handle(.inputBegan("fm-radio"))
        #expect(fixture.session.source == .input("fm-radio"))
        #expect(fixture.command(.goTo(track: 1)) == .success)
        #expect(fixture.session.source == .library && fixture.session.track == 1)
    }
}
