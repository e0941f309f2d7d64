import Testing
import Time

@Suite("Time spans follow systemd.time(7)")
struct TimeSpanTests {
    @Test(
        "Valid time spans are parsed",
        arguments: [
            ("30ms", Duration.milliseconds(30)), ("5s", .seconds(5)), ("5", .seconds(5)), ("0", .zero),
            ("5.25s", .milliseconds(5250)), (".5s", .milliseconds(500)), ("1min 30s", .seconds(90)),
            ("1min30s", .seconds(90)), (" 2 h ", .seconds(7200)), ("2d", .seconds(172_800)),
            ("250us", .microseconds(250)), ("250µs", .microseconds(250)), ("1min 30", .seconds(90)),
            ("0.1us", .nanoseconds(100)), ("2 hours 1m", .seconds(7260)),
            ("1month", .seconds(2_629_800)), ("2 months", .seconds(5_259_600)), ("12M", .seconds(31_557_600)),
            ("1y", .seconds(31_557_600)), ("2years 1year", .seconds(94_672_800)),
            ("0.000000000000000001s", Duration(secondsComponent: 0, attosecondsComponent: 1)),
        ])
    func reads(text: String, span: Duration) {
        #expect(TimeSpan.parse(text) == span)
    }

    @Test(
        "Invalid time spans are rejected",
        arguments: [
            "", " ", "infinity", "s", "-5s", "5 parsecs", "5.s", "5..2s", "1.2.3s", "5s;", "0x10s", "1e3s", "٣s",
            "99999999999999999999s", "1000000000000w 1000000000000w", "5S",
        ])
    func rejects(text: String) {
        #expect(TimeSpan.parse(text) == nil)
    }

    @Test(
        "A position is a time span, or has colons as a clock has",
        arguments: [
            ("5s", .seconds(5)), (" 2min ", .seconds(120)), ("1:30", .seconds(90)),
            ("1:02:03.25", .milliseconds(3_723_250)),
            ("75:00", .seconds(4500)), ("1:75", nil), ("1:5", nil), ("1:30s", nil), ("-5s", nil), ("+5s", nil),
            ("banana", nil), ("", nil),
        ] as [(String, Duration?)])
    func positions(text: String, position: Duration?) {
        #expect(TimeSpan.parsePosition(text) == position)
    }

    @Test(
        "A formatted time span parses to the same value",
        arguments: [
            ("0s", Duration.zero), ("30ms", .milliseconds(30)), ("1min 30s", .seconds(90)),
            ("1d 1h 1min 1s 1ms 1us", .seconds(90_061) + .microseconds(1001)), ("0.100000000000us", .nanoseconds(100)),
        ])
    func writes(text: String, span: Duration) {
        #expect(TimeSpan.format(span) == text)
        #expect(TimeSpan.parse(text) == span)
    }

    @Test("A span below zero keeps its sign")
    func negative() {
        #expect(TimeSpan.format(.seconds(-90)) == "-1min 30s")
    }
}
