import Chance
import Testing

@testable import Playback

/// The follower with a simulated sender and listener, on a virtual clock.
@Suite struct ClockFollowerTests {
    /// A sender that writes chunks of frames on its own clock, and a device that plays them.
    private struct Stream {
        var follower: ClockFollower
        /// The frames that have been written for the device, at the device's rate.
        var written = 0.0
        let chunk: Double
        /// The sender's drift at a time in seconds, and the greatest lateness of a chunk in seconds.
        let drift: (Double) -> Double
        let jitter: Double
        var chance = SplitMix(seed: 7)
        /// The greatest and smallest mean delay in milliseconds, and the greatest speed, since the last reset.
        var delays = (least: Double.infinity, greatest: -Double.infinity)
        var greatestSpeed = 0.0
        var greatestStep = 0.0
        var ranDry = 0
        private var sent = 0.0
        private var time = 0.0
        private var latest = 0.0

        init(chunk: Double, jitter: Double = 0, drift: @escaping (Double) -> Double) {
            follower = ClockFollower(rate: 48_000, target: 7200)
            self.chunk = chunk
            self.jitter = jitter
            self.drift = drift
            // The first chunk arrives when the mean delay is the target.
            written = 7200 + chunk / 2
        }

        mutating func run(seconds: Double, settles: Bool = false) {
            delays = (.infinity, -.infinity)
            let end = time + seconds
            while time < end {
                sent += chunk / 48_000 / (1 + drift(time))
                time = sent
                let arrival = max(latest, sent + jitter * Double.random(in: 0..<1, using: &chance))
                latest = arrival
                let before = written - arrival * 48_000
                if before < 0 { ranDry += 1 }
                written += chunk / (1 + follower.speed)
                let old = follower.speed
                follower.observe(
                    before: Int(before), after: Int(written - arrival * 48_000), at: Int(arrival * 1e9))
                greatestStep = max(greatestStep, abs(follower.speed - old))
                greatestSpeed = max(greatestSpeed, abs(follower.speed))
                if let delay = follower.delay {
                    delays = (min(delays.least, delay / 48), max(delays.greatest, delay / 48))
                }
            }
        }
    }

    @Test(arguments: [-300e-6, -50e-6, 0, 300e-6], [480.0, 4096, 4800])
    func keepsTheDelayForAnHourWhateverTheSendersClock(drift: Double, chunk: Double) {
        var stream = Stream(chunk: chunk) { _ in drift }
        stream.run(seconds: 300)
        #expect(stream.delays.least > 145 && stream.delays.greatest < 155)
        stream.run(seconds: 3600)
        #expect(stream.delays.least > 149 && stream.delays.greatest < 151)
        #expect(abs(stream.follower.speed - drift) < 20e-6)
        #expect(stream.greatestSpeed < 500e-6)
        #expect(stream.ranDry == 0)
    }

    @Test func burstsAndJitterDoNotModulateThePitchAudibly() {
        // Chunks of 100 ms, and chunks that come up to 60 ms late.
        for (chunk, jitter) in [(4800.0, 0.0), (960.0, 0.06)] {
            var stream = Stream(chunk: chunk, jitter: jitter) { _ in 200e-6 }
            stream.run(seconds: 600)
            stream.greatestStep = 0
            stream.run(seconds: 3600)
            #expect(stream.delays.least > 145 && stream.delays.greatest < 155)
            #expect(stream.greatestStep < 30e-6)
            #expect(stream.greatestSpeed < 500e-6)
            #expect(stream.ranDry == 0)
        }
    }

    @Test func followsAClockThatDrifts() {
        // The sender's clock wanders by 200 ppm within ten minutes, as that of a board that warms up.
        var stream = Stream(chunk: 960) { time in 300e-6 - 400e-6 * min(1, time / 1200) }
        stream.run(seconds: 300)
        stream.run(seconds: 3300)
        #expect(stream.delays.least > 145 && stream.delays.greatest < 155)
        #expect(stream.greatestSpeed < 500e-6)
    }

    @Test func correctsALongDelayWithoutExceedingTheLimit() {
        var stream = Stream(chunk: 960) { _ in -300e-6 }
        stream.written += 2400
        stream.run(seconds: 600)
        stream.run(seconds: 600)
        #expect(stream.delays.least > 145 && stream.delays.greatest < 155)
        #expect(stream.greatestSpeed <= ClockFollower.limit)
    }

    @Test func playsASenderWithoutAClockAtTheDevicesSpeed() {
        var follower = ClockFollower(rate: 48_000, target: 7200)
        for number in 0..<1000 {
            follower.observe(before: 12_000, after: 13_000, at: number * 20_000_000, isPaced: true)
            #expect(follower.speed == 0)
        }
    }

    @Test func keepsTheDriftAcrossARestartAndIgnoresThePause() {
        var stream = Stream(chunk: 960) { _ in 300e-6 }
        stream.run(seconds: 600)
        var follower = stream.follower
        let drift = follower.drift
        #expect(abs(drift - 300e-6) < 10e-6)
        follower.restart()
        #expect(follower.delay == nil && follower.speed == drift)
        follower.observe(before: 0, after: 7200, at: 700_000_000_000)
        follower.observe(before: -1_000_000, after: 7200, at: 720_000_000_000)
        #expect(follower.drift == drift && follower.delay == nil)
    }
}
