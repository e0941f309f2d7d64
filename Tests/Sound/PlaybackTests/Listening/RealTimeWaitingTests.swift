import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// The music's wait for an amplifier, on a real sound server.
@Suite(.serialized) struct RealTimeWaitingTests {
    private static let wait = Duration.milliseconds(300)

    @Test func nothingIsHeardBeforeTheWaitAndNoFrameIsLost() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(12_000)
        lab.engine.silence(over: .milliseconds(20))
        try lab.wait(for: .faded)
        try recording.waitForMore(4_800)
        let before = try #require(lab.engine.playhead?.frame)
        lab.engine.play(gain: 1, over: .zero, after: Self.wait)
        let effect = try lab.waitForEffect()
        // The length of the device's queue is added to the wait.
        #expect(effect.latency >= Self.wait && effect.latency < Self.wait + .milliseconds(300), "\(effect.latency)")
        try recording.waitForMore(9_600)
        let after = try #require(lab.engine.playhead?.frame)
        #expect(after > before)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect(runs[1].number == runs[0].next)
        #expect(lab.underruns == 0)
    }

    @Test func thePositionStandsStillDuringTheWait() throws {
        let lab = try EngineLab()
        try lab.play()
        lab.engine.silence(over: .zero)
        try lab.wait(for: .faded)
        // Waits until the device has played the frames that it holds.
        let end = lab.engine.exchange.readStatus().output.written
        try lab.pass("silence") { _ in lab.engine.exchange.readStatus().output.written > end + 24_000 }
        let before = try #require(lab.engine.playhead?.frame)
        let start = lab.engine.exchange.readStatus().output.written
        lab.engine.play(gain: 1, over: .zero, after: .seconds(20))
        // The device plays silence, and the engine is treated as making progress.
        try lab.pass("silence") { _ in lab.engine.exchange.readStatus().output.written > start + 24_000 }
        #expect(lab.engine.playhead?.frame == before && lab.engine.isAdvancing)
        lab.engine.silence(over: .seconds(1))
        try lab.wait(for: .faded)
        #expect(lab.engine.playhead?.frame == before)
    }

    /// A pause while only the last frames of the track are queued leaves nothing to play.
    @Test(arguments: [Duration.zero, wait])
    func aTrackThatIsPausedInItsLastInstantEndsAfterTheWait(_ wait: Duration) throws {
        let lab = try EngineLab(tracks: [(24_000, 48_000)])
        var isAtEnd = false
        for _ in 0..<20 where !isAtEnd {
            let earlier = lab.events.count
            lab.engine.load(track: 0, at: .milliseconds(400))
            try lab.wait(for: .loaded(track: 0))
            lab.engine.play(gain: 1, over: .zero)
            try lab.pass("the last frames") { _ in lab.engine.playhead.map { $0.frame >= 23_800 } ?? false }
            lab.engine.silence(over: .zero)
            try lab.wait(for: .faded)
            isAtEnd =
                lab.engine.playhead?.frame == 24_000 && !lab.events[earlier...].contains(.playbackEnded)
        }
        try #require(isAtEnd)
        let ordered = ContinuousClock.now
        lab.engine.play(gain: 1, over: .zero, after: wait)
        try lab.wait(for: .playbackEnded)
        let elapsed = ContinuousClock.now - ordered
        #expect(elapsed >= wait && elapsed < wait + .milliseconds(300), "\(elapsed)")
    }

    @Test func aTrackThatIsSelectedDuringTheWaitWaitsForItsRestOnly() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        lab.engine.load(track: 0, at: .zero)
        try lab.wait(for: .loaded(track: 0))
        let given = ContinuousClock.now
        lab.engine.play(gain: 1, over: .zero, after: .seconds(1))
        try lab.pass("silence") { _ in ContinuousClock.now > given + .milliseconds(400) }
        lab.engine.load(track: 0, at: .seconds(2))
        try lab.wait(for: .loaded(track: 0))
        let effect = try lab.waitForEffect()
        #expect(effect.latency >= .seconds(1) && effect.latency < .milliseconds(1_500), "\(effect.latency)")
        try recording.waitForSound()
        try recording.waitForMore(9_600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number).first.map { abs($0 - 96_000) < 2_000 } ?? false, "\(runs)")
    }
}
