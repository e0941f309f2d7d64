import Glibc
import Testing

@testable import Threads

@Suite struct SharedAlarmTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    @Test func goesOffUnlessItIsPostponedOrCancelled() {
        let alarm = SharedAlarm()
        #expect(!alarm.isSet)
        alarm.set(after: 1)
        alarm.handle.set(after: 3_600_000_000_000)
        #expect(alarm.isSet && !isReadable(alarm.descriptor))
        alarm.set(after: nil)
        #expect(!alarm.isSet)
        alarm.set(after: -5)
        alarm.wait()
        #expect(!alarm.isSet && !alarm.clear())
    }

    @Test func wakesTheOwnerOfATimer() {
        let alarm = SharedAlarm()
        let timer = WakeupTimer(WakeUp(), or: alarm)
        timer.setAlarm(after: 3_600_000_000_000)
        #expect(!isReadable(timer.descriptor))
        alarm.set(after: 1)
        var entry = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
        let (hasRung, hasGoneOff) = timer.clear()
        #expect(!hasRung && !hasGoneOff && alarm.clear() && !isReadable(timer.descriptor))
    }
}
