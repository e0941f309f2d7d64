import ALSA
import Testing

@testable import Playback

/// Which sound the real-time engine orders, and when.
@Suite struct SoundControlTests {
    private static let format = StreamFormat(rate: 48_000, channels: 2)
    private static let second = 1_000_000_000

    private func control() -> SoundControl {
        SoundControl([Sound(file: Track(path: "a.wav"), gain: 1)], format: Self.format)
    }

    private func request(isCue: Bool, at now: Int = 0) -> SoundControl.Request {
        SoundControl.Request(
            sound: 0, number: 1, isCue: isCue, repeats: false, wait: .milliseconds(100), given: now, requested: now)
    }

    private static let failure = DecoderError(.cannotOpen, "open", "a.wav", message: "No such file")

    @Test func soundIsReadyOnceItHasBeenRead() {
        var control = control()
        control.hold(request(isCue: false))
        #expect(control.takeReady() == nil && control.isBusy && control.ordered == nil)
        _ = control.take(0, Self.format, .success(.tone(Self.format)))
        #expect(control.takeReady()?.wait == 100_000_000 && control.ordered?.number == 1)
        #expect(control.takeReady() == nil)
    }

    @Test func cueThatTakesTooLongIsAToneUntilItHasBeenRead() {
        var control = control()
        control.hold(request(isCue: true))
        #expect(control.patienceEnd == Self.second)
        #expect(control.giveUpWaiting(at: Self.second - 1) == nil && control.takeReady() == nil)
        #expect(control.giveUpWaiting(at: Self.second) == nil)
        let tone = control.takeReady()?.sound
        #expect(tone?.slot.pointee.reader.repeats == true)
        _ = control.take(0, Self.format, .success(.tone(Self.format)))
        #expect(control.takeReady()?.sound.slot.pointee.reader.repeats == false)
        #expect(control.hasRetired)
    }

    @Test func announcementThatTakesTooLongIsUnreadable() {
        var control = control()
        control.hold(request(isCue: false))
        #expect(control.giveUpWaiting(at: Self.second) == 0)
        #expect(!control.isBusy && control.takeReady() == nil && control.patienceEnd == nil)
    }

    @Test func cueThatCannotBeReadIsATone() {
        var control = control()
        _ = control.take(0, Self.format, .failure(Self.failure))
        control.hold(request(isCue: true))
        #expect(control.takeReady()?.sound.slot.pointee.reader.repeats == true)
        control.hold(request(isCue: false))
        #expect(control.takeReady() == nil)
    }

    @Test func soundIsOrderedAgainInTheNewFormat() {
        var control = control()
        _ = control.take(0, Self.format, .success(.tone(Self.format)))
        control.hold(request(isCue: false))
        _ = control.takeReady()
        let mono = StreamFormat(rate: 44_100, channels: 1)
        #expect(!control.use(Self.format) && control.use(mono))
        #expect(control.ordered == nil && control.takeReady() == nil)
        #expect(control.take(0, Self.format, .success(.tone(Self.format))) == nil)
        _ = control.take(0, mono, .success(.tone(mono)))
        #expect(control.takeReady()?.sound.slot.pointee.format == mono)
    }
}
