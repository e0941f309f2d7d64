import Foundation
import SoundLab
import Testing

@testable import Playback

/// The core on a ring of ones, or of frames that contain their index.
@Suite struct RenderCoreTests {
    private final class Bench {
        private(set) var ring = PlaybackRing(capacity: 4000, history: 1000, channels: 1)
        var core: RenderCore

        var isStarving: Bool { core.isStarving }

        init(jumpFade: Int = 100, rate: Int = 48_000) {
            core = RenderCore(ring: ring.reader, jumpFade: jumpFade, rate: rate)
        }

        func feed(_ frames: Int, value: (Int) -> Float = { _ in 1 }) {
            for _ in 0..<frames {
                let segment = ring.writeSegment()
                segment.start[0] = value(ring.writeIndex)
                ring.produce(1)
            }
        }

        func silence(over frames: Int) -> Bool {
            core.silence(over: frames)
        }

        /// Jumps to an empty ring, which can be filled afterwards.
        func jump() -> Bool {
            let next = PlaybackRing(capacity: 4000, history: 1000, channels: 1)
            defer { ring = next }
            return core.jump(to: next.reader)
        }

        func render(_ frames: Int) -> (samples: [Float], faded: Bool) {
            var samples = [Float](repeating: .nan, count: frames)
            let faded = core.render(into: &samples, frames: frames)
            return (samples, faded)
        }
    }

    private func numbers(_ range: Range<Int>) -> [Float] { range.map { (number: Int) in Float(number) } }

    @Test func rendersSilenceWithoutConsumingFramesWhileStopped() {
        let bench = Bench()
        bench.feed(100)
        #expect(bench.render(50).samples == [Float](repeating: 0, count: 50))
        #expect(bench.ring.reader.readIndex == 0)
        #expect(bench.core.starvedFrames == 0)
    }

    @Test func resumesWhereTheFadeOutBegan() {
        let bench = Bench()
        bench.feed(2000) { Float($0) }
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(500).samples == numbers(0..<500))
        #expect(!bench.silence(over: 200))
        #expect(bench.core.state == .stopping)
        #expect(bench.core.continueIndex == 500)
        #expect(!bench.render(199).faded)
        #expect(bench.core.framesUntilFaded == 1)
        let last = bench.render(10)
        #expect(last.faded)
        #expect(last.samples == [Float](repeating: 0, count: 10))
        #expect(bench.core.state == .stopped)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(3).samples == [500, 501, 502])
    }

    @Test func playDuringAFadeOutContinuesFromThePresentFrameAndGain() {
        let bench = Bench()
        bench.feed(2000) { Float($0) }
        bench.core.play(gain: 1, over: 0)
        _ = bench.render(500)
        _ = bench.silence(over: 200)
        _ = bench.render(100)
        let gain = bench.core.level.gain
        bench.core.play(gain: 1, over: 50)
        #expect(bench.core.state == .playing)
        let rising = bench.render(60).samples
        let first: Float = rising[0] / 600
        #expect(abs(first - gain) < 0.01)
        #expect(Array(rising[50...]) == numbers(650..<660))
    }

    @Test func silenceOverZeroFramesStopsAtOnceAndOnlyWhilePlaying() {
        let bench = Bench()
        bench.feed(100)
        #expect(!bench.silence(over: 0))
        bench.core.play(gain: 1, over: 0)
        _ = bench.render(10)
        #expect(bench.silence(over: 0))
        #expect(bench.core.state == .stopped && bench.ring.reader.readIndex == 10)
        bench.core.play(gain: 1, over: 0)
        _ = bench.silence(over: 50)
        #expect(!bench.silence(over: 0))
        #expect(bench.core.state == .stopping && bench.core.continueIndex == 10)
    }

    @Test func fadesOutBeforeTheRingRunsDryAndInAfterItIsRefilled() {
        let bench = Bench()
        bench.feed(1000)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(800).samples == [Float](repeating: 1, count: 800))
        #expect(!bench.isStarving)
        // The last 100 frames are the fade-out, and earlier blocks are unchanged.
        var fall = GainRamp(gain: 1)
        fall.retarget(to: 0, over: 100)
        #expect(bench.render(150).samples == (0..<100).map { _ in fall.next() } + [Float](repeating: 0, count: 50))
        #expect(bench.isStarving && bench.core.starvedFrames == 50)
        // Frames that arrive too late for the fade-out are not lost.
        #expect(bench.ring.reader.readIndex == 900)
        bench.feed(100)
        #expect(bench.render(10).samples == [Float](repeating: 0, count: 10))
        bench.feed(1500)
        var rise = GainRamp(gain: 0)
        rise.retarget(to: 1, over: 100)
        #expect(bench.render(150).samples == (0..<100).map { _ in rise.next() } + [Float](repeating: 1, count: 50))
        #expect(!bench.isStarving && bench.ring.reader.readIndex == 1050)
    }

    /// A bench whose ring has run dry after its first frames.
    private func starvingBench() -> Bench {
        let bench = Bench(rate: 1000)
        bench.feed(200)
        bench.core.play(gain: 1, over: 0)
        _ = bench.render(300)
        #expect(bench.isStarving)
        return bench
    }

    /// Otherwise, storage that is too slow would cause a gap at every moment.
    @Test func continuesOnceASecondHasBeenRead() {
        let bench = starvingBench()
        bench.feed(900)
        #expect(bench.render(100).samples.allSatisfy { $0 == 0 })
        bench.feed(200)
        #expect(bench.render(200).samples.suffix(100).allSatisfy { $0 == 1 } && !bench.isStarving)
    }

    @Test func continuesAtOnceIfTheRestHasBeenRead() {
        let bench = starvingBench()
        bench.feed(300)
        bench.ring.end()
        #expect(bench.render(200).samples.suffix(100).allSatisfy { $0 == 1 } && !bench.isStarving)
    }

    /// During the silence, more frames have been read.
    @Test func playingAfterASilenceDoesNotWaitForASecond() {
        let bench = starvingBench()
        _ = bench.silence(over: 0)
        bench.feed(300)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(100).samples.allSatisfy { $0 == 1 } && !bench.isStarving)
    }

    @Test func rampsContinueWhileTheRingIsDry() {
        let bench = Bench()
        bench.core.play(gain: 0.5, over: 80)
        _ = bench.render(80)
        #expect(bench.core.level.isAtRest && bench.core.level.gain == 0.5)
        #expect(bench.core.starvedFrames == 80)
    }

    @Test func endOfTheMusicIsNotStarvation() {
        let bench = Bench()
        bench.feed(200)
        bench.ring.end()
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(250).samples == [Float](repeating: 1, count: 200) + [Float](repeating: 0, count: 50))
        #expect(bench.core.starvedFrames == 0 && !bench.isStarving)
    }

    @Test func jumpCrossfadesFromTheNextFrame() {
        let bench = Bench()
        bench.feed(500)
        bench.core.play(gain: 1, over: 0)
        _ = bench.render(100)
        #expect(!bench.jump())
        bench.feed(500) { _ in 0 }
        let tail = bench.render(150).samples
        var fade = GainRamp(gain: 1)
        fade.retarget(to: 0, over: 100)
        #expect(tail == (0..<100).map { _ in fade.next() } + [Float](repeating: 0, count: 50))

        // After the jump, the new music fades in to the previous gain.
        _ = bench.jump()
        bench.feed(500)
        var rise = GainRamp(gain: 0)
        rise.retarget(to: 1, over: 100)
        #expect(bench.render(150).samples == (0..<150).map { _ in rise.next() })
    }

    @Test func jumpDuringARampContinuesTheRamp() {
        let bench = Bench()
        bench.feed(2000)
        bench.core.play(gain: 1, over: 1000)
        _ = bench.render(200)
        let expected = bench.core.level
        _ = bench.jump()
        bench.feed(2000)
        _ = bench.render(300)
        var level = expected
        level.skip(300)
        #expect(bench.core.level.gain == level.gain)
        #expect(bench.render(1).samples == [level.next()])
    }

    @Test(arguments: [1, 10, 30, 50, 70, 99])
    func jumpsInQuickSuccessionNeverExceedTheMusicsLevel(_ distance: Int) {
        let bench = Bench()
        bench.feed(1000)
        bench.core.play(gain: 1, over: 0)
        var samples = bench.render(50).samples
        for _ in 0..<6 {
            _ = bench.jump()
            bench.feed(1000)
            samples += bench.render(distance).samples
        }
        samples += bench.render(200).samples
        #expect(samples.allSatisfy { $0 <= 1.000_001 && $0 > 0 })
        #expect(samples.last == 1)
        // There is no step. Neighbouring samples differ by no more than in the steepest part of two overlapping fades.
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 0.05 })
    }

    @Test func jumpDuringAFadeOutStopsAtTheNewPosition() {
        for (fadeOut, heard) in [(60, 20), (1000, 200)] {
            let bench = Bench()
            bench.feed(2000)
            bench.core.play(gain: 1, over: 0)
            _ = bench.render(100)
            _ = bench.silence(over: fadeOut)
            let before = bench.render(heard).samples.last ?? 0
            #expect(!bench.jump())
            bench.feed(500) { _ in 7 }
            #expect(bench.core.state == .stopped)
            #expect(bench.core.continueIndex == 0)
            let rest = min(100, fadeOut - heard)
            #expect(bench.core.framesUntilFaded == rest)
            let tail = bench.render(rest)
            #expect(tail.faded)
            #expect(tail.samples.allSatisfy { $0 <= before })
            #expect(before - tail.samples[0] < 0.04)
            #expect(tail.samples.last == 0)
            #expect(bench.core.framesUntilFaded == nil)
            bench.core.play(gain: 1, over: 0)
            #expect(bench.render(2).samples == [7, 7])
        }
    }

    @Test func jumpDuringAShortFadeOutContinuesTheFadeOut() {
        let bench = Bench()
        bench.feed(2000)
        bench.core.play(gain: 1, over: 0)
        _ = bench.silence(over: 80)
        _ = bench.render(30)
        var rest = bench.core.level
        _ = bench.jump()
        #expect(bench.render(50).samples == (0..<50).map { _ in rest.next() })
    }

    @Test func playBeforeTheTailEndsCancelsTheFadedReport() {
        let bench = Bench()
        bench.feed(500)
        bench.core.play(gain: 1, over: 0)
        _ = bench.silence(over: 50)
        _ = bench.render(10)
        _ = bench.jump()
        bench.feed(500)
        bench.core.play(gain: 1, over: 100)
        #expect(!bench.render(200).faded)
    }

    @Test func restoringACheckpointRendersTheSameFramesAgain() {
        let bench = Bench()
        bench.feed(1500) { Float($0) }
        bench.core.play(gain: 0.7, over: 30)
        _ = bench.render(100)
        _ = bench.jump()
        bench.feed(1500) { Float($0) }
        _ = bench.render(20)
        _ = bench.silence(over: 90)
        // The test renders up to the middle of the fade-out, and then up to its end.
        for frames in [50, 120] {
            let checkpoint = bench.core.checkpoint
            let first = bench.render(frames)
            bench.core.restore(checkpoint)
            let second = bench.render(frames)
            #expect(first.samples == second.samples)
            #expect(first.faded == (frames == 120) && second.faded == first.faded)
        }
    }
}
