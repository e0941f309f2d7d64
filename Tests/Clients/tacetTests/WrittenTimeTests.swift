import Testing

@testable import tacet

@Suite struct WrittenTimeTests {
    /// A time that is a whole minute in every time zone.
    private let now: Int64 = 1_795_269_600_000_000

    @Test func parsesTimeSpansBeforeNow() {
        #expect(WrittenTime.parse("-2h", now: now) == now - 7_200_000_000)
        #expect(WrittenTime.parse("1min 30s ago", now: now) == now - 90_000_000)
        #expect(WrittenTime.parse("now", now: now) == now)
    }

    /// This test passes in any time zone.
    @Test func parsesWhatItFormats() throws {
        let text = WrittenTime.format(now + 7_000_000)
        #expect(WrittenTime.parse(text, now: 0) == now + 7_000_000)
        #expect(WrittenTime.parse(String(text.dropFirst(11)), now: now) == now + 7_000_000)
        let midnight = try #require(WrittenTime.parse("today", now: now))
        #expect(midnight <= now && WrittenTime.format(midnight).hasSuffix(" 00:00:00"))
        #expect(WrittenTime.parse(String(text.prefix(10)), now: 0) == midnight)
        #expect(try #require(WrittenTime.parse("yesterday", now: now)) < midnight)
    }

    /// A damaged journal may contain any time.
    @Test func extremeTimesDoNotOverflow() {
        #expect(WrittenTime.parse("-2h", now: .min) == Int64.min)
        #expect(WrittenTime.parse("today", now: .min) == nil && WrittenTime.parse("23:59:59", now: .max) == nil)
    }

    @Test(arguments: ["", "soon", "25:00", "14", "14:60", "2026-13-01", "2026-11-21 14", "-soon", "ago", "1:2:3:4"])
    func rejectsInvalidTimes(text: String) {
        #expect(WrittenTime.parse(text, now: now) == nil)
    }
}
