import Testing

@testable import Timeline

@Suite struct ScaleTests {
    private func scale(_ start: Double, _ end: Double) -> TimeScale {
        TimeScale(start: start, end: end, left: 100, right: 800)
    }

    @Test func axisTicksAreRoundNumbers() {
        #expect(Axis(scale(0, 30)).ticks.map(\.label) == ["0 s", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s"])
        #expect(Axis(scale(0, 1)).step == 0.1)
        #expect(Axis(scale(0, 0.004)).ticks.last?.label == "0.004 s")
        #expect(Axis(scale(61, 299)).ticks.first?.label == "1:30")
        #expect(Axis(scale(0, 3600)).ticks.map(\.label).last == "1:00:00")
        #expect(Axis(scale(-5, 5)).ticks.first?.label == "−5 s")
    }

    @Test(arguments: [0.001, 0.01, 0.3, 1, 7, 59, 61, 500, 5000, 90_000, 1e6, 1e9])
    func axisHasAFewTicksWhateverTheStretch(_ duration: Double) {
        for start in [0, 1234.5678, -3e6] {
            let ticks = Axis(scale(start, start + duration)).ticks
            #expect((2...11).contains(ticks.count), "\(duration): \(ticks.map(\.label))")
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.x < $1.x })
            #expect(Set(ticks.map(\.label)).count == ticks.count, "\(ticks.map(\.label))")
        }
    }

    @Test func shortPulseStaysVisible() {
        #expect(scale(0, 3600).extent(1800, 1800.01) == 450...451.5)
        #expect(scale(0, 10).extent(10, 10) == 798.5...800)
    }

    @Test func whatIsOutsideIsNotDrawn() {
        let scale = scale(10, 20)
        #expect(scale.extent(0, 10) == nil)
        #expect(scale.extent(20, 30) == nil)
        #expect(scale.extent(15, 12) == nil)
        #expect(scale.extent(.nan, 12) == nil)
        #expect(scale.extent(-.infinity, .infinity) == 100...800)
    }

    @Test func numbersAreRoundedNotCut() {
        #expect(NumberText.decimal(1.005, places: 1) == "1")
        #expect(NumberText.decimal(-0.06, places: 1) == "-0.1")
        #expect(NumberText.decimal(-0.01, places: 1) == "0")
        #expect(NumberText.decimal(12.50) == "12.5")
        #expect(NumberText.decimal(.nan) == "0")
    }

    @Test func decibelsAreRight() {
        #expect(NumberText.decibels(1) == "0 dB")
        #expect(NumberText.decibels(0.5) == "−6 dB")
        #expect(NumberText.decibels(0.199_526) == "−14 dB")
        #expect(NumberText.decibels(0.000_1) == "−80 dB")
        #expect(NumberText.decibels(0) == "off")
    }

    @Test func timesAreReadAsClocks() {
        #expect(TimeText.position(83) == "1:23")
        #expect(TimeText.position(82.999_9) == "1:23")
        #expect(TimeText.position(3 * 3600 + 62) == "3:01:02")
        #expect(TimeText.clock(59.96, places: 1) == "1:00")
        #expect(TimeText.clock(64.5, places: 1) == "1:04.5")
        #expect(TimeText.precise(-4.25) == "−4.25 s")
        #expect(TimeText.duration(4.949) == "4.9 s")
        #expect(TimeText.duration(.infinity) == "")
    }

    @Test func textIsCutWithAnEllipsis() throws {
        let cut = try #require(TextMetrics.fitted("phone-call-from-outside", into: 80))
        #expect(cut.hasSuffix("…"))
        #expect(TextMetrics.width(cut) <= 80)
        #expect(TextMetrics.fitted("alarm", into: 80) == "alarm")
        #expect(TextMetrics.fitted("alarm", into: 12) == nil)
        #expect(TextMetrics.width("e\u{301}") == TextMetrics.width("e"))
    }
}
