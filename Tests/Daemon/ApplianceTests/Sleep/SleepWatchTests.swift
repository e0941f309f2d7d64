import Testing

@testable import Appliance

@Suite struct SleepWatchTests {
    private var watch = SleepWatch(at: .seconds(100), suspended: .seconds(7))

    @Test mutating func suspensionShowsInTheClocks() {
        let first = watch.pass(at: .milliseconds(100_500), suspended: .seconds(7))
        #expect(first == nil)
        // CLOCK_MONOTONIC did not advance during the sleep.
        let second = watch.look(suspended: .seconds(67))
        #expect(second == Sleep(cause: .suspended, length: .seconds(60)))
        let third = watch.pass(at: .seconds(101), suspended: .seconds(67))
        #expect(third == nil)
    }

    @Test mutating func addsTheSuspensionsOfAnAnnouncedSleep() {
        _ = watch.look(suspended: .seconds(17))
        watch.announce()
        _ = watch.look(suspended: .seconds(37))
        watch.announce()
        _ = watch.look(suspended: .seconds(77))
        #expect(watch.announced == .seconds(60))
        let length = watch.endAnnounced()
        #expect(length == .seconds(60) && watch.announced == nil)
    }

    @Test mutating func suspensionOfASecondOrLessIsIgnored() {
        let first = watch.look(suspended: .seconds(8))
        let second = watch.look(suspended: .milliseconds(9_001))
        #expect(first == nil && second?.length == .milliseconds(1_001))
    }

    @Test mutating func stopShowsInALateTimerAndSIGCONT() {
        let sleep = watch.continue(at: .seconds(104), suspended: .seconds(7))
        #expect(sleep == Sleep(cause: .stopped, length: .seconds(3)))
        // The late timer follows.
        let again = watch.pass(at: .milliseconds(104_001), suspended: .seconds(7))
        #expect(again == nil && watch.due == .milliseconds(105_001))
    }

    @Test mutating func busyMachineIsNotAStop() {
        let late = watch.pass(at: .seconds(130), suspended: .seconds(7))
        #expect(late == nil)
    }

    @Test mutating func sigcontAloneIsNotAStop() {
        let sleep = watch.continue(at: .milliseconds(101_500), suspended: .seconds(7))
        #expect(sleep == nil)
    }

    @Test mutating func stopDuringWhichTheSystemWasSuspendedIsASuspension() {
        let sleep = watch.continue(at: .seconds(103), suspended: .seconds(607))
        #expect(sleep == Sleep(cause: .suspended, length: .seconds(600)))
    }
}
