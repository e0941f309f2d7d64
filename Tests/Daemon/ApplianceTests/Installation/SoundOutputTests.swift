import AudioSession
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
