import Testing

@testable import Appliance

@Suite struct SleepWatchTests {
    private var watch = SleepWatch(at: .seconds(100), suspended: .seconds(7))

    @Test mutating func suspensionShowsInTheClocks() {
        let first = watch.look(at: .milliseconds(100_500), suspended: .seconds(7))
        #expect(first == nil)
        // CLOCK_MONOTONIC did not advance during the sleep.
        let second = watch.look(at: .milliseconds(100_501), suspended: .seconds(67))
        #expect(second == Sleep(cause: .suspended, length: .seconds(60)))
        let third = watch.look(at: .seconds(101), suspended: .seconds(67))
        #expect(third == nil)
    }

    @Test mutating func addsTheSuspensionsOfAnAnnouncedSleep() {
        _ = watch.look(at: .seconds(101), suspended: .seconds(17))
        watch.announce()
        _ = watch.look(at: .seconds(102), suspended: .seconds(37))
        watch.announce()
        _ = watch.look(at: .seconds(103), suspended: .seconds(77))
        #expect(watch.announced == .seconds(60))
        let length = watch.endAnnounced()
        #expect(length == .seconds(60) && watch.announced == nil)
    }

    @Test mutating func suspensionOfASecondOrLessIsIgnored() {
        let first = watch.look(at: .seconds(101), suspended: .seconds(8))
        let second = watch.look(at: .seconds(102), suspended: .milliseconds(9_001))
        #expect(first == nil && second?.length == .milliseconds(1_001))
    }

    @Test mutating func stopShowsInSIGCONTAfterAPeriodWithoutEvents() {
        _ = watch.look(at: .seconds(101), suspended: .seconds(7))
        let sleep = watch.continue(at: .seconds(104), suspended: .seconds(7))
        #expect(sleep == Sleep(cause: .stopped, length: .seconds(3)))
        let again = watch.continue(at: .milliseconds(104_001), suspended: .seconds(7))
        #expect(again == nil)
    }

    @Test mutating func periodWithoutEventsIsNotAStop() {
        let late = watch.look(at: .seconds(130), suspended: .seconds(7))
        let sleep = watch.continue(at: .seconds(131), suspended: .seconds(7))
        #expect(late == nil && sleep == nil)
    }

    @Test mutating func sigcontSoonAfterAnEventIsNotAStop() {
        let sleep = watch.continue(at: .milliseconds(100_900), suspended: .seconds(7))
        #expect(sleep == nil)
    }

    @Test mutating func stopDuringWhichTheSystemWasSuspendedIsASuspension() {
        let sleep = watch.continue(at: .seconds(103), suspended: .seconds(607))
        #expect(sleep == Sleep(cause: .suspended, length: .seconds(600)))
    }
}
