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
    func axisHasFewTicksForAnyDuration(_ duration: Double) {
        for start in [0, 1234.5678, -3e6] {
            let ticks = Axis(scale(start, start + duration)).ticks
            #expect((2...11).contains(ticks.count), "\(duration): \(ticks.map(\.label))")
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.x < $1.x })
            #expect(Set(ticks.map(\.label)).count == ticks.count, "\(ticks.map(\.label))")
        }
    }

    // MARK: The time of day

    /// An axis that starts at 2026-11-21 23:30 UTC.
    private func axis(_ duration: Double, ahead: Int = 0, changes: [(Double, Int)] = []) -> ClockAxis {
        let offsets = [(0, ahead)] + changes
        let clock = Timeline.WallClock(
            origin: 1_795_303_800, offsets: offsets.map { .init(from: $0.0, ahead: $0.1) })
        return ClockAxis(TimeScale(start: 0, end: duration, left: 100, right: 800, clock: clock), clock)
    }

    @Test func clockTicksAreRoundLocalTimes() {
        #expect(axis(3600).ticks.map(\.label) == ["23:30", "23:40", "23:50", "00:00", "00:10", "00:20", "00:30"])
        #expect(axis(20).ticks.map(\.label).prefix(2) == ["23:30:00", "23:30:05"])
        #expect(axis(1).ticks.map(\.label).prefix(2) == ["23:30:00.0", "23:30:00.2"])
        // An offset of 10½ hours, as in Adelaide.
        #expect(axis(6 * 3600, ahead: 37_800).ticks.map(\.label).prefix(3) == ["10:00", "11:00", "12:00"])
    }

    @Test func dateIsShownWhereItChanges() {
        let axis = axis(3600)
        #expect(axis.dates.map(\.label) == ["21 Nov 2026", "22 Nov 2026"])
        #expect(axis.dates.map(\.x) == [100, 450] && axis.midnights == [450])
        // The two dates would overlap, so only the later one is shown.
        #expect(self.axis(36_000).dates.map(\.label) == ["22 Nov 2026"])
        let month = self.axis(45 * 86_400)
        #expect(month.ticks.map(\.label).contains("23 Nov") && month.midnights.isEmpty)
        #expect(month.dates.map(\.label) == ["2026", "2027"])
    }

    @Test func clockTicksFollowDaylightSavingTime() {
        // After an hour, at 01:00, the clock goes back by one hour.
        let back = axis(4 * 3600, ahead: 1800, changes: [(3600, -1800)])
        #expect(
            back.ticks.map(\.label) == [
                "00:00", "00:30", "00:00", "00:30", "01:00", "01:30", "02:00", "02:30", "03:00",
            ])
        #expect(zip(back.ticks, back.ticks.dropFirst()).allSatisfy { $0.x < $1.x })
    }

    @Test(arguments: [0.001, 0.3, 1, 7, 59, 500, 5000, 90_000, 1e6, 1e8, 1e10])
    func clockAxisHasFewTicksForAnyDuration(duration: Double) {
        let ticks = axis(duration).ticks
        #expect((1...9).contains(ticks.count), "\(duration): \(ticks.map(\.label))")
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1.x - $0.x > TextMetrics.width($1.label) }, "\(ticks)")
    }

    @Test func shortPulseStaysVisible() {
        #expect(scale(0, 3600).extent(1800, 1800.01) == 450...451.5)
        #expect(scale(0, 10).extent(10, 10) == 798.5...800)
    }

    @Test func spansOutsideTheScaleHaveNoExtent() {
        let scale = scale(10, 20)
        #expect(scale.extent(0, 10) == nil)
        #expect(scale.extent(20, 30) == nil)
        #expect(scale.extent(15, 12) == nil)
        #expect(scale.extent(.nan, 12) == nil)
        #expect(scale.extent(-.infinity, .infinity) == 100...800)
    }

    @Test func numbersAreRounded() {
        #expect(NumberText.decimal(1.005, places: 1) == "1")
        #expect(NumberText.decimal(-0.06, places: 1) == "-0.1")
        #expect(NumberText.decimal(-0.01, places: 1) == "0")
        #expect(NumberText.decimal(12.50) == "12.5")
        #expect(NumberText.decimal(.nan) == "0")
    }

    @Test func decibelsAreFormatted() {
        #expect(NumberText.decibels(1) == "0 dB")
        #expect(NumberText.decibels(0.5) == "−6 dB")
        #expect(NumberText.decibels(0.199_526) == "−14 dB")
        #expect(NumberText.decibels(0.000_1) == "−80 dB")
        #expect(NumberText.decibels(0) == "off")
    }

    @Test func timesAreFormattedAsClocks() {
        #expect(TimeText.position(83) == "1:23")
        #expect(TimeText.position(82.999_9) == "1:23")
        #expect(TimeText.position(3 * 3600 + 62) == "3:01:02")
        #expect(TimeText.clock(59.96, places: 1) == "1:00")
        #expect(TimeText.clock(64.5, places: 1) == "1:04.5")
        #expect(TimeText.precise(-4.25) == "−4.25 s")
        #expect(TimeText.duration(4.949) == "4.9 s")
        #expect(TimeText.duration(.infinity) == "")
    }

    @Test func textIsTruncatedWithAnEllipsis() throws {
        let cut = try #require(TextMetrics.fitted("phone-call-from-outside", into: 80))
        #expect(cut.hasSuffix("…"))
        #expect(TextMetrics.width(cut) <= 80)
        #expect(TextMetrics.fitted("alarm", into: 80) == "alarm")
        #expect(TextMetrics.fitted("alarm", into: 12) == nil)
        #expect(TextMetrics.width("e\u{301}") == TextMetrics.width("e"))
    }
}
