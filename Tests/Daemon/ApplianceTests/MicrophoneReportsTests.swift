import Testing

@testable import Appliance

@Suite struct MicrophoneReportsTests {
    private let failure = Microphone.Outcome.failed("the mixer of default has no capture switch")

    @Test func failureBeforeTheCardIsKnownIsNotReported() {
        var reports = MicrophoneReports()
        #expect(reports.take(failure) == nil)
        reports.opened()
        #expect(reports.take(.turned(isMuted: true)) == .turned(isMuted: true))
        #expect(reports.lost() == nil)
    }

    /// No other card will be tried, so the failure has to be visible.
    @Test func failureIsReportedIfThereIsNoDevice() {
        var reports = MicrophoneReports()
        #expect(reports.take(failure) == nil)
        #expect(reports.lost() == failure)
        #expect(reports.lost() == nil)
        #expect(reports.take(failure) == failure)
    }

    @Test func successIsReportedAtOnce() {
        var reports = MicrophoneReports()
        #expect(reports.take(.turned(isMuted: false)) == .turned(isMuted: false))
    }
}
