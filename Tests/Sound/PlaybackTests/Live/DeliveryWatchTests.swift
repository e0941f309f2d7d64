import ALSA
import Testing

@testable import Playback

@Suite struct DeliveryWatchTests {
    private let buffers = [0, 1].map { _ in
        LiveBuffer(format: StreamFormat(rate: 48_000, channels: 1), latency: .zero, at: 0)
    }

    private func watch(latency: Duration) -> DeliveryWatch { DeliveryWatch(LiveInput("radio", latency: latency)) }

    /// Looks every 10 ms for some milliseconds. Returns the reports with their times in milliseconds.
    private func reports(
        of watch: inout DeliveryWatch, from start: Int = 0, for time: Int, played: (Int) -> Int = { _ in 0 },
        isArriving: Bool = true, age: Int = 20, buffer: Int = 0
    ) -> [String] {
        stride(from: start, to: start + time, by: 10).compactMap { now in
            let clock = LiveClock(index: 0, time: (now - age) * 1_000_000, played: played(now))
            let report = watch.look(
                clock, of: ObjectIdentifier(buffers[buffer]), isArriving: isArriving, at: now * 1_000_000)
            return report.map { "\(now) \($0)" }
        }
    }

    @Test func nothingIsReportedWhileFramesArePlayed() {
        var watch = self.watch(latency: .milliseconds(150))
        #expect(reports(of: &watch, for: 60_000) { $0 / 1000 } == [])
    }

    @Test func unheardInputIsReportedAgainAndAgainUntilItIsHeard() {
        var watch = self.watch(latency: .milliseconds(150))
        #expect(reports(of: &watch, for: 5_000) == ["2150 unheard", "4300 unheard"])
        #expect(reports(of: &watch, from: 5_000, for: 1_000) { _ in 1 } == ["5000 heard"])
        #expect(reports(of: &watch, from: 6_000, for: 2_000) { _ in 1 } == ["7160 unheard"])
    }

    /// The first frames of a stream are heard after its latency, however long it is.
    @Test func latencyIsNoFault() {
        var watch = self.watch(latency: .seconds(10))
        #expect(reports(of: &watch, for: 11_990) == [])
        #expect(reports(of: &watch, from: 11_990, for: 20) == ["12000 unheard"])
    }

    @Test(arguments: [true, false]) func inputThatIsNotPlayedOrDoesNotArriveIsNoFault(isArriving: Bool) {
        var watch = self.watch(latency: .zero)
        let age = isArriving ? 500 : 20
        #expect(reports(of: &watch, for: 10_000, isArriving: isArriving, age: age) == [])
        #expect(reports(of: &watch, from: 10_000, for: 2_010) == ["12000 unheard"])
        #expect(reports(of: &watch, from: 12_010, for: 100, isArriving: isArriving, age: age) == ["12010 heard"])
    }

    /// The frames of a new buffer are counted from the beginning, so another number does not mean that any was played.
    @Test func anotherBufferHasAnotherChanceBeforeItIsUnheard() {
        var watch = self.watch(latency: .zero)
        #expect(reports(of: &watch, for: 2_000) { _ in 7 } == [])
        #expect(reports(of: &watch, from: 2_000, for: 10) { _ in 7 } == ["2000 unheard"])
        #expect(reports(of: &watch, from: 2_010, for: 2_000, buffer: 1) == [])
        #expect(reports(of: &watch, from: 4_010, for: 10, buffer: 1) == ["4010 unheard"])
        #expect(reports(of: &watch, from: 4_020, for: 10, played: { _ in 1 }, buffer: 1) == ["4020 heard"])
    }
}
