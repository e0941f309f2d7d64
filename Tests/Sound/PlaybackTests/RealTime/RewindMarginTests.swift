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
            _ = margin.observe(played: played, at: now)
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

    /// The margin is 4 ms for the step, 1 ms for the work, and PulseAudio's 1.33 ms.
    @Test func marginIsTheSumOfItsParts() {
        let margin = measured(step: 192)
        #expect((304...352).contains(margin.frames))
        #expect(RewindMargin(rate: 48_000).frames == 592)
    }

    @Test func growsAtEachFaultUpToALimit() {
        var margin = measured(step: 192)
        var before = margin.frames
        for _ in 0..<3 {
            margin.grow()
            #expect(margin.frames > before)
            before = margin.frames
        }
        for _ in 0..<50 { margin.grow() }
        #expect(margin.frames == 1920)
    }

    @Test func slowRewindIsForgottenSlowly() {
        var margin = measured(step: 192)
        let normal = margin.frames
        margin.took(5_000_000)
        #expect(margin.frames == normal + 192)
        for _ in 0..<40 { margin.took(100_000) }
        #expect(margin.frames < normal)
    }
}
