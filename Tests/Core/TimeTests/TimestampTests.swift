import Testing
import Time

@Suite struct TimestampTests {
    @Test(arguments: [
        "1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2026-11-25T14:03:12.25+01:00", "9999-12-31T23:59:59z",
        "2016-12-31T23:59:60Z",
    ])
    func timesOfRFC3339AreRead(_ text: String) throws { #expect(Timestamp.parse(text) != nil) }

    @Test(arguments: [
        "2026-02-29T00:00:00Z", "2026-02-31T23:59:60Z", "2026-13-01T00:00:00Z", "2026-11-25", "2026-11-25T14:03:12",
        "2026-11-25T14:03:12.Z", "2026-11-25T14:03:12+1", "2026-11-25T25:03:12Z", "2026-11-25T14:03:12Zjunk", "",
    ])
    func otherTextsAreRejectedAsTimes(_ text: String) { #expect(Timestamp.parse(text) == nil) }

    @Test func timeIsWrittenAndReadBack() {
        let time = Duration.seconds(1_795_611_792) + .milliseconds(250)
        #expect(Timestamp.format(time, decimals: 3) == "2026-11-25T13:03:12.250Z")
        #expect(Timestamp.format(time, decimals: 6) == "2026-11-25T13:03:12.250000Z")
        #expect(Timestamp.format(time, decimals: 0) == "2026-11-25T13:03:12Z")
        #expect(Timestamp.parse(Timestamp.format(time, decimals: 3)) == time)
    }

    @Test func offsetIsThatFromUTC() {
        #expect(Timestamp.parse("2026-11-25T14:03:12.25+01:00") == Timestamp.parse("2026-11-25T13:03:12.25Z"))
        #expect(Timestamp.parse("1970-01-01T00:00:00.5+01:00") == .milliseconds(-3_599_500))
    }

    /// A damaged journal may contain any time.
    @Test func extremeTimesDoNotOverflow() {
        #expect(Timestamp.format(.microseconds(Int64.min), decimals: 6).hasSuffix(":59:05.224192Z"))
        #expect(Timestamp.format(.microseconds(Int64.max), decimals: 6).hasSuffix(":00:54.775807Z"))
        #expect(Timestamp.format(.microseconds(-1), decimals: 6) == "1969-12-31T23:59:59.999999Z")
    }
}
