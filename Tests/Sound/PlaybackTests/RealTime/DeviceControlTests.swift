import Testing
import Threads

@testable import ALSA
@testable import Playback

@Suite struct DeviceControlTests {
    private let error = PCMError(PCMFault(.play, code: 19), device: "first")
    private let configuration = PCMConfiguration(
        format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s32, periodFrames: 960, bufferFrames: 4800,
        card: 0, canRewind: false)

    private func control(_ names: [String] = ["first", "second"]) -> DeviceControl {
        DeviceControl(
            names.map { PCMAddress($0) }, settle: Backoff(from: .seconds(1), to: .seconds(60)), timeout: 2_000)
    }

    /// Returns the time by which another device must have replaced the current one, and a flag that is true if it was
    /// in use, or nil while no replacement is expected.
    private func replacement(_ control: DeviceControl) -> (end: Int, wasInUse: Bool)? {
        if case .replacing(_, let end, let wasInUse) = control.state { (end, wasInUse) } else { nil }
    }

    @Test func lostDeviceIsReplacedOnlyByAnother() {
        var alone = control(["first"])
        _ = alone.opened(configuration, 0, at: 0)
        _ = alone.lost(error, at: 10)
        #expect(!alone.isOpen && replacement(alone) == nil && alone.next == 0)

        var control = control()
        _ = control.opened(configuration, 0, at: 0)
        #expect(control.next == 1)
        _ = control.lost(error, at: 10)
        #expect(replacement(control)?.end == 2_010 && replacement(control)?.wasInUse == true)
        control.reacquire(at: 500)
        #expect(replacement(control)?.end == 2_500)
    }

    @Test func deviceClosedForASleepWasInUse() {
        for isReleased in [true, false] {
            var control = control()
            _ = control.opened(configuration, 0, at: 0)
            if isReleased { control.release() }
            control.closed()
            _ = control.lost(error, at: 10)
            #expect(replacement(control)?.wasInUse == isReleased)
        }
    }

    @Test func switchesToAPreferredDeviceAndReportsItIfItCannotBeOpened() {
        var control = control(["first", "second", "third"])
        _ = control.opened(configuration, 1, at: 0)
        #expect(control.preferred.map(\.index) == [0])
        control.noteReturn(of: 2)
        #expect(control.waiting == nil)
        var events: [PlaybackEvent?] = []
        for _ in 0..<3 {
            control.noteReturn(of: 0)
            #expect(control.waiting == 0)
            control.leave(for: 0)
            #expect(control.isLeaving && control.waiting == nil)
            control.left(at: 0)
            events.append(control.opened(configuration, 1, at: 0))
            #expect(!control.isLeaving)
        }
        #expect(events == [nil, nil, .routeUnsteady(device: "first", settle: .seconds(8))])
    }
}
