import Clocks
import Testing

@Suite struct SystemClockTests {
    @Test func bootTimeIncludesSuspendedTime() {
        let monotonic = SystemClock.monotonic.now
        #expect(monotonic <= SystemClock.monotonic.now)
        #expect(SystemClock.suspendedTime >= .zero && SystemClock.bootTime.now >= monotonic)
    }

    @Test func anInstantIsDatedByTheWallClock() {
        let before = SystemClock.wallClock - .seconds(5)
        let dated = SystemClock.wallClock(at: SystemClock.bootTime.now - .seconds(5))
        #expect(dated <= SystemClock.wallClock - .seconds(5) && dated > before - .seconds(60))
    }
}
