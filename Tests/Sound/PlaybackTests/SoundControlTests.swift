import ALSA
import SoundLab
import Testing

@testable import Playback

/// The sounds that the real-time engine orders, and the times of its orders.
@Suite struct SoundControlTests {
    private static let format = StreamFormat(rate: 48_000, channels: 2)
    private static let second = 1_000_000_000

    private func control() -> SoundControl {
        SoundControl([Sound(file: Track(path: "a.wav"), gain: 1)], format: Self.format)
    }

    private func request(isCue: Bool, at now: Int = 0) -> SoundControl.Request {
        SoundControl.Request(
            sound: 0, call: 1, isCue: isCue, repeats: false, wait: .milliseconds(100), given: now, requested: now)
    }

    private static let failure = DecoderError(.cannotOpen, "open", "a.wav", message: "No such file")

    @Test func soundIsReadyOnceItHasBeenRead() {
        var control = control()
        control.hold(request(isCue: false))
        #expect(control.takeReady() == nil && control.isBusy && control.ordered == nil)
        _ = control.take(0, Self.format, .success(.tone(Self.format)))
        #expect(control.takeReady()?.wait == 100_000_000 && control.ordered?.call == 1)
        #expect(control.takeReady() == nil)
    }

    @Test func cueThatTakesTooLongIsAToneUntilItHasBeenRead() {
        var control = control()
        control.hold(request(isCue: true))
        #expect(control.timeoutEnd == Self.second)
        #expect(control.giveUpWaiting(at: Self.second - 1) == nil && control.takeReady() == nil)
        // The tone is played instead of the file, which is reported once.
        #expect(control.giveUpWaiting(at: Self.second) == 0 && control.giveUpWaiting(at: Self.second) == nil)
        let tone = control.takeReady()?.sound
        #expect(tone?.slot.pointee.reader.repeats == true)
        let event = control.take(0, Self.format, .success(.tone(Self.format)))
        #expect(event == .soundReadable(sound: 0, length: .seconds(1)))
        #expect(control.takeReady()?.sound.slot.pointee.reader.repeats == false)
        #expect(control.hasRetired)
    }

    @Test func announcementThatTakesTooLongIsUnreadable() {
        var control = control()
        control.hold(request(isCue: false))
        #expect(control.giveUpWaiting(at: Self.second) == 0)
        #expect(!control.isBusy && control.takeReady() == nil && control.timeoutEnd == nil)
    }

    @Test func cueThatCannotBeReadIsATone() {
        var control = control()
        _ = control.take(0, Self.format, .failure(Self.failure))
        control.hold(request(isCue: true))
        #expect(control.takeReady()?.sound.slot.pointee.reader.repeats == true)
        control.hold(request(isCue: false))
        #expect(control.takeReady() == nil)
    }

    // MARK: Continued sounds

    /// Returns a control that has read one second of numbered frames, of which the first half is in memory.
    private func longControl(_ folder: TemporaryFolder) throws -> SoundControl {
        let path = folder.path("long.wav")
        try TestMusic.writeNumbers(to: path, frames: 48_000)
        let sound = Sound(file: Track(path: path), gain: 1, head: .milliseconds(500))
        var control = SoundControl([sound], format: Self.format)
        _ = control.take(0, Self.format, .success(try SoundMemory.read(sound, format: Self.format)))
        return control
    }

    private func request(at place: SoundPlace, continues: Bool) -> SoundControl.Request {
        SoundControl.Request(
            sound: 0, call: 1, isCue: false, repeats: false, wait: .zero, given: 0, requested: 0, place: place,
            continues: continues)
    }

    @Test func soundWaitsForItsPlaceOnlyIfItHasBeenOrderedBefore() throws {
        let folder = try TemporaryFolder()
        var control = try longControl(folder)
        let place = SoundPlace()
        control.hold(request(at: place, continues: false))
        #expect(!control.awaitsPlace && control.takeOpening(at: 0) == nil)
        let ready = control.takeReady()
        let sound = try #require(ready?.sound)
        #expect(sound.slot.pointee.reader.start == 0)
        // Another device replaces the one in use.
        sound.slot.pointee.reader.note(12_000, rate: 48_000)
        control.withdraw()
        #expect(control.awaitsPlace)
        #expect(control.takeReady()?.sound.slot.pointee.reader.start == 12_000)
    }

    @Test func soundThatContinuesAfterThePartInMemoryWaitsUntilItsRestIsOpen() throws {
        let folder = try TemporaryFolder()
        var control = try longControl(folder)
        let place = SoundPlace()
        place.mark.write(frame: 40_000, rate: 48_000)
        control.hold(request(at: place, continues: true))
        #expect(control.takeReady() == nil)
        let opening = control.takeOpening(at: 5)
        let rest = try #require(opening)
        #expect(rest.start == 40_000 && control.takeOpening(at: 6) == nil && control.takeReady() == nil)
        #expect(control.timeoutEnd == 5 + Self.second)
        #expect(control.giveUpOpening(at: 6) == nil)
        control.noteOpened(rest.stream)
        #expect(control.timeoutEnd == nil && control.giveUpOpening(at: 3 * Self.second) == nil)
        #expect(control.takeReady()?.rest?.stream === rest.stream)
    }

    @Test(arguments: [false, true]) func restThatCannotBeOpenedEndsTheSound(fails: Bool) throws {
        let folder = try TemporaryFolder()
        var control = try longControl(folder)
        let place = SoundPlace()
        place.mark.write(frame: 40_000, rate: 48_000)
        control.hold(request(at: place, continues: true))
        _ = control.takeOpening(at: 0)
        #expect(control.giveUpOpening(at: 0, failed: 1) == nil)
        let end = fails ? control.giveUpOpening(at: 0, failed: 0) : control.giveUpOpening(at: Self.second)
        #expect(end?.sound == 0 && end?.call == 1 && !control.isBusy)
    }

    // MARK: Clips

    /// Returns a clip of one second in `format`, whose frames contain their numbers.
    private func clip() throws -> SoundClip {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.wav")
        try TestMusic.writeNumbers(to: path, frames: 48_000)
        return try SoundClip.load(path, format: Self.format)
    }

    private func request(_ clip: SoundClip, call: Int = 1) -> SoundControl.Request {
        SoundControl.Request(
            sound: 0, call: call, isCue: false, repeats: false, wait: .zero, given: 0, requested: 0, clip: clip)
    }

    @Test func clipIsReadyEvenIfTheSoundsFileIsUnreadable() throws {
        var control = control()
        control.hold(request(try clip()))
        #expect(control.timeoutEnd == nil && control.takeStaleClip(at: 0) == nil)
        #expect(control.takeReady()?.sound.slot.pointee.reader.frames == 48_000)
        _ = control.take(0, Self.format, .failure(Self.failure))
        control.hold(request(try clip(), call: 2))
        #expect(control.takeReady()?.sound.call == 2)
    }

    /// The level of the clip is relative to that of its sound.
    @Test func attenuatedClipIsQuieterThanItsSound() throws {
        var control = SoundControl([Sound(file: Track(path: "gong.wav"), gain: 0.5)], format: Self.format)
        control.hold(request(try clip().attenuated(by: 0.25)))
        #expect(control.takeReady()?.sound.slot.pointee.reader.gain == 0.125)
    }

    @Test func clipIsReleasedWithItsOrder() throws {
        var control = control()
        weak var released: SoundClip?
        do {
            let clip = try clip()
            released = clip
            control.hold(request(clip))
            _ = control.takeReady()
        }
        #expect(released != nil)
        control.hold(nil)
        #expect(released == nil && control.hasRetired)
        control.freeRetired()
    }

    @Test func clipIsDecodedOnceInANewFormatAndThenOrderedAgain() throws {
        var control = control()
        control.hold(request(try clip(), call: 7))
        _ = control.takeReady()
        let mono = StreamFormat(rate: 44_100, channels: 1)
        #expect(control.use(mono) && control.takeReady() == nil)
        let found = control.takeStaleClip(at: 5 * Self.second)
        let stale = try #require(found)
        #expect(stale.call == 7 && stale.format == mono && control.takeStaleClip(at: 5 * Self.second) == nil)
        // However long ago the sound was ordered, one second is allowed for this.
        #expect(control.timeoutEnd == 6 * Self.second && control.giveUpClip(at: 6 * Self.second - 1) == nil)
        #expect(control.giveUpWaiting(at: 9 * Self.second) == nil)
        let memory = try stale.clip.read(in: mono)
        #expect(control.take(clip: 6, mono, .success(memory)) == nil && control.takeReady() == nil)
        #expect(control.take(clip: 7, mono, .success(memory)) == nil)
        #expect(control.takeReady()?.sound.slot.pointee.format == mono)
        // Another device with the same format takes over.
        control.withdraw()
        #expect(control.takeStaleClip(at: 0) == nil && control.takeReady()?.sound.slot.pointee.format == mono)
        // A device with the first format takes over again.
        #expect(control.use(Self.format) && control.takeStaleClip(at: 0) == nil && control.takeReady() != nil)
    }

    @Test func clipThatCannotBeDecodedAgainEnds() throws {
        let mono = StreamFormat(rate: 44_100, channels: 1)
        var control = control()
        control.hold(request(try clip()))
        _ = control.use(mono)
        _ = control.takeStaleClip(at: 0)
        #expect(control.take(clip: 1, mono, .failure(Self.failure))?.reason == Self.failure && !control.isBusy)
        control.hold(request(try clip(), call: 2))
        _ = control.takeStaleClip(at: 0)
        let late = control.giveUpClip(at: Self.second)
        #expect(late?.sound == 0 && late?.call == 2 && !control.isBusy && control.timeoutEnd == nil)
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
