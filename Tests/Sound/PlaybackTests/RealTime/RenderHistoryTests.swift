import Chance
import Testing

@testable import Playback

/// Rewinds of the device, after which the withdrawn frames are rendered again.
@Suite struct RenderHistoryTests {
    private enum Order: CaseIterable { case play, duck, silence, silenceAtOnce, jump }

    /// A core that plays music whose frames contain their numbers, and the frames written to the device.
    private final class Bench {
        private var rings: [PlaybackRing] = []
        private var core: RenderCore
        private var history = RenderHistory()
        private(set) var heard: [Float] = []
        private var output = OutputPosition()
        /// The number of finished fades, which the render loop reports.
        private(set) var notes = 0

        init() {
            let ring = Self.playback(0)
            rings = [ring]
            core = RenderCore(ring: ring.reader, jumpFade: 40)
        }

        private static func playback(_ number: Int) -> PlaybackRing {
            let ring = PlaybackRing(capacity: 60_000, history: 4000, channels: 1)
            while ring.writeIndex < 50_000 {
                ring.writeSegment().start[0] = Float(number * 100_000 + ring.writeIndex)
                ring.produce(1)
            }
            return ring
        }

        func write(_ frames: Int) {
            let step = RenderHistory.Step(core: core.checkpoint, output: output)
            let hasFaded = render(frames)
            if hasFaded {
                notes += 1
                history.forget()
            } else {
                history.append(step)
            }
        }

        private func render(_ frames: Int) -> Bool {
            var samples = [Float](repeating: .nan, count: frames)
            defer {
                heard += samples
                output.pass(frames, taken: 0, from: 0, isPlaying: true)
            }
            return core.render(into: &samples, frames: frames)
        }

        /// - Returns: the frame from which frames are rendered again.
        func rewind(_ frames: Int) -> Int {
            guard let earliest = history.earliest else { return heard.count }
            let frame = max(earliest, heard.count - frames)
            guard frame < heard.count, history.removeSteps(after: frame) else { return heard.count }
            let step = history.takeLast()
            heard.removeLast(heard.count - step.output.written)
            core.restore(step.core)
            output = step.output
            _ = render(frame - step.output.written)
            return heard.count
        }

        func execute(_ order: Order, over frames: Int) {
            history.forget()
            switch order {
            case .play: core.play(gain: 1, over: frames)
            case .duck: core.play(gain: 0.25, over: frames)
            case .silence: _ = core.silence(over: frames)
            case .silenceAtOnce: _ = core.silence(over: 0)
            case .jump:
                let ring = Self.playback(rings.count)
                rings.append(ring)
                _ = core.jump(to: ring.reader)
            }
        }
    }

    @Test(arguments: 1...100)
    func outputAfterARewindIsAsIfTheFramesHadNeverBeenWritten(seed: UInt64) {
        var chance = SplitMix(seed: seed)
        let bench = Bench()
        /// This bench receives the orders at the same frames, but never rewinds.
        let reference = Bench()
        var rewoundFrames = 0
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...6, using: &chance) { bench.write(.random(in: 1...90, using: &chance)) }
            let before = bench.heard.count
            let frame = bench.rewind(.random(in: 0...300, using: &chance))
            rewoundFrames += before - frame
            if frame > reference.heard.count { reference.write(frame - reference.heard.count) }
            #expect(reference.heard.count == frame)
            let order = Order.allCases.randomElement(using: &chance) ?? .play
            let ramp = Int.random(in: 0...200, using: &chance)
            bench.execute(order, over: ramp)
            reference.execute(order, over: ramp)
        }
        bench.write(1000)
        reference.write(1000)
        #expect(bench.heard == reference.heard)
        #expect(bench.notes == reference.notes)
        #expect(rewoundFrames > 1000)
        #expect(bench.heard.contains { $0 != 0 })
    }

    @Test func newStepsReplaceTheOldest() throws {
        var history = RenderHistory()
        let core = RenderCore(ring: PlaybackRing(capacity: 2, history: 0, channels: 1).reader, jumpFade: 0)
        var output = OutputPosition()
        for block in 0..<1000 {
            output.beginRun(at: block)
            history.append(RenderHistory.Step(core: core.checkpoint, output: output))
            output.pass(10, taken: 10, from: block, isPlaying: true)
        }
        let earliest = history.earliest
        #expect(earliest == 9360)
        let found = history.removeSteps(after: 9_905)
        try #require(found)
        let step = history.takeLast()
        #expect(step.output.written == 9900)
        #expect(step.output.runIndex == 990)
        let before = history.removeSteps(after: 9_359)
        #expect(!before)
        let none = history.earliest
        #expect(none == nil)
    }
}
