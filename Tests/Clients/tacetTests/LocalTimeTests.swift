import Testing

@testable import tacet

@Suite struct LocalTimeTests {
    /// A whole minute, which it is in every time zone.
    private let now: Int64 = 1_795_269_600_000_000

    @Test func parsesTimeSpansBeforeNow() {
        #expect(LocalTime.parse("-2h", now: now) == now - 7_200_000_000)
        #expect(LocalTime.parse("1min 30s ago", now: now) == now - 90_000_000)
        #expect(LocalTime.parse("now", now: now) == now)
    }

    /// This test passes in any time zone.
    @Test func parsesWhatItFormats() throws {
        let text = LocalTime.format(now + 7_000_000)
        #expect(LocalTime.parse(text, now: 0) == now + 7_000_000)
        #expect(LocalTime.parse(String(text.dropFirst(11)), now: now) == now + 7_000_000)
        let midnight = try #require(LocalTime.parse("today", now: now))
        #expect(midnight <= now && LocalTime.format(midnight).hasSuffix(" 00:00:00"))
        #expect(LocalTime.parse(String(text.prefix(10)), now: 0) == midnight)
        #expect(try #require(LocalTime.parse("yesterday", now: now)) < midnight)
    }

    /// A damaged journal may contain any time.
    @Test func extremeTimesDoNotOverflow() {
        #expect(LocalTime.parse("-2h", now: .min) == Int64.min)
        #expect(LocalTime.parse("today", now: .min) == nil && LocalTime.parse("23:59:59", now: .max) == nil)
    }

    @Test(arguments: ["", "soon", "25:00", "14", "14:60", "2026-13-01", "2026-11-21 14", "-soon", "ago", "1:2:3:4"])
    func rejectsInvalidTimes(text: String) {
        #expect(LocalTime.parse(text, now: now) == nil)
    }
}
