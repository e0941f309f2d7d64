import Chance
import Glibc
import Testing
import Time

@Suite struct CivilTimeTests {
    @Test(arguments: [
        (0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (20_778, "2026-11-21"), (-1, "1969-12-31"),
        (47_540, "2100-02-28"), (47_541, "2100-03-01"),
    ]) func calendarDatesAreCorrect(number: Int, text: String) {
        #expect(CivilDate(number: number).description == text)
    }

    /// The calendars also match before the year 0.
    @Test func calendarMatchesTheSystems() {
        var random = SplitMix(seed: 1)
        for _ in 0..<10_000 {
            var seconds = time_t.random(in: -253_402_300_800..<253_402_300_800, using: &random)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let civil = CivilTime(utc: .seconds(seconds))
            #expect(civil.date.year == Int(parts.tm_year) + 1900 && civil.date.month == Int(parts.tm_mon) + 1)
            #expect(civil.date.day == Int(parts.tm_mday) && civil.hour == Int(parts.tm_hour))
            #expect(civil.minute == Int(parts.tm_min) && civil.second == Int(parts.tm_sec))
            #expect(civil.sinceEpoch == .seconds(seconds))
        }
    }

    @Test func aDayBeyondTheMonthCountsOn() {
        let date = CivilDate(year: 2026, month: 2, day: 31)
        #expect(CivilDate(number: date.number) == CivilDate(year: 2026, month: 3, day: 3))
    }

    @Test func timesAreWrittenAsTheyAreRead() {
        let time = CivilTime(utc: .milliseconds(1_795_356_192_900))
        #expect("\(time)" == "2026-11-22 14:03:12" && time.timeOfDay == "14:03:12" && time.hourAndMinute == "14:03")
        #expect(time.date.short == "22 Nov" && time.date.long == "22 Nov 2026")
        #expect("\(CivilTime(utc: .nanoseconds(-1)))" == "1969-12-31 23:59:59")
    }
}
