import ALSA
import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor
import Testing

/// Searches of a player that searches asynchronously and reports the result with an event.
@Suite struct SearchTests {
    private let world = ScriptedWorld()

    private func boot(tracks: Int = 3) -> ScriptedSupervisor {
        world.player.isSlow = true
        // The list has an end.
        var configuration = Configuration.builtIn
        configuration.session.repeats = .none
        let supervisor = ScriptedSupervisor(
            configuration: configuration, tracks: (0..<tracks).map { Track(path: "/music/\($0)") }, world: world)
        supervisor.boot()
        _ = world.takeCalls()
        return supervisor
    }

    private func tell(_ event: PlaybackEvent, _ supervisor: ScriptedSupervisor) {
        world.player.events = [event]
        supervisor.settle()
    }

    @Test func trackInSearchIsTheCurrentTrack() {
        let supervisor = boot()
        #expect(supervisor.session.track == 0)
        #expect(supervisor.session.directive == .play(.full))
    }

    @Test func findingTheSelectedTrackIsNotReported() {
        let supervisor = boot()
        let known = world.reports.count
        tell(.loaded(track: 0), supervisor)
        #expect(world.reports.count == known)
    }

    @Test func findingAnotherTrackSelectsIt() {
        let supervisor = boot()
        tell(.loaded(track: 2), supervisor)
        #expect(world.reports.last?.cause == .event(.trackBegan(2), .trackFound))
        #expect(supervisor.session.track == 2)
    }

    @Test func delayedTrackIsNotReportedAsPlaying() {
        let supervisor = boot()
        tell(.loaded(track: 0), supervisor)
        world.player.before = world.player.playhead
        supervisor.command(.next)
        #expect(supervisor.trackNumber == 1)
        #expect(supervisor.deadline == world.now + .seconds(1))

        world.now += .seconds(1)
        supervisor.settle()
        #expect(world.reports.last?.cause == .note(.trackDelayed))
        #expect(supervisor.trackNumber == 0 && supervisor.track?.path == "/music/0")
        // The user's choice is kept for a boot.
        #expect(supervisor.session.track == 1)

        world.player.before = nil
        tell(.loaded(track: 1), supervisor)
        #expect(world.reports.last?.cause == .event(.trackBegan(1), .trackFound))
        #expect(supervisor.track?.path == "/music/1")
    }

    @Test func trackFoundInTimeIsNotReportedAsDelayed() {
        let supervisor = boot()
        tell(.loaded(track: 0), supervisor)
        supervisor.command(.next)
        let known = world.reports.count
        tell(.loaded(track: 1), supervisor)
        world.now += .seconds(2)
        supervisor.settle()
        #expect(world.reports.count == known)
    }

    @Test func searchWithoutResultInOneDirectionEndsTheList() {
        let supervisor = boot()
        tell(.loaded(track: 0), supervisor)
        supervisor.command(.next)
        _ = world.takeCalls()
        tell(.nothingToLoad, supervisor)
        // The search continues from the start. If it finds a track there, the list has ended.
        #expect(world.takeCalls() == ["load 0 at 0.0 seconds"])
        tell(.loaded(track: 0), supervisor)
        #expect(world.reports.last?.cause == .event(.playbackEnded))
        #expect(supervisor.session.intent == .stopped)
        #expect(supervisor.session.track == 0)
    }

    @Test func searchWithoutAnyResultReportsThatTheTracksAreGone() {
        let supervisor = boot()
        tell(.nothingToLoad, supervisor)
        tell(.nothingToLoad, supervisor)
        #expect(world.reports.last?.cause == .event(.tracksAvailable(0)))
        #expect(supervisor.session.track == nil)
        #expect(supervisor.session.directive == .silent)
        #expect(supervisor.session.intent == .playing)

        // A command starts another search, and the result plays, because the intent is playing.
        supervisor.command(.play)
        #expect(world.reports.last?.answer == .noActionableNowPlayingItem)
        tell(.loaded(track: 1), supervisor)
        #expect(supervisor.session.track == 1)
        #expect(supervisor.session.directive == .play(.full))
    }

    @Test func playIsDeferredWhileTheLibraryIsRead() {
        let supervisor = ScriptedSupervisor(configuration: .builtIn, tracks: [], world: world)
        supervisor.boot()
        // Tracks that have not been read yet are not reported as unplayable.
        #expect(!world.reports.contains { $0.cause == .event(.tracksAvailable(0)) || $0.foundTracks == 0 })
        #expect(supervisor.command(.play) == .noActionableNowPlayingItem)
        supervisor.handle(.library(isPending: true))
        #expect(supervisor.command(.play) == .deferred && supervisor.command(.playPause) == .deferred)
        #expect(supervisor.command(.next) == .noActionableNowPlayingItem)
        #expect(supervisor.session.intent == .playing)
    }

    private func bootFromState() -> ScriptedSupervisor {
        world.state = SavedState(
            savedAt: .seconds(990), intent: "playing", track: "/music/1", position: .seconds(12), volume: 0,
            shuffleSeed: 3, held: [], episode: nil)
        return boot()
    }

    /// For example, a disk is mounted late, and playback resumes at the saved position.
    @Test func positionSurvivesATemporarilyUnreadableTrack() {
        let supervisor = bootFromState()
        while world.reports.last?.cause != .event(.tracksAvailable(0)) { tell(.nothingToLoad, supervisor) }
        #expect(world.state?.track == "/music/1" && world.state?.position == .seconds(12))
        _ = world.takeCalls()
        supervisor.handle(.tracksMayHaveReturned)
        #expect(world.takeCalls() == ["load 1 at 12.0 seconds"])
        tell(.loaded(track: 1), supervisor)
        #expect(supervisor.session.track == 1 && supervisor.session.directive == .play(.full))
        #expect(world.state?.track == "/music/1" && world.state?.position == .seconds(12))
    }

    /// The files on the disk cannot be read, although its folder can be listed.
    @Test func musicContinuesWhereItsReportedPositionIs() {
        world.player.isSlow = true
        let supervisor = ScriptedSupervisor(
            configuration: .builtIn, tracks: (0..<3).map { Track(path: "/music/\($0)") }, world: world)
        supervisor.boot()
        tell(.loaded(track: 0), supervisor)
        world.player.play(to: .seconds(12))
        tell(.playbackEnded, supervisor)
        #expect(world.reports.last?.cause == .event(.tracksAvailable(0)) && supervisor.position == .seconds(12))
        #expect(world.state?.position == .seconds(12))
        _ = world.takeCalls()
        supervisor.handle(.tracksMayHaveReturned)
        #expect(world.takeCalls() == ["load 0 at 12.0 seconds"])
    }

    @Test func firstPlayableTrackReplacesAMissingOne() {
        let supervisor = bootFromState()
        while world.reports.last?.cause != .event(.tracksAvailable(0)) { tell(.nothingToLoad, supervisor) }
        supervisor.handle(.tracksMayHaveReturned)
        _ = world.takeCalls()
        tell(.nothingToLoad, supervisor)
        #expect(world.takeCalls() == ["load 0 at 0.0 seconds"])
        tell(.loaded(track: 0), supervisor)
        #expect(supervisor.session.track == 0 && supervisor.session.directive == .play(.full))
    }

    /// The player answers at once, as in a rehearsal.
    @Test func bootPlaysTheFirstTrackIfTheSavedOneIsUnplayable() {
        let supervisor = bootFromState()
        tell(.nothingToLoad, supervisor)
        tell(.loaded(track: 0), supervisor)
        #expect(supervisor.session.track == 0 && supervisor.session.intent == .playing)
    }

    @Test func storageLossAndFormatChangeAreReported() {
        let supervisor = boot()
        tell(.storageLost(StorageLoss(path: "/music/0")), supervisor)
        #expect(world.reports.last?.cause == .note(.playback(.storageLost(StorageLoss(path: "/music/0")))))
        tell(.configurationChanged(StreamFormat(rate: 44_100, channels: 2)), supervisor)
        #expect(world.reports.last?.notifications == [.configurationChanged])
    }

    /// Otherwise, “nothing to play” would stay in the health report while a track plays.
    @Test func reportsTracksThatASearchFindsAtOnce() {
        let supervisor = boot()
        tell(.nothingToLoad, supervisor)
        tell(.nothingToLoad, supervisor)
        world.player.isSlow = false
        supervisor.handle(.tracksMayHaveReturned)
        #expect(world.reports.last?.cause == .note(.tracksSought))
        #expect(world.reports.last?.foundTracks == 3)
        #expect(supervisor.session.directive == .play(.full))
    }
}
