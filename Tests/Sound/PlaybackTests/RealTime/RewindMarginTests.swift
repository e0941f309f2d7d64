import Chance
import Testing

@testable import Playback

@Suite struct RewindMarginTests {
    /// Returns the margin of a device whose position moves in steps. It is observed every half millisecond, and
    /// occasionally late.
    private func measured(step: Int, delays: Int = 0) -> RewindMargin {
        var margin = RewindMargin(rate: 48_000)
        var now = 0
        var looks = 0
        while !margin.isKnown {
            let played = now * 48 / 1_000_000 / step * step
            _ = margin.observe(played: played, from: now, at: now)
            looks += 1
            now += RewindMargin.interval
            if delays > 0, looks % delays == 0 { now += 25_000_000 }
        }
        return margin
    }

    @Test(arguments: [1, 48, 192, 480])
    func stepIsMeasuredEvenByALateThread(step: Int) {
        for delays in [0, 7, 30] {
            let found = measured(step: step, delays: delays).largestStep
            #expect((step...step + 48).contains(found), "\(step) \(delays) \(found)")
        }
    }

    /// The margin consists of the 4 ms of a step whose phase is not known, 4 ms for the first work, and PulseAudio's 1.33
    /// ms.
    @Test func marginIsTheSumOfItsParts() {
        var margin = measured(step: 192)
        margin.forgetLag()
        #expect((448...496).contains(margin.frames))
        #expect(RewindMargin(rate: 48_000).frames == 736)
    }

    @Test func growsAtEachFaultUpToALimit() {
        var margin = measured(step: 192)
        var before = margin.frames
        for _ in 0..<3 {
            margin.grow(at: 0)
            #expect(margin.frames > before)
            before = margin.frames
        }
        for _ in 0..<50 { margin.grow(at: 0) }
        #expect(margin.frames == 1920)
    }

    @Test func slowRewindIsForgottenSlowly() {
        var margin = measured(step: 192)
        let normal = margin.frames
        margin.took(8_000_000)
        #expect(margin.frames == normal + 192)
        for _ in 0..<80 { margin.took(100_000) }
        #expect(margin.frames < normal)
    }

    /// Returns the hours that pass until the margin shrinks.
    private func hoursUntilItShrinks(_ margin: inout RewindMargin, after start: Int) -> Int {
        let before = margin.frames(played: 0, at: start)
        var hours = 0
        repeat {
            hours += 1
            margin.forgetLag()
            _ = margin.observe(played: 0, from: start, at: start + hours * 3_600_000_000_000)
            margin.forgetLag()
        } while margin.frames(played: 0, at: start) >= before
        return hours
    }

    @Test func shrinksAfterQuietHours() {
        var margin = measured(step: 192)
        margin.forgetLag()
        let normal = margin.frames
        margin.grow(at: 0)
        let grown = margin.frames
        #expect(hoursUntilItShrinks(&margin, after: 0) == 1)
        #expect(margin.frames == normal + (grown - normal) / 2)
        margin.grow(at: 0)
        #expect(hoursUntilItShrinks(&margin, after: 0) == 2)
        // Without evidence, the margin never falls below the reserve for the frames that hardware fetches.
        for hour in 1...100 {
            _ = margin.observe(played: 0, from: 0, at: hour * 86_400_000_000_000)
        }
        margin.forgetLag()
        #expect(margin.frames == normal)
    }

    // MARK: Models of devices

    /// A device whose reported position moves in steps of up to `step` frames, at a clock that deviates.
    struct Model: Sendable, CustomStringConvertible {
        var description: String
        var step: Int
        var rate = 48_000
        var deviation = 0
        /// The time in nanoseconds at which a step begins.
        var phase = 0
        /// True if a step sometimes comes late, as on an emulator.
        var stumbles = false

        /// The frame that is really being played.
        func truth(_ now: Int) -> Int { Int(Double(now - phase) * Double(rate) * (1 + Double(deviation) / 1e6) / 1e9) }
        func reported(_ now: Int) -> Int { truth(now) / step * step }

        static let loopback = Model(description: "snd-aloop, which moves with a tick of 4 ms", step: 192)
        static let usb = Model(description: "USB, transfers of 2 ms", step: 96, deviation: 80, phase: 777_777)
        static let longUSB = Model(description: "USB, transfers of 8 ms", step: 384, deviation: -150, phase: 1_234_567)
        static let i2s = Model(description: "I2S, bursts of 16 frames", step: 16, deviation: 30)
        static let period = Model(description: "a period of 20 ms", step: 960, deviation: 50)
        static let late = Model(description: "snd-aloop with late ticks", step: 192, stumbles: true)
        static let fast = Model(description: "a clock that is 0.4 % fast", step: 192, deviation: 4000)
        static let slow = Model(description: "a clock that is 0.4 % slow", step: 192, deviation: -4000)
    }

    /// Plays on a device for ten minutes, with a refill every 1.5 s and orders at random times in between. Returns the
    /// smallest number of frames that a rewind left beyond the frame being played when its work was done, and the
    /// distances in milliseconds from the frame being played at the order to the first frame that could be changed.
    private func rewinds(on model: Model, work: Int = 150_000) -> (spare: Int, distances: [Double]) {
        var margin = RewindMargin(rate: model.rate)
        var chance = SplitMix(seed: 7)
        var now = 1_000_000_000
        while !margin.isKnown {
            _ = margin.observe(played: model.reported(now), from: now, at: now + 20_000)
            now += RewindMargin.interval + .random(in: 60_000...120_000, using: &chance)
        }
        for _ in 0..<200 { margin.took(work) }
        var (spare, distances) = (Int.max, [Double]())
        for refill in 0..<400 {
            let lateness = model.stumbles && refill % 7 == 0 ? model.step : 0
            _ = margin.observe(played: model.reported(now) - lateness, from: now, at: now + 20_000)
            let order = now + .random(in: 0...1_400_000_000, using: &chance)
            let played = model.reported(order)
            _ = margin.observe(played: played, from: order, at: order + 20_000)
            let first = played + margin.frames(played: played, at: order + 20_000)
            spare = min(spare, first - max(model.truth(order + work), model.reported(order + work)))
            distances.append(Double(first - model.truth(order)) * 1000 / Double(model.rate))
            now += 1_500_000_000 + .random(in: 0...200_000, using: &chance)
        }
        return (spare, distances.sorted())
    }

    /// Wherever in a step an order comes, the rewind leaves the frames that the hardware has fetched, and usually changes
    /// frames that are about 2 ms ahead of the one being played.
    @Test(arguments: [Model.loopback, .usb, .i2s])
    func marginIsWhatTheDeviceNeeds(model: Model) {
        let (spare, distances) = rewinds(on: model)
        // PulseAudio's value, less two frames for rounding.
        #expect(spare >= 62, "\(spare)")
        #expect(distances[200] < 2.8, "\(distances[200])")
    }

    @Test(arguments: [Model.longUSB, .period, .late, .fast, .slow])
    func marginIsEnoughOnEveryDevice(model: Model) {
        let (spare, _) = rewinds(on: model)
        #expect(spare >= 0, "\(spare)")
    }
}
