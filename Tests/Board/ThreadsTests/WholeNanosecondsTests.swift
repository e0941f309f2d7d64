import Testing
import Threads

/// Threads compare times by their nanoseconds, so the conversion must be exact.
@Suite struct WholeNanosecondsTests {
    @Test func conversionIsExact() {
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
}
