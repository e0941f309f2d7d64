import AudioSession
import Testing

@testable import Appliance
@testable import Supervisor

/// The times at which the position has to be sent to clients, which count the seconds themselves.
@Suite struct PositionWatchTests {
    private var watch = PositionWatch()

    private mutating func moved(
        _ position: Double, at time: Double, isPlaying: Bool = true, track: Int? = 0, jumps: Bool = false
    ) -> Bool {
        watch.moved(
            to: PositionWatch.Place(
                track: track, position: .seconds(position), isPlaying: isPlaying, time: .seconds(time)), jumps: jumps)
    }

    @Test mutating func steadyPlaybackIsNotAJump() {
        let moves = [moved(10, at: 0), moved(12, at: 2), moved(12.3, at: 2.33), moved(12.3, at: 2.4, isPlaying: false)]
        #expect(!moves.contains(true))
        let silent = [moved(12.3, at: 60, isPlaying: false), moved(12.3, at: 61), moved(13.1, at: 62)]
        #expect(!silent.contains(true))
    }

    @Test mutating func stopAndSeekAreJumps() {
        _ = moved(10, at: 0)
        let stop = moved(0, at: 1, isPlaying: false, jumps: true)
        let again = moved(0, at: 2, isPlaying: false, jumps: true)
        #expect(stop && again)
    }

    /// Music that was interrupted resumes a little earlier.
    @Test mutating func rewindIsAJump() {
        _ = moved(10, at: 0)
        let rewind = moved(9, at: 2, isPlaying: false)
        let resumed = moved(9, at: 8)
        #expect(rewind && !resumed)
    }

    @Test mutating func repeatedTrackIsAJump() {
        _ = moved(59, at: 0)
        let again = moved(0, at: 1, jumps: true)
        let next = moved(0, at: 61, track: 1, jumps: true)
        #expect(again && !next)
    }

    /// For example, a device took long to open, or a disk was late.
    @Test mutating func correctsClientsThatRunAhead() {
        _ = moved(10, at: 0)
        let late = moved(10.2, at: 3)
        #expect(late)
    }

    @Test mutating func hasNoPositionWithoutATrack() {
        let none = [
            moved(0, at: 0, track: nil, jumps: true), moved(0, at: 1, track: nil, jumps: true), moved(5, at: 2),
        ]
        #expect(!none.contains(true))
    }

    @Test func goToSetsThePositionUnlessTheTrackIsOfAnotherList() {
        var report = Report(time: .zero, cause: .event(.command(.goTo(track: 0))))
        for (answer, isSet) in [(Answer.success, true), (.deferred, true), (.noActionableNowPlayingItem, false)] {
            report.answer = answer
            #expect(report.setsPosition == isSet)
        }
    }
}
