import Testing
import Threads

@testable import Playback

@Suite struct DeviceWatchTests {
    private let watch = DeviceWatch(timeout: 2_000, openingTimeout: 10_000)

    private func judge(
        _ phase: DevicePhase, accepted: Int, turned: Int, isWanted: Bool = true, at now: Int
    ) -> DeviceWatch.Verdict {
        var status = RenderStatus()
        status.signs.acceptedAt = accepted
        status.signs.turnedAt = turned
        return watch.judge(phase, status, isWanted: isWanted, at: now)
    }

    @Test func watchesAClosedDeviceOnlyWhileAnOrderCanOpenIt() {
        #expect(judge(.closed, accepted: 0, turned: 0, isWanted: false, at: 9_000) == .idle)
        #expect(judge(.closed, accepted: 0, turned: 0, at: 9_000) == .lookAgain(after: 2_000))
    }

    @Test func checksAWorkingDeviceAgainWhenItCouldBeLost() {
        #expect(judge(.open, accepted: 8_500, turned: 9_000, at: 9_000) == .lookAgain(after: 1_500))
        // The check follows at least 250 ns later, so that this is not a busy loop.
        #expect(judge(.open, accepted: 7_001, turned: 9_000, at: 9_000) == .lookAgain(after: 250))
    }

    @Test func deviceThatAcceptsNothingIsLostAlthoughTheRenderThreadRuns() {
        #expect(judge(.open, accepted: 6_999, turned: 9_000, at: 9_000) == .lost)
    }

    @Test func openingCanTakeLonger() {
        #expect(judge(.opening, accepted: 7_000, turned: 7_000, at: 12_000) == .lookAgain(after: 5_000))
        #expect(judge(.opening, accepted: 6_999, turned: 7_000, at: 17_000) == .lost)
    }

    @Test(arguments: [DevicePhase.calling, .closing])
    func deviceThatBlocksTheRenderThreadInACallIsLost(phase: DevicePhase) {
        #expect(judge(phase, accepted: 6_999, turned: 7_000, at: 9_000) == .lost)
        #expect(judge(phase, accepted: 7_000, turned: 7_000, at: 9_000) != .lost)
    }

    @Test func deviceIsNotLostWhenTheRenderThreadHangsElsewhere() {
        #expect(judge(.open, accepted: 6_999, turned: 7_000, at: 99_000) != .lost)
    }
}
