import AudioSession
import Glibc
import Playback
import Testing

@testable import ALSA
@testable import Appliance

@Suite struct SoundOutputTests {
    private var output = SoundOutput()
    private let opened = PlaybackEvent.deviceOpened(
        PCMConfiguration(
            format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s16, periodFrames: 144, bufferFrames: 9600,
            card: nil))

    @Test mutating func plugMattersOnlyWhileThePreferredDevicePlays() {
        #expect(output.event(for: .unplugged) == .routeLost && output.event(for: .plugged) == .routeBack)
        #expect(output.event(for: .empty) == .routeFound && output.event(for: .chatters) == nil)
        output.note(.routeLost(OutputRoute(index: 1, device: "hw:1")))
        #expect(output.route?.device == "hw:1" && output.event(for: .unplugged) == nil)
        output.note(.routeBack(OutputRoute(index: 0, device: "hw:0")))
        #expect(output.route == nil && output.event(for: .unplugged) == .routeLost)
    }

    @Test mutating func devicesAreBlockedByOtherProgramsOnly() {
        let devices = ["hw:0", "hw:1", "hw:2"]
        func uses(_ output: SoundOutput) -> [DeviceReservation.Use] { output.uses(of: devices).map(\.use) }
        func error(_ code: Int32) -> PCMError { .system(code, operation: "open", device: "hw:0") }
        #expect(uses(output) == [.none, .none, .none])
        output.note(opened)
        #expect(uses(output) == [.open, .none, .none])
        output.note(.deviceClosed)
        #expect(uses(output) == [.none, .none, .none])
        for (code, use) in [(EBUSY, .blocked), (ENODEV, .none)] as [(Int32, DeviceReservation.Use)] {
            output.note(.deviceLost(error(code)))
            #expect(uses(output) == [use, .none, .none])
            output.note(.routeFound(OutputRoute(index: 1, device: "hw:1", reason: error(code))))
            output.note(opened)
            #expect(uses(output) == [use, .open, .none])
            output.note(.routeBack(OutputRoute(index: 0, device: "hw:0")))
            output.note(opened)
            #expect(uses(output) == [.open, .none, .none])
        }
    }

    @Test mutating func correctsTheRouteOnceAfterADeviceWasOpened() {
        output.jack = OutputJack(level: false, at: .zero)
        let unopened = output.takeCorrection(isOnFallback: false)
        output.note(opened)
        let first = output.takeCorrection(isOnFallback: false)
        let second = output.takeCorrection(isOnFallback: false)
        #expect(unopened == nil && first == .routeLost && second == nil)
        output.jack = nil
        output.note(opened)
        let back = output.takeCorrection(isOnFallback: true)
        #expect(back == .routeBack)
    }
}
