import ALSA
import SoundLab
import Testing

@testable import Playback

/// Live inputs in a core whose library plays a ring of ones. The core is rendered in blocks on a virtual clock.
@Suite struct LiveVoiceTests {
    private static let format = StreamFormat(rate: 48_000, channels: 1)

    private final class Bench {
        let ring = PlaybackRing(capacity: 40_000, history: 10_000, channels: 1)
        let inputs = [makeBuffer(), makeBuffer()]
        var core: RenderCore
        /// The number of frames that have been rendered, which is the virtual time.
        private(set) var time = 0

        static func makeBuffer() -> LiveBuffer { LiveBuffer(format: format, latency: .milliseconds(150), at: 0) }

        init() {
            core = RenderCore(ring: ring.reader, jumpFade: 960)
            for _ in 0..<20_000 {
                ring.writeSegment().start[0] = 1
                ring.produce(1)
            }
        }

        /// The time in nanoseconds, rounded up so that it becomes the same frame again.
        var nanoseconds: Int { (time * 1_000_000_000 + 47_999) / 48_000 }

        /// Begins a stream.
        func begin(_ input: Int = 0, at index: Int) { inputs[input].begin(at: index) }

        /// Writes frames whose values are their indices times a factor plus a constant.
        func feed(_ frames: Int, to input: Int = 0, times factor: Float = 0, plus constant: Float = 0.5) {
            let index = inputs[input].writeIndex
            let samples = (index..<index + frames).map { Float($0) * factor + constant }
            let count = inputs[input].append(samples, count: frames, heard: max(time, index + frames - 12_000))
            #expect(count == frames)
        }

        func select(_ input: Int?, over frames: Int) {
            if let input { core.select(inputs[input].reader, over: frames) } else { core.selectLibrary(over: frames) }
        }

        func silence(over frames: Int) -> Bool { core.silence(over: frames) }
        func setTime(delay: Int) -> Bool { core.setLiveTime(delay: delay, at: nanoseconds) }
        var framesAhead: Int { core.framesAhead }
        var framesUntilFaded: Int? { core.framesUntilFaded }
        var isSilent: Bool { core.isSilent }
        var state: RenderState { core.state }

        @discardableResult
        func render(_ frames: Int, block: Int = 500) -> (samples: [Float], faded: Int) {
            var samples = [Float](repeating: .nan, count: frames)
            var faded = 0
            var done = 0
            while done < frames {
                let count = min(block, frames - done, core.framesUntilFaded ?? .max)
                _ = core.setLiveTime(delay: 0, at: nanoseconds)
                samples.withUnsafeMutableBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return }
                    if core.render(into: start + done, frames: count) { faded += 1 }
                }
                done += count
                time += count
                core.live.post(delay: 0, at: nanoseconds)
            }
            return (samples, faded)
        }
    }

    private func largestStep(_ samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    }

    @Test func crossfadesToAnInputAndPutsTheLibrarysFadeBack() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000)
        bench.core.play(gain: 1, over: 0)
        bench.render(500)
        bench.select(0, over: 2000)
        bench.core.play(gain: 1, over: 4000)
        let fade = bench.render(4000)
        #expect(fade.faded == 0)
        #expect(fade.samples[0] > 0.99 && abs(fade.samples[3999] - 0.5) < 1e-6)
        #expect(largestStep(fade.samples) < 0.002)
        #expect(bench.state == .stopped && bench.ring.reader.readIndex == 500)
        #expect(bench.render(1000).samples.allSatisfy { $0 == 0.5 })
        // The library continues with the frame at which its fade-out began.
        bench.select(nil, over: 2000)
        bench.core.play(gain: 1, over: 2000)
        let back = bench.render(2000)
        #expect(back.faded == 0 && bench.ring.reader.readIndex == 2500)
        #expect(largestStep(back.samples) < 0.002 && bench.render(10).samples.allSatisfy { $0 == 1 })
    }

    @Test func anInputIsLiveWheneverItIsPlayed() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000, times: 0x1p-14, plus: 0)
        bench.select(0, over: 0)
        bench.render(1000)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(500).samples == (1000..<1500).map { Float($0) * 0x1p-14 })
        #expect(bench.silence(over: 0))
        bench.render(2000)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.render(10).samples == (3500..<3510).map { Float($0) * 0x1p-14 })
        // The frames that passed unheard are counted, which are those before the first play and during the silence.
        #expect(bench.inputs[0].clock.discarded == 3000)
    }

    @Test func theAmplifiersLeadDiscardsFramesInsteadOfDelayingThem() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000, times: 0x1p-14, plus: 0)
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 0, after: 700)
        let samples = bench.render(1200).samples
        #expect(samples[..<700].allSatisfy { $0 == 0 })
        #expect(samples[700...] == (700..<1200).map { Float($0) * 0x1p-14 }[...])
    }

    @Test func aFadeOutOfAnInputIsReportedAndCanBeReversed() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000)
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 0)
        bench.render(500)
        #expect(!bench.silence(over: 1000))
        #expect(bench.framesUntilFaded == 1000)
        bench.render(300)
        bench.core.play(gain: 1, over: 500)
        let reversed = bench.render(600)
        #expect(reversed.faded == 0 && largestStep(reversed.samples) < 0.002 && reversed.samples.last == 0.5)
        #expect(!bench.silence(over: 1000))
        #expect(bench.render(2000).faded == 1)
        #expect(bench.isSilent)
    }

    @Test func aDuckFollowsTheSameCurveAsThatOfTheLibrary() {
        let (bench, other) = (Bench(), Bench())
        bench.begin(at: 0)
        bench.feed(12_000, plus: 1)
        bench.select(0, over: 0)
        for bench in [bench, other] {
            bench.core.play(gain: 1, over: 0)
            bench.render(500)
            bench.core.play(gain: 0.2, over: 900)
        }
        #expect(bench.render(1000).samples == other.render(1000).samples)
    }

    @Test func fadesOutWithoutAClickWhenAnInputRunsDryAndWaitsForTheNextStream() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(3000)
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 0)
        let samples = bench.render(4000, block: 768).samples
        #expect(samples[..<2700].allSatisfy { $0 == 0.5 } && samples[3000...].allSatisfy { $0 == 0 })
        #expect(largestStep(samples) < 0.01)
        #expect(bench.inputs[0].clock.starvations == 1)
        // Frames that come too late belong to the old stream and would leave no delay.
        bench.feed(2000)
        #expect(bench.render(1000).samples.allSatisfy { $0 == 0 })
        bench.begin(at: 6000)
        bench.feed(4000)
        let next = bench.render(2000).samples
        #expect(next[..<1000].allSatisfy { $0 == 0 } && next[1300...].allSatisfy { $0 == 0.5 })
        #expect(largestStep(next) < 0.01 && next[1001] > 0)
        #expect(bench.inputs[0].clock.starvations == 1)
    }

    @Test func aFadeInBeginsWithTheFirstFrameThatIsHeard() {
        let bench = Bench()
        bench.begin(at: 2000)
        bench.feed(8000)
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 1000)
        let samples = bench.render(4000).samples
        #expect(samples[..<2000].allSatisfy { $0 == 0 })
        #expect(samples[2500] > 0 && samples[2500] < 0.45 && samples[2999] == 0.5)
    }

    @Test func renderingAgainAfterRestoringGivesTheSameFrames() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(1400, times: 0x1p-14, plus: 0.1)
        bench.core.play(gain: 1, over: 0)
        bench.render(300)
        bench.select(0, over: 800)
        bench.core.play(gain: 0.7, over: 600)
        bench.render(100)
        let checkpoint = bench.core.checkpoint
        let first = bench.render(1500, block: 250).samples
        bench.core.restore(checkpoint)
        var again = [Float](repeating: .nan, count: 1500)
        again.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            for done in stride(from: 0, to: 1500, by: 250) {
                var block = 0
                while block < 250 {
                    let count = min(250 - block, bench.core.framesUntilFaded ?? .max)
                    _ = bench.core.render(into: start + done + block, frames: count)
                    block += count
                }
            }
        }
        #expect(first == again)
    }

    @Test func aSourceThatIsSelectedAgainWhileItFadesOutReturnsWithoutAClick() {
        let bench = Bench()
        for input in 0...1 {
            bench.begin(input, at: 0)
            bench.feed(12_000, to: input, plus: input == 0 ? 0.5 : 0.25)
        }
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 0)
        bench.render(500)
        bench.select(1, over: 2000)
        bench.core.play(gain: 1, over: 2000)
        let there = bench.render(700).samples
        bench.select(0, over: 2000)
        bench.core.play(gain: 1, over: 2000)
        let back = bench.render(2500).samples
        #expect(largestStep(there + back) < 0.002 && back.last == 0.5)
    }

    @Test func aThirdSourceShortensTheFadeOutOfTheFirst() {
        let bench = Bench()
        for input in 0...1 {
            bench.begin(input, at: 0)
            bench.feed(12_000, to: input, plus: 0.25)
        }
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 0)
        bench.render(500)
        bench.select(1, over: 6000)
        bench.core.play(gain: 1, over: 100)
        let before = bench.render(200).samples
        bench.select(nil, over: 6000)
        let samples = bench.render(961).samples
        #expect(largestStep(before + samples) < 0.01)
        // Only the second source is still fading out.
        #expect(bench.render(1).samples[0] < 0.25)
        #expect(bench.render(6000).samples.last == 0 && bench.isSilent)
    }

    @Test func twoSourcesAtFullScaleNeverExceedIt() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000, plus: 1)
        bench.core.play(gain: 1, over: 0)
        bench.render(500)
        bench.select(0, over: 8000)
        bench.core.play(gain: 1, over: 1000)
        #expect(bench.render(9000).samples.allSatisfy { $0 <= 1 })
    }

    @Test func framesThatTheDeviceHasLostAreNotHeardLater() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000, times: 0x1p-14, plus: 0)
        bench.select(0, over: 0)
        bench.core.play(gain: 1, over: 0)
        bench.render(500)
        // The device continues 1000 frames later than it should.
        bench.core.loseLiveTime()
        #expect(bench.setTime(delay: 1000))
        var samples = [Float](repeating: .nan, count: 400)
        _ = bench.core.render(into: &samples, frames: 400)
        #expect(samples[300] == 1800 * 0x1p-14 && samples[0] < 0.01)
    }

    @Test func liveFramesAreNotRenderedAhead() {
        let bench = Bench()
        bench.begin(at: 0)
        bench.feed(12_000)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.framesAhead > 0)
        bench.select(0, over: 100)
        bench.core.play(gain: 1, over: 0)
        #expect(bench.framesAhead == 0)
    }
}
