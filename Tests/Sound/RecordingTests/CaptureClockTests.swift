import Testing

@testable import Recording

@Suite struct CaptureClockTests {
    private let second = 1_000_000_000

    @Test func orderTakesEffectAtTheFirstFrameThatWasNotCapturedBeforeIt() {
        var clock = CaptureClock(frame: 0, at: 0, rate: 48_000)
        // 960 frames have been read, and 480 more have been captured.
        clock.locate(after: 960, delay: 480, available: 480, at: second)
        #expect(clock.frame(at: second) == 1440)
        #expect(clock.frame(at: second + 1) == 1441)
        #expect(clock.frame(at: second - 1) == 1440)
        #expect(clock.time(of: 1440 + 48_000) == 2 * second)
        // An order may be much older than the device.
        #expect(clock.frame(at: -2_000 * second) == 0)
    }

    @Test func followsTheClockWhileTheDeviceReportsNoDelay() {
        var clock = CaptureClock(frame: 0, at: 0, rate: 48_000)
        clock.locate(after: 0, delay: 480, available: 480, at: second)
        clock.locate(after: 960, delay: 0, available: 7, at: second + 500_000_000)
        #expect(clock.frame(at: second) == 480)
        clock.locate(after: 960, delay: 0, available: 7, at: second + 500_000_001)
        #expect(clock.frame(at: second + 500_000_001) == 967)
    }

    @Test func neverRunsBackwardsWhenTheDeviceIsRestarted() {
        var clock = CaptureClock(frame: 0, at: 0, rate: 48_000)
        #expect(clock.restart(from: 40_000, at: second) == 48_000)
        #expect(clock.restart(from: 60_000, at: second) == 48_000)
        #expect(clock.frame(at: second) == 60_000)
    }
}
