import Testing
import Time

@Suite struct DurationTests {
    /// Threads compare times by their nanoseconds.
    @Test func wholeNanosecondsAreExact() {
        for start in [0, 1_000_000_007, 86_400_123_456_789, 31_536_000_987_654_321] {
            for nanoseconds in start..<start + 5000 {
                #expect(Duration.nanoseconds(nanoseconds).wholeNanoseconds == nanoseconds)
            }
        }
        #expect(Duration.nanoseconds(-1_500_000_001).wholeNanoseconds == -1_500_000_001)
    }

    @Test func clampsDurationsThatDoNotFit() {
        #expect(Duration.seconds(300 * 31_557_600).wholeNanoseconds == .max)
        #expect(Duration.microseconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.microseconds(Int64.min).wholeNanoseconds == .min)
        #expect(Duration.nanoseconds(Int64.max - 1).wholeNanoseconds == .max - 1)
        #expect(Duration.nanoseconds(Int64.min + 2).wholeNanoseconds == .min + 2)
    }

    @Test(arguments: [
        (Duration.seconds(64), "64 seconds"), (.seconds(1), "1 second"), (.milliseconds(8540), "8.5 seconds"),
        (.milliseconds(40), "0 seconds"), (.zero, "0 seconds"), (.seconds(120), "2 minutes"),
        (.seconds(150), "2 minutes 30 seconds"), (.milliseconds(181_900), "3 minutes 1 second"),
        (.seconds(3600), "1 hour"), (.seconds(3959), "1 hour 5 minutes"), (.seconds(90_000), "25 hours"),
    ]) func durationIsWrittenInWords(_ time: Duration, _ text: String) {
        #expect(time.words == text)
    }

    @Test func clockDropsFurtherDecimals() {
        let time = Duration.seconds(151) + .nanoseconds(259_999_999)
        #expect(time.clock() == "2:31" && time.clock(decimals: 2) == "2:31.25" && time.clock(decimals: 3) == "2:31.259")
        #expect(Duration.seconds(3600).clock() == "60:00" && Duration.milliseconds(7).clock(decimals: 3) == "0:00.007")
    }

    @Test(arguments: [
        (Duration.seconds(2), "2.0"), (.milliseconds(6030), "6.03"), (.nanoseconds(1), "0.000000001"), (.zero, "0.0"),
        (.milliseconds(-1500), "-1.5"),
    ]) func secondsAreExact(_ time: Duration, _ text: String) {
        #expect("\(Seconds(time))" == text)
    }

    @Test func numbersArePadded() {
        #expect(7.padded(to: 2) == "07" && 123.padded(to: 2) == "123" && (-7).padded(to: 3) == "-007")
        #expect(25.decimal(places: 1) == "2.5" && 5.decimal(places: 3) == "0.005" && (-5).decimal(places: 1) == "-0.5")
    }
}
