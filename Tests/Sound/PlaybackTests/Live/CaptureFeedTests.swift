import ALSA
import Glibc
import Testing

@testable import Playback

/// The feed of a capture device on a virtual clock.
@Suite struct CaptureFeedTests {
    /// A capture device with a tone, and a listener.
    private final class Bench {
        let input: LiveInput
        let feed: CaptureFeed
        let format: StreamFormat
        /// The time in nanoseconds.
        var now: Int
        /// The amplitude of the tone.
        var amplitude: Float = 0.5
        private var phase = 0.0
        private(set) var reports: [InputReport] = []
        /// The left samples that a listener has heard, who plays everything.
        private(set) var heard: [Float] = []
        private var voice: LiveVoice
        private let start: Int

        init(rate: Int = 48_000, channels: Int = 2, latency: Duration = .milliseconds(150)) {
            format = StreamFormat(rate: rate, channels: channels)
            input = LiveInput("desk", latency: latency, format: StreamFormat(rate: 48_000, channels: 2))
            feed = CaptureFeed([input], format: format, threshold: 0.1)
            now = input.buffer.clock.time
            start = now
            voice = LiveVoice(input.buffer.reader)
            voice.play(gain: 1, over: 0, after: 0)
            voice.setTime(delay: 0, at: now, fade: 240)
        }

        /// The time since the start in milliseconds.
        var milliseconds: Int { (now - start) / 1_000_000 }

        /// Captures for some time, and reads the device every 20 ms.
        func capture(_ milliseconds: Int, drift: Double = 0) throws {
            for _ in 0..<milliseconds / 20 {
                try read(frames: Int((Double(format.rate) * (1 + drift) / 50).rounded()))
                listen()
            }
        }

        /// Reads frames that have been captured within 20 ms.
        func read(frames: Int) throws {
            advance(20_000_000)
            var samples = tone(frames)
            try feed.accept(&samples, frames: frames, at: now)
            reports += feed.takeReports()
        }

        /// Lets time pass, in which the feed begins streams at the right time.
        func advance(_ nanoseconds: Int) {
            if let deadline = feed.deadline, deadline > now, deadline < now + nanoseconds { feed.wait(until: deadline) }
            now += nanoseconds
        }

        /// Returns a tone of about 440 Hz.
        private func tone(_ frames: Int) -> [Float] {
            (0..<frames).flatMap { _ -> [Float] in
                phase += 440 * 2 * Double.pi / Double(format.rate)
                return Array(repeating: amplitude * Float(sin(phase)), count: format.channels)
            }
        }

        /// Lets 20 ms pass without frames.
        func pass(_ milliseconds: Int) {
            for _ in 0..<milliseconds / 20 {
                advance(20_000_000)
                feed.wait(until: now)
                reports += feed.takeReports()
                listen()
            }
        }

        /// Hears 20 ms.
        func listen() {
            var block = [Float](repeating: 0, count: 960 * 2)
            _ = voice.mix(into: &block, frames: 960, fade: 240)
            voice.post(delay: 0, at: now)
            heard += stride(from: 0, to: block.count, by: 2).map { block[$0] }
        }

        /// The greatest difference between two frames that follow each other.
        var greatestStep: Float { zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }

        /// A tone of full amplitude changes by this much between two frames.
        var usualStep: Float { 0.5 * 2 * .pi * 440 / 48_000 }
    }

    @Test func hearsNothingBelowTheThreshold() throws {
        let bench = Bench()
        bench.amplitude = 0.09
        try bench.capture(2000)
        #expect(bench.reports.isEmpty && bench.heard.allSatisfy { $0 == 0 })
        #expect(bench.input.buffer.writeIndex == 0)
    }

    @Test func audioIsHeardWithTheLatencyAndWithoutAStep() throws {
        let bench = Bench()
        bench.amplitude = 0
        try bench.capture(1000)
        bench.amplitude = 0.5
        try bench.capture(2000)
        bench.amplitude = 0.01
        try bench.capture(2000)
        let (first, last) = try (
            #require(bench.heard.firstIndex { abs($0) > 1e-5 }), #require(bench.heard.lastIndex { abs($0) > 1e-5 })
        )
        #expect(abs(first / 48 - 1150) < 3, "\(first / 48) ms")
        // The quiet audio still counts for 250 ms, and fades out within a block.
        #expect(abs(last / 48 - 3400) < 13, "\(last / 48) ms")
        #expect(bench.greatestStep < bench.usualStep * 1.2, "\(bench.greatestStep)")
        #expect(bench.reports.count == 2)
        guard case .arrived(let begin) = bench.reports[0], case .ceased(let end) = bench.reports[1] else {
            Issue.record("\(bench.reports)")
            return
        }
        #expect(end - begin == 2_000_000_000)
    }

    @Test func audioThatReturnsBeforeTheSilenceIsHeardIsNotDelayed() throws {
        let bench = Bench()
        for _ in 0..<10 {
            bench.amplitude = 0.5
            try bench.capture(500)
            bench.amplitude = 0
            try bench.capture(300)
        }
        // Each closes after 250 ms of silence, and opens again 50 ms later.
        #expect(bench.reports.count == 20)
        let first = try #require(bench.heard.firstIndex { abs($0) > 1e-5 })
        let last = try #require(bench.heard.lastIndex { abs($0) > 1e-5 })
        #expect(abs(first / 48 - 150) < 3)
        #expect(abs(last / 48 - (9 * 800 + 500 + 150)) < 10, "\(last / 48) ms")
        #expect(bench.feed.statistics?.underruns == 0)
    }

    @Test func anotherRateAndANumberOfChannelsAreConverted() throws {
        let bench = Bench(rate: 44_100, channels: 1)
        try bench.capture(3000)
        #expect(bench.heard.max() ?? 0 > 0.49 && bench.greatestStep < bench.usualStep * 1.2)
        let crossings = zip(bench.heard.suffix(48_000), bench.heard.suffix(47_999)).count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - 440) <= 1, "\(crossings) Hz")
    }

    @Test func aStallOfTheOtherEndIsSilenceWithoutAStep() throws {
        let bench = Bench()
        try bench.capture(1000)
        bench.pass(1000)
        #expect(bench.reports.count == 2)
        #expect(bench.heard.suffix(4800).allSatisfy { $0 == 0 })
        try bench.capture(1000)
        #expect(bench.reports.count == 3 && bench.heard.suffix(4800).contains { abs($0) > 0.4 })
        #expect(bench.greatestStep < bench.usualStep * 1.2, "\(bench.greatestStep)")
    }

    @Test(arguments: [20, 100, 400, 2000])
    func framesThatAreLostAreAGapWithoutAStep(lost: Int) throws {
        let bench = Bench()
        try bench.capture(1000)
        for _ in 0..<lost / 20 {
            bench.advance(20_000_000)
            bench.listen()
        }
        try bench.feed.lose(lost * 48, at: bench.now)
        try bench.capture(2000)
        #expect(bench.heard.suffix(4800).contains { abs($0) > 0.4 })
        #expect(bench.greatestStep < bench.usualStep * 1.3, "\(bench.greatestStep)")
        let delay = bench.feed.delay(at: bench.now)
        #expect(abs(delay - 7200) < 48, "\(Double(delay) / 48) ms")
    }

    @Test(arguments: [200e-6, -200e-6])
    func followsADeviceWithAnotherClock(drift: Double) throws {
        let bench = Bench()
        let (frames, period) = (960, Int(20e6 / (1 + drift)))
        var samples = [Float](repeating: 0.5, count: frames * 2)
        var worst = 0
        for number in 0..<Int(120e9) / period {
            bench.advance(period)
            for index in samples.indices { samples[index] = 0.5 }
            try bench.feed.accept(&samples, frames: frames, at: bench.now)
            if number < 50 { continue }
            worst = max(worst, abs(bench.feed.delay(at: bench.now) - 7200))
        }
        #expect(worst < 240, "\(Double(worst) / 48) ms")
        #expect(bench.feed.statistics?.underruns == 0 && bench.feed.takeReports().count == 1)
    }
}
