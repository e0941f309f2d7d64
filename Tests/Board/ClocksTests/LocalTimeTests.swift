import Clocks
import Testing
import Time

/// These tests pass in any time zone.
@Suite struct LocalCivilTimeTests {
    @Test func localTimeIsReadBack() {
        for day in 0..<366 {
            let time = Duration.seconds(1_795_356_192 + day * 86_400)
            let local = CivilTime(local: time)
            #expect(local.sinceEpoch == time + CivilTime.zoneOffset(at: time))
            #expect(local.localSinceEpoch == time)
        }
    }

    @Test func timeBeyondTheCalendarIsRejected() {
        let date = CivilDate(year: .max, month: 1, day: 1)
        #expect(CivilTime(date).localSinceEpoch == nil)
    }
}
