import AudioSession
import Testing

/// Contract, section 5: every row of its table.
@Suite struct CommandTests {
    @Test func play() {
        var scene = Scene()
        #expect(scene.command(.play) == .success)
        scene.command(.pause)
        #expect(scene.command(.play) == .success)
        scene.handle(.mediaServicesLost)
        #expect(scene.command(.play) == .deferred)
    }

    @Test func playWithoutATrackIsRemembered() {
        var scene = Scene({ $0.autoPlay = false }, trackCount: 0)
        #expect(scene.command(.play) == .noActionableNowPlayingItem)
        #expect(scene.session.intent == .playing && !scene.plays && scene.saves == [false])
        scene.handle(.tracksAvailable(3))
        #expect(scene.plays)
        // It is the user's last word, and the user's answer to a stuck signal.
        var interrupted = Scene({ $0.signals[0].resume = .manual }, trackCount: 0)
        interrupted.begin(Scene.phone)
        interrupted.handle(.fault(Fault(Scene.phone, .stuck)))
        #expect(interrupted.command(.play) == .noActionableNowPlayingItem)
        #expect(interrupted.notifications == [.ended([])] && interrupted.session.intent == .playing)
    }

    @Test func pause() {
        var scene = Scene()
        #expect(scene.command(.pause) == .success)
        #expect(scene.session.intent == .paused)
        #expect(scene.command(.pause) == .success)
        scene.command(.stop)
        #expect(scene.command(.pause) == .noActionableNowPlayingItem)
        #expect(scene.session.intent == .stopped)
    }

    @Test func playPause() {
        var scene = Scene()
        #expect(scene.command(.playPause) == .success)
        #expect(scene.session.intent == .paused)
        #expect(scene.command(.playPause) == .success)
        #expect(scene.plays)
    }

    @Test func playPausePlaysWheneverNothingIsHeard() {
        var scene = Scene()
        scene.begin(Scene.phone)
        // The user hears nothing and asks for music: that the intent is playing, nobody can see.
        #expect(scene.command(.playPause) == .deferred)
        #expect(scene.session.intent == .playing && scene.session.episode?.lastWord == .play)
        scene.command(.pause)
        #expect(scene.command(.playPause) == .deferred)
        #expect(scene.session.intent == .playing)
        scene.end(Scene.phone)
        scene.handle(.mediaServicesLost)
        #expect(scene.command(.playPause) == .deferred)
        #expect(scene.session.intent == .playing)
    }

    @Test func stop() {
        var scene = Scene()
        #expect(scene.command(.stop) == .success)
        #expect(scene.session.intent == .stopped)
        #expect(scene.actions.prefix(2) == [.apply(.silent, rewinding: false), .seek(.zero)])
    }

    @Test func nextAndPrevious() {
        var scene = Scene()
        #expect(scene.command(.next) == .success)
        #expect(scene.session.track == 1 && scene.plays)
        #expect(scene.actions.first == .load(track: 1, direction: .forwards))
        scene.command(.pause)
        #expect(scene.command(.previous) == .success)
        #expect(scene.session.track == 0 && scene.session.intent == .paused)
        #expect(scene.actions.first == .load(track: 0, direction: .backwards))
        var empty = Scene(trackCount: 0)
        #expect(empty.command(.next) == .noActionableNowPlayingItem)
        #expect(empty.command(.previous) == .noActionableNowPlayingItem)
    }

    @Test func pastEitherEnd() {
        var scene = Scene()
        #expect(scene.command(.previous) == .success)
        #expect(scene.session.intent == .stopped && scene.session.track == 0)
        scene.command(.play)
        scene.command(.next)
        scene.command(.next)
        #expect(scene.command(.next) == .success)
        #expect(scene.session.intent == .stopped && scene.session.track == 0)
    }

    @Test(arguments: [Policy.Repeat.track, .playlist]) func aListThatRepeatsHasNoEnds(repeats: Policy.Repeat) {
        var scene = Scene { $0.repeats = repeats }
        scene.command(.previous)
        #expect(scene.session.track == 2 && scene.plays)
        scene.command(.next)
        #expect(scene.session.track == 0 && scene.plays)
    }

    @Test func successors() {
        #expect(Policy.Repeat.none.successor(of: 2, count: 3) == nil)
        #expect(Policy.Repeat.playlist.successor(of: 2, count: 3) == 0)
        #expect(Policy.Repeat.track.successor(of: 1, count: 3) == 1)
        #expect(Policy.Repeat.playlist.successor(of: 0, count: 0) == nil)
    }

    @Test func seek() {
        var scene = Scene()
        #expect(scene.command(.seek(to: .seconds(5), trackLength: .seconds(60))) == .success)
        #expect(scene.actions.first == .seek(.seconds(5)))
        #expect(scene.command(.seek(to: .seconds(-5), trackLength: .seconds(60))) == .success)
        #expect(scene.actions.first == .seek(.zero))
        #expect(scene.command(.seek(to: .milliseconds(59_999), trackLength: .seconds(60))) == .success)
        #expect(scene.session.track == 0)
        #expect(scene.command(.seek(to: .seconds(60), trackLength: .seconds(60))) == .success)
        #expect(scene.session.track == 1)
        scene.command(.stop)
        #expect(scene.command(.seek(to: .seconds(5))) == .noActionableNowPlayingItem)
    }

    @Test func volume() throws {
        var scene = Scene()
        let level = try #require(Level(decibels: -6))
        #expect(scene.command(.volume(level)) == .success)
        #expect(scene.session.volume == level)
        #expect(scene.actions == [.setVolume(level), .save(urgently: false), .answer(.success)])
    }

    @Test func theProgrammeEnds() {
        var scene = Scene()
        scene.handle(.trackBegan(1))
        #expect(scene.session.track == 1 && scene.plays)
        scene.handle(.programmeEnded)
        #expect(scene.session.intent == .stopped && scene.session.track == 0)
        #expect(scene.actions.contains(.load(track: 0, direction: .forwards)))
    }

    @Test func levels() {
        #expect(Level(decibels: 0.1) == nil && Level(decibels: -120.1) == nil && Level(decibels: .nan) == nil)
        #expect(Level.mute.description == "mute" && Level(decibels: -10.5)?.description == "-10.5")
        #expect(Scene.duckLevel.attenuated(by: Scene.duckLevel).decibels == -28)
        #expect(Level.mute.attenuated(by: Scene.duckLevel) == .mute)
    }
}
