import ALSA
import Testing

@testable import Playback

/// The music's wait for an amplifier, in the render core.
@Suite struct WaitingTests {
    private final class Bench {
        let ring = PlaybackRing(capacity: 4000, history: 1000, channels: 1)
        var core: RenderCore

        init() {
            core = RenderCore(ring: ring.reader, jumpFade: 100)
            for _ in 0..<3000 {
                let segment = ring.writeSegment()
                segment.start[0] = Float(ring.writeIndex + 1)
                ring.produce(1)
            }
        }

        // The core cannot be copied, which `#expect` needs.
        var hold: Int { core.hold }
        var continueIndex: Int { core.continueIndex }
        var gain: Float { core.level.gain }
        var state: RenderState { core.state }
        var isSilent: Bool { core.isSilent }

        func render(_ frames: Int) -> [Float] {
            var samples = [Float](repeating: .nan, count: frames)
            _ = core.render(into: &samples, frames: frames)
            return samples
        }
    }

    @Test func theFirstFrameFollowsExactlyAfterTheWait() {
        let bench = Bench()
        bench.core.play(gain: 1, over: 0, after: 150)
        let samples = bench.render(100) + bench.render(100)
        #expect(samples[..<150].allSatisfy { $0 == 0 })
        let numbers = (1...50).map { (number: Int) in Float(number) }
        #expect(Array(samples[150...]) == numbers)
        #expect(!bench.isSilent)
    }

    @Test func thePositionAndTheFadeInStandStillMeanwhile() {
        let bench = Bench()
        bench.core.play(gain: 1, over: 200, after: 100)
        _ = bench.render(99)
        #expect(bench.continueIndex == 0 && bench.gain == 0 && bench.hold == 1)
        _ = bench.render(201)
        #expect(bench.continueIndex == 200 && bench.gain == 1)
    }

    @Test func silenceDuringTheWaitIsReachedAtOnce() {
        let bench = Bench()
        bench.core.play(gain: 1, over: 50, after: 100)
        _ = bench.render(40)
        let isSilent = bench.core.silence(over: 500)
        #expect(isSilent && bench.state == .stopped && bench.hold == 0 && bench.continueIndex == 0)
        // The wait is over.
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(2) == [1, 2])
    }

    @Test func aChangeOfVolumeDuringTheWaitDoesNotExtendIt() {
        let bench = Bench()
        bench.core.play(gain: 1, over: 0, after: 100)
        _ = bench.render(60)
        bench.core.play(gain: 0.5, over: 0, after: 1000)
        #expect(bench.render(42).suffix(2) == [0.5, 1])
    }

    @Test func aReversedFadeOutDoesNotWait() {
        let bench = Bench()
        bench.core.play(gain: 1, over: 0)
        _ = bench.render(10)
        _ = bench.core.silence(over: 100)
        _ = bench.render(50)
        bench.core.play(gain: 1, over: 0, after: 300)
        #expect(bench.render(1) == [61])
    }

    @Test func renderingAgainRepeatsTheWait() {
        let bench = Bench()
        bench.core.play(gain: 1, over: 0, after: 30)
        let checkpoint = bench.core.checkpoint
        let once = bench.render(64)
        bench.core.restore(checkpoint)
        #expect(bench.render(64) == once && bench.hold == 0)
    }
}
