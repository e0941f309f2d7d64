import Testing

@testable import Appliance

@Suite struct MicrophoneReportsTests {
    private let failure = Microphone.Outcome.failed("the mixer of default has no capture switch")

    @Test func aFailureBeforeTheCardIsKnownIsHeldBack() {
        var reports = MicrophoneReports()
        #expect(reports.take(failure) == nil)
        reports.opened()
        #expect(reports.take(.turned(isMuted: true)) == .turned(isMuted: true))
        #expect(reports.lost() == nil)
    }

    /// Nothing else will ever be tried: a microphone that stays on is in health and journal.
    @Test func withoutADeviceTheFailureIsReported() {
        var reports = MicrophoneReports()
        #expect(reports.take(failure) == nil)
        #expect(reports.lost() == failure)
        #expect(reports.lost() == nil)
        #expect(reports.take(failure) == failure)
    }

    @Test func whatWorksIsReportedAtOnce() {
        var reports = MicrophoneReports()
        #expect(reports.take(.turned(isMuted: false)) == .turned(isMuted: false))
    }
}
