import Testing

@testable import Appliance

@Suite struct RecordedTimeTests {
    @Test func addsRecordedTimeOfAllRatesAndRecorders() {
        var time = RecordedTime()
        #expect(time.total(0) == .zero)
        time.use(rate: 48_000, after: 0)
        #expect(time.total(96_000) == .seconds(2))
        // The device has a different rate.
        time.use(rate: 16_000, after: 48_000)
        #expect(time.total(48_000) == .seconds(1) && time.total(64_000) == .seconds(2))
        time.endRecorder(after: 64_000)
        #expect(time.total(0) == .seconds(2))
        time.use(rate: 8000, after: 0)
        #expect(time.total(8000) == .seconds(3))
    }
}
