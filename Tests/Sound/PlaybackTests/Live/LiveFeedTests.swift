import ALSA
import Testing

@testable import Playback

/// The feed of a live input on a virtual clock.
@Suite struct LiveFeedTests {
    private final class Bench {
        let input = LiveInput("radio", latency: .milliseconds(150), format: StreamFormat(rate: 48_000, channels: 1))
        let feed: LiveFeed
        let format: LiveFormat
        /// The time in nanoseconds.
        var now: Int
        /// The frames that the sender has sent, and the arrival time of each chunk with the frames before it.
        private(set) var sent = 0
        private var chunks: [(frames: Int, time: Int)] = []

        init(rate: Int = 48_000) {
            format = LiveFormat(.s16, StreamFormat(rate: rate, channels: 1))
            feed = LiveFeed(input, format: format)
            now = input.buffer.clock.time
        }

        /// Lets a chunk arrive.
        func send(_ frames: Int, value: Int16 = 8192, isPaced: Bool = false) throws {
            chunks.append((sent, now))
            sent += frames
            let samples = [Int16](repeating: value, count: frames)
            try samples.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                try feed.accept(start, frames: frames, at: now, isPaced: isPaced)
            }
        }

        /// Advances the clock, and the feed when it has to.
        func pass(_ nanoseconds: Int) {
            let end = now + nanoseconds
            while let deadline = feed.deadline, deadline <= end {
                now = max(now, deadline)
                feed.advance(to: now)
            }
            now = end
        }

        /// Lets a sender with a drift send chunks for some seconds.
        func run(seconds: Double, chunk: Int, drift: Double = 0) throws {
            let period = Double(chunk) / Double(format.stream.rate) / (1 + drift) * 1e9
            for _ in 0..<Int(seconds * 1e9 / period) {
                pass(Int(period))
                try send(chunk)
            }
        }

        /// The mean delay of all frames in milliseconds, if they are played at the nominal speed.
        var meanDelay: Double {
            let start = input.buffer.reader.start.value
            let clock = input.buffer.clock
            var sum = 0.0
            for (number, chunk) in chunks.enumerated() {
                let next = number + 1 < chunks.count ? chunks[number + 1].frames : sent
                let middle = Double(chunk.frames + next - 1) / 2
                sum += (Double(start - clock.index) + middle) * 1000 / 48 - Double(chunk.time - clock.time) / 1000
            }
            return sum / Double(chunks.count) / 1000
        }

        /// The number of frames that are still to be heard.
        var delay: Int { input.buffer.writeIndex - input.buffer.clock.heard(at: now, rate: 48_000) }
    }

    @Test(arguments: [240, 960, 4096, 4800, 7200])
    func startsAStreamSoThatItsFramesAreHeardAfterTheLatency(chunk: Int) throws {
        let bench = Bench()
        bench.pass(5_000_000_000)
        try bench.run(seconds: 2, chunk: chunk)
        #expect(abs(bench.meanDelay - 150) < 1, "\(bench.meanDelay) ms")
        #expect(bench.feed.statistics.underruns == 0)
    }

    @Test func aBurstThatArrivesInManyReadsIsRecognised() throws {
        let bench = Bench()
        for _ in 0..<20 {
            for _ in 0..<10 {
                try bench.send(480)
                bench.pass(100_000)
            }
            bench.pass(99_000_000)
        }
        #expect(abs(bench.meanDelay - 150) < 2, "\(bench.meanDelay) ms")
    }

    @Test func writesNothingBeforeTheStreamHasToBeHeard() throws {
        let bench = Bench()
        try bench.send(480)
        #expect(bench.input.buffer.writeIndex == 0)
        let deadline = try #require(bench.feed.deadline)
        // 150 ms after the middle of the chunk, minus the 20 ms that are needed to write it.
        #expect(abs(deadline - bench.now - 125_000_000) < 1_000_000)
        bench.pass(124_000_000)
        #expect(bench.input.buffer.writeIndex == 0)
        bench.pass(2_000_000)
        #expect(bench.input.buffer.writeIndex > 0 && bench.feed.deadline == nil)
    }

    @Test(arguments: [300e-6, -300e-6])
    func keepsTheDelayOfASenderWithAnotherClock(drift: Double) throws {
        let bench = Bench(rate: 44_100)
        try bench.run(seconds: 240, chunk: 4410, drift: drift)
        #expect(abs(bench.feed.statistics.speed - drift) < 50e-6)
        #expect(abs(bench.feed.statistics.delay / .milliseconds(1) - 150) < 5)
        #expect(abs(Double(bench.delay) / 48 - 200) < 12)
        #expect(bench.feed.statistics.underruns == 0)
    }

    @Test func limitsHowFarASenderCanBeAhead() throws {
        let bench = Bench()
        var most = 0
        for _ in 0..<2000 {
            while case let room = bench.feed.room(at: bench.now), room >= 480 { try bench.send(480, isPaced: true) }
            most = max(most, bench.delay)
            bench.pass(10_000_000)
        }
        // It is at most the margin of 100 ms ahead, and is played at the device's speed, in real time.
        #expect(most <= 250 * 48 && bench.delay > 200 * 48)
        #expect(bench.feed.statistics.speed == 0)
        #expect(abs(bench.sent - 20 * 48_000) < 12_000)
        #expect(bench.feed.statistics.underruns == 0 && bench.feed.statistics.discardedAtStart == 0)
    }

    @Test func aSenderThatNobodyListensToIsNeverHeldUp() throws {
        // The render thread posts no clock, because something else is played.
        let bench = Bench()
        for _ in 0..<6000 {
            #expect(bench.feed.room(at: bench.now) >= 480)
            try bench.send(480)
            bench.pass(10_000_000)
        }
        #expect(bench.delay < 200 * 48 && bench.delay > 100 * 48)
    }

    @Test func aStreamAfterAPauseHasTheWholeDelayAgain() throws {
        let bench = Bench()
        try bench.run(seconds: 1, chunk: 480)
        let first = bench.input.buffer.reader.start.value
        bench.pass(400_000_000)
        try bench.send(480)
        bench.pass(140_000_000)
        let start = bench.input.buffer.reader.start.value
        #expect(start > first)
        // The clock has passed 140 ms of the 150 ms, and the first frame arrived in the middle of a chunk of 10 ms.
        let left = start - bench.input.buffer.clock.heard(at: bench.now, rate: 48_000)
        #expect(abs(left - 5 * 48) < 48)
        #expect(bench.feed.statistics.underruns == 1)
        // After a longer pause, the sender was not late.
        bench.pass(60_000_000_000)
        try bench.send(480)
        #expect(bench.feed.statistics.underruns == 1)
    }

    @Test func aShortPauseThatTheDelayCoversInterruptsNothing() throws {
        let bench = Bench()
        try bench.run(seconds: 1, chunk: 480)
        let start = bench.input.buffer.reader.start.value
        bench.pass(80_000_000)
        try bench.run(seconds: 1, chunk: 480)
        #expect(bench.input.buffer.reader.start.value == start && bench.feed.statistics.underruns == 0)
    }

    @Test func aStarvedListenerGetsANewStream() throws {
        let bench = Bench()
        try bench.run(seconds: 1, chunk: 480)
        let buffer = bench.input.buffer
        var clock = buffer.clock
        let start = buffer.reader.start.value
        clock.starvations = 1
        buffer.reader.post(clock)
        try bench.send(480)
        bench.pass(150_000_000)
        #expect(buffer.reader.start.value > start)
    }

    @Test func waitsLongerForADeviceWhoseDelayIsLong() throws {
        let bench = Bench()
        var clock = bench.input.buffer.clock
        clock.delay = 200 * 48
        bench.input.buffer.reader.post(clock)
        try bench.run(seconds: 2, chunk: 480)
        #expect(abs(bench.meanDelay - 240) < 2)
    }

    @Test func continuesInTheFormatOfAnotherDevice() throws {
        let bench = Bench()
        try bench.run(seconds: 1, chunk: 480)
        let buffer = bench.input.use(StreamFormat(rate: 96_000, channels: 2))
        bench.now = max(bench.now, buffer.clock.time)
        try bench.run(seconds: 1, chunk: 480)
        #expect(bench.input.buffer === buffer && buffer.writeIndex > 0)
        // Mono is copied to both channels.
        let segment = buffer.reader.segment(at: buffer.writeIndex - 10, limit: 1)
        #expect(abs(segment.start[0] - 0.25) < 0.001 && segment.start[0] == segment.start[1])
    }
}
