import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// Sounds over the music, exact to the frame. The frames of the music contain their numbers on the left channel, and
/// those of the sound on the right.
@Suite struct SoundMixingTests {
    let folder: TemporaryFolder
    let output = FrameCollector()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns frames that count from 1 on one channel, in 24 bits.
    private func numbered(_ frames: Int, onRight: Bool) -> [Int32] {
        (1...frames).flatMap { onRight ? [0, Int32($0) << 8] : [Int32($0) << 8, 0] }
    }

    private func engine(sounds: [(frames: Int, rate: Int)], playback: Int = 400_000) throws -> OfflineEngine {
        let track = try folder.encode(numbered(playback, onRight: false), to: "music.wav", .wav24)
        let sounds = try sounds.enumerated().map { index, sound in
            let path = try folder.encode(
                numbered(sound.frames, onRight: true), to: "\(index).wav", .wav24, rate: sound.rate)
            return Sound(file: Track(path: path), gain: 1)
        }
        return try opened(sounds, track)
    }

    private func opened(_ sounds: [Sound], _ track: String? = nil) throws -> OfflineEngine {
        let tracks = track.map { [Track(path: $0)] } ?? []
        let order = TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil })
        let engine = OfflineEngine(tracks: tracks, order: order, sounds: sounds)
        engine.open(output)
        if track != nil { engine.loadNow(track: 0, at: .zero) }
        return engine
    }

    /// Returns the numbers on the left and on the right since the last call.
    private func heard() -> (playback: [Int], sound: [Int]) {
        defer { output.samples = [] }
        let numbers = output.samples.map { Int($0 >> 8) }
        return (
            stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] },
            stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
        )
    }

    private func events(_ engine: OfflineEngine) -> [PlaybackEvent] {
        engine.takeEvents().filter { if case .soundReadable = $0 { false } else { true } }
    }

    @Test func soundIsHeardOnceFromItsFirstFrameToItsLast() throws {
        let engine = try engine(sounds: [(1000, 48_000)])
        engine.play(gain: 1, over: .zero)
        try engine.run(500)
        engine.playSound(0, order: 7, isCue: false, repeats: false, after: .zero)
        #expect(try engine.render(frames: 5000) == 1000)
        #expect(events(engine) == [.soundEnded(order: 7)])
        try engine.run(500)
        let (playback, sound) = heard()
        #expect(playback == Array(1...2000))
        #expect(sound == [Int](repeating: 0, count: 500) + Array(1...1000) + [Int](repeating: 0, count: 500))
        #expect(events(engine).isEmpty)
    }

    @Test func firstFrameFollowsTheLastOfTheRamp() throws {
        let engine = try engine(sounds: [(1000, 48_000)])
        engine.play(gain: 1, over: .zero)
        try engine.run(500)
        engine.play(gain: 0.25, over: .milliseconds(10))
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .milliseconds(10))
        try engine.run(479)
        #expect(engine.gain > 0.25)
        #expect(heard().sound.allSatisfy { $0 == 0 })
        try engine.run(2)
        #expect(engine.gain == 0.25)
        #expect(heard().sound == [0, 1])
    }

    @Test func soundIsPlayedOverSilenceAndWithoutMusic() throws {
        let path = try folder.encode(numbered(1000, onRight: true), to: "sound.wav", .wav24)
        let engine = try opened([Sound(file: Track(path: path), gain: 1)])
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(1100)
        #expect(heard().sound == Array(1...1000) + [Int](repeating: 0, count: 100))
    }

    // MARK: Continued sounds

    /// The fade-out of a cut plays some frames, of which the frame numbers are not whole any more. They are played again.
    @Test func cutSoundContinuesAtTheFrameAtWhichItsFadeOutBegan() throws {
        let engine = try engine(sounds: [(5000, 48_000)])
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .milliseconds(10))
        try engine.run(480 + 1500)
        engine.stopSound()
        #expect(place.position.frames(atRate: 48_000) == 1500)
        try engine.run(2000)
        #expect(Array(heard().sound[480..<1980]) == Array(1...1500))
        engine.playSound(0, order: 2, isCue: false, repeats: false, at: place, after: .milliseconds(10))
        // A cut during the wait changes nothing.
        try engine.run(100)
        engine.stopSound()
        #expect(heard().sound == [Int](repeating: 0, count: 100))
        engine.playSound(0, order: 3, isCue: false, repeats: false, at: place, after: .milliseconds(10))
        #expect(try engine.render(frames: 10_000) == 480 + 3500)
        #expect(heard().sound == [Int](repeating: 0, count: 480) + Array(1501...5000))
        #expect(events(engine) == [.soundEnded(order: 3)])
    }

    @Test func soundThatIsReplacedByItselfContinues() throws {
        let engine = try engine(sounds: [(5000, 48_000)])
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .zero)
        try engine.run(1000)
        engine.playSound(0, order: 2, isCue: false, repeats: false, at: place, after: .milliseconds(20))
        try engine.run(960)
        _ = heard()
        try engine.run(4000)
        #expect(heard().sound == Array(1001...5000))
        #expect(events(engine) == [.soundEnded(order: 2)])
    }

    @Test func soundThatIsCutAfterItsLastFrameEndsAtOnceWhenItContinues() throws {
        let engine = try engine(sounds: [(1000, 48_000)])
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .zero)
        try engine.run(1000)
        #expect(events(engine) == [.soundEnded(order: 1)])
        engine.playSound(0, order: 2, isCue: false, repeats: false, at: place, after: .zero)
        #expect(events(engine) == [.soundEnded(order: 2)])
    }

    @Test func repeatingSoundContinuesInsideItsPeriod() throws {
        let engine = try engine(sounds: [(1000, 48_000)])
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: true, repeats: true, at: place, after: .zero)
        try engine.run(2300)
        engine.stopSound()
        try engine.run(1000)
        _ = heard()
        engine.playSound(0, order: 2, isCue: true, repeats: true, at: place, after: .zero)
        try engine.run(1700)
        #expect(heard().sound == Array(301...1000) + Array(1...1000))
    }

    @Test(arguments: [false, true]) func longSoundContinuesAfterThePartInMemory(repeats: Bool) throws {
        let path = try folder.encode(numbered(200_000, onRight: true), to: "long.wav", .wav24)
        let engine = try opened([Sound(file: Track(path: path), gain: 1, head: .seconds(1))])
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: true, repeats: repeats, at: place, after: .zero)
        try engine.run(repeats ? 350_000 : 150_000)
        engine.stopSound()
        try engine.run(1000)
        _ = heard()
        engine.playSound(0, order: 2, isCue: true, repeats: repeats, at: place, after: .zero)
        try engine.run(50_000)
        #expect(heard().sound == Array(150_001...200_000))
        #expect(events(engine) == (repeats ? [] : [.soundEnded(order: 2)]))
    }

    @Test(arguments: [false, true]) func soundContinuesOnADeviceThatWasLost(sleeps: Bool) throws {
        let engine = try engine(sounds: [(5000, 48_000)])
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .zero)
        try engine.run(1500)
        if sleeps { engine.forgetSound() } else { engine.close() }
        engine.open(output)
        _ = heard()
        engine.playSound(0, order: 2, isCue: false, repeats: false, at: place, after: .zero)
        try engine.run(3500)
        #expect(heard().sound == Array(1501...5000))
    }

    @Test func toneInPlaceOfACueStartsAtItsBeginning() throws {
        let engine = try opened([Sound(file: Track(path: folder.path("missing.wav")), gain: 1)])
        _ = engine.takeEvents()
        let place = SoundPlace()
        engine.playSound(0, order: 1, isCue: true, repeats: true, at: place, after: .zero)
        try engine.run(1500)
        engine.stopSound()
        #expect(place.position == .zero)
    }

    @Test func repeatingSoundHasNoGap() throws {
        let engine = try engine(sounds: [(1000, 48_000)])
        engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero)
        try engine.run(3500)
        #expect(heard().sound == Array(1...1000) + Array(1...1000) + Array(1...1000) + Array(1...500))
        #expect(events(engine).isEmpty)
        engine.stopSound()
        try engine.run(2000)
        let tail = heard().sound
        #expect(tail[..<960].contains { $0 > 0 } && tail[960...].allSatisfy { $0 == 0 })
    }

    @Test func cutSoundFadesOutWhileTheNextOneBegins() throws {
        let (loud, quiet) = (
            try folder.encode(sine(frames: 48_000, frequency: 440, level: 0.5), to: "a.wav", .wav24),
            try folder.encode(numbered(1000, onRight: true), to: "b.wav", .wav24)
        )
        let engine = try opened([loud, quiet].map { Sound(file: Track(path: $0), gain: 1) })
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(4827)
        engine.playSound(1, order: 2, isCue: false, repeats: false, after: .zero)
        try engine.run(960)
        let steps = largestStep(output.samples)
        #expect(steps < 1.05 * 0.5 * 2 * .pi * 440 / 48_000, "a click of \(steps)")
        _ = heard()
        try engine.run(40)
        #expect(heard().sound == Array(961...1000))
        #expect(events(engine) == [.soundEnded(order: 2)])
    }

    @Test func levelOfASoundChangesWithARampAndIsExactOtherwise() throws {
        let path = try folder.encode(sine(frames: 48_000, frequency: 440, level: 0.5), to: "a.wav", .wav24)
        let engine = try opened([Sound(file: Track(path: path), gain: 1)])
        engine.setSoundLevel(0.1, over: .zero)
        engine.playSound(0, order: 1, isCue: false, repeats: false, level: 0.25, after: .milliseconds(10))
        try engine.run(480)
        // Nothing of the sound has been heard, so it begins with the new level.
        engine.setSoundLevel(0.5, over: .milliseconds(80))
        try engine.run(4800)
        let expected = sine(frames: 48_000, frequency: 440, level: 0.5)
        // The file has 24 bits.
        for index in 0..<9600 { try #require(abs(output.samples[960 + index] - expected[index] / 2) <= 256) }
        // The sine is at its peak here.
        try engine.run(27)
        output.samples.removeFirst(9600)
        engine.setSoundLevel(0, over: .milliseconds(80))
        try engine.run(3840)
        #expect(output.samples.suffix(2).allSatisfy { $0 == 0 })
        let steps = largestStep(output.samples)
        #expect(steps < 0.25 * 1.02 * 2 * .pi * 440 / 48_000, "a click of \(steps)")
        output.samples = []
        engine.setSoundLevel(1, over: .zero)
        try engine.run(1)
        engine.stopSound()
        // The next sound does not inherit the level.
        engine.playSound(0, order: 2, isCue: false, repeats: false, after: .milliseconds(100))
        try engine.run(4800 + 4800)
        let next = output.samples.suffix(9600)
        #expect(zip(next, expected).allSatisfy { abs($0 - $1) <= 256 })
    }

    @Test func soundOfAnotherRateAndChannelCountIsConverted() throws {
        let path = try folder.encode(
            sine(frames: 44_100, frequency: 997, rate: 44_100, channels: 1, level: 0.5), to: "mono.wav", .wav24,
            rate: 44_100, channels: 1)
        let engine = try opened([Sound(file: Track(path: path), gain: 1)])
        #expect(engine.takeEvents() == [.soundReadable(sound: 0, length: .seconds(1))])
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        #expect(try engine.render(frames: 100_000) == 48_000)
        let expected = sine(frames: 48_000, frequency: 997, level: 0.5)
        // The ends are excluded, because the sine begins and breaks off there.
        let samples = output.samples
        var error = 0.0
        for index in 4800..<91_200 {
            error = max(error, abs(Double(samples[index]) - Double(expected[index])) / 0x1p31)
        }
        #expect(error < 1e-5, "off by \(error)")
    }

    @Test(arguments: [false, true])
    func longSoundIsReadOnWithoutASeam(repeats: Bool) throws {
        // The sound lasts 61 s, which is one second more than fits into memory.
        let frames = 61 * 8000
        let path = folder.path("long.wav")
        try folder.encode(
            (1...frames).map { Int32($0) << 8 }, to: "long.wav", .wav24, rate: 8000, channels: 1)
        let slow = FrameCollector(rate: 8000, channels: 1)
        let engine = OfflineEngine(
            tracks: [], order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            sounds: [Sound(file: Track(path: path), gain: 1)])
        engine.open(slow)
        engine.playSound(0, order: 1, isCue: true, repeats: repeats, after: .zero)
        let length = repeats ? 2 * frames + 100 : frames
        #expect(try engine.render(frames: length) == length)
        #expect(slow.samples.map { Int($0 >> 8) } == (0..<length).map { $0 % frames + 1 })
        #expect(events(engine) == (repeats ? [] : [.soundEnded(order: 1)]))
    }

    @Test func configurationChangeNeitherCutsNorDelaysASound() throws {
        let path = try folder.encode(sine(frames: 48_000, frequency: 440, level: 0.5), to: "a.wav", .wav24)
        let engine = try opened([Sound(file: Track(path: path), gain: 1)])
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .milliseconds(100))
        try engine.run(2400)
        let other = FrameCollector(rate: 44_100, channels: 1)
        engine.reopen(other)
        // 50 ms of the wait are left.
        try engine.run(2205 + 22_050)
        #expect(other.samples[..<2205].allSatisfy { $0 == 0 })
        let expected = sine(frames: 22_050, frequency: 440, rate: 44_100, channels: 1, level: 0.5)
        let heard = other.samples[2205...]
        let error = zip(heard, expected).dropFirst(200).map { abs(Double($0) - Double($1)) / 0x1p31 }.max() ?? 1
        #expect(error < 1e-4, "off by \(error)")
        let last = FrameCollector(rate: 48_000, channels: 2)
        engine.reopen(last)
        #expect(try engine.render(frames: 100_000) == 24_000)
        #expect(events(engine) == [.soundEnded(order: 1)])
    }

    @Test func blockThatTheDeviceDoesNotTakeIsRenderedAgain() throws {
        let engine = try engine(sounds: [(5000, 48_000)])
        engine.play(gain: 1, over: .zero)
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .milliseconds(1))
        try engine.run(1000)
        output.failsNext = true
        #expect(throws: PCMError.self) { try engine.render(frames: 1000) }
        try engine.run(1000)
        let (playback, sound) = heard()
        #expect(playback == Array(1...2000))
        #expect(sound == [Int](repeating: 0, count: 48) + Array(1...1952))
    }

    @Test func closingTheDeviceEndsTheSound() throws {
        let engine = try engine(sounds: [(5000, 48_000)])
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(1000)
        engine.close()
        engine.open(output)
        _ = heard()
        try engine.run(2000)
        #expect(heard().sound.allSatisfy { $0 == 0 })
        #expect(events(engine).isEmpty)
    }

    @Test func toneThatIsReplacedFadesOut() throws {
        let engine = try opened([Sound(file: Track(path: folder.path("missing.wav")), gain: 1)])
        for order in 1...50 {
            engine.playSound(0, order: order, isCue: true, repeats: true, after: .zero)
            try engine.run(777)
        }
        // At most two tones are played at once.
        #expect(largestStep(output.samples) < 2.02 * 0.502 * 2 * .pi * 970 / 48_000)
    }

    // MARK: Files that cannot be read

    @Test func cueWithoutAFileIsHeardAsTheBuiltInTone() throws {
        let engine = try opened([Sound(file: Track(path: folder.path("missing.wav")), gain: 0.5)])
        guard case .soundUnreadable(0, let reason)? = engine.takeEvents().first else {
            Issue.record("no fault")
            return
        }
        #expect(reason.reason == .cannotOpen)
        engine.playSound(0, order: 1, isCue: true, repeats: false, after: .zero)
        try engine.run(480_000)
        let peak = output.samples.map { abs(Double($0)) / 0x1p31 }.max() ?? 0
        #expect(abs(peak - 0.5 * pow(10, -6.0 / 20)) < 1e-4)
        #expect(largestStep(output.samples) < 1.01 * peak * 2 * .pi * 970 / 48_000)
        // The tone never pauses.
        let pauses = stride(from: 0, to: output.samples.count - 480, by: 480).filter { start in
            output.samples[start..<start + 480].allSatisfy { abs($0) < 1 << 24 }
        }
        #expect(pauses.isEmpty)
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func announcementWithoutAFileIsNotReplaced() throws {
        let engine = try opened([Sound(file: Track(path: folder.path("missing.wav")), gain: 1)])
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(4800)
        #expect(output.samples.allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["", "no audio at all", "RIFF"])
    func fileThatIsNotAudioIsUnreadable(content: String) throws {
        let path = try folder.write(content, to: "sound.wav")
        let engine = try opened([Sound(file: Track(path: path), gain: 1)])
        #expect(engine.takeEvents().contains { if case .soundUnreadable = $0 { true } else { false } })
    }

    @Test func damagedFileIsUnreadable() throws {
        try folder.encode(music(frames: 200_000), to: "whole.flac", .flac16)
        let bytes = try folder.bytes(of: "whole.flac")
        let path = try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "half.flac")
        let engine = try opened([Sound(file: Track(path: path), gain: 1)])
        #expect(engine.takeEvents().contains { if case .soundUnreadable = $0 { true } else { false } })
    }

    @Test func soundIsHeardToItsEndAlthoughItsFileVanishes() throws {
        let engine = try engine(sounds: [(5000, 48_000)])
        try FileManager.default.removeItem(atPath: folder.path("0.wav"))
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(5000)
        #expect(heard().sound == Array(1...5000))
    }

    /// The stream is open, but begins the file anew for each repetition.
    @Test func repeatingSoundWhoseFileVanishesWhileItPlaysRepeatsItsFirstMinute() throws {
        let frames = 62 * 8000
        try folder.encode(
            sine(frames: frames, frequency: 100, rate: 8000, channels: 1, level: 0.5), to: "long.wav", .wav24,
            rate: 8000, channels: 1)
        let slow = FrameCollector(rate: 8000, channels: 1)
        let engine = OfflineEngine(
            tracks: [], order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            sounds: [Sound(file: Track(path: folder.path("long.wav")), gain: 1)])
        engine.open(slow)
        engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero)
        try engine.run(8000)
        try FileManager.default.removeItem(atPath: folder.path("long.wav"))
        try engine.run(300 * 8000)
        // While one repetition fades out, the next one is also played.
        #expect(largestStep(slow.samples, channels: 1) < 2.02 * 0.5 * 2 * .pi * 100 / 8000)
        // The output is never silent for longer than two periods.
        let pauses = stride(from: 0, to: slow.samples.count - 160, by: 160).filter { start in
            slow.samples[start..<start + 160].allSatisfy { abs($0) < 1 << 26 }
        }
        #expect(pauses.isEmpty)
    }

    @Test(arguments: [false, true])
    func longSoundWhoseFileVanishesEndsOrRepeatsItsFirstMinute(repeats: Bool) throws {
        let frames = 62 * 8000
        try folder.encode(
            sine(frames: frames, frequency: 100, rate: 8000, channels: 1, level: 0.5), to: "long.wav", .wav24,
            rate: 8000, channels: 1)
        let slow = FrameCollector(rate: 8000, channels: 1)
        let engine = OfflineEngine(
            tracks: [], order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            sounds: [Sound(file: Track(path: folder.path("long.wav")), gain: 1)])
        // Now the sound is in memory, but in another format, so it is read again in the device's format.
        engine.open(slow)
        engine.playSound(0, order: 1, isCue: true, repeats: repeats, after: .zero)
        engine.stopSound()
        try FileManager.default.removeItem(atPath: folder.path("long.wav"))
        slow.samples = []
        engine.playSound(0, order: 2, isCue: true, repeats: repeats, after: .zero)
        let length = repeats ? 130 * 8000 : 60 * 8000
        #expect(try engine.render(frames: length) == length)
        #expect(largestStep(slow.samples, channels: 1) < 1.05 * 0.5 * 2 * .pi * 100 / 8000)
        let found = engine.takeEvents()
        #expect(found.contains { if case .soundBroken = $0 { true } else { false } })
        #expect(found.contains(.soundCut(order: 2)) == !repeats && !found.contains(.soundEnded(order: 2)))
    }

    /// The announcement must not be reported as played, whether or not its format contains the length.
    @Test(arguments: [Encoding.wav16, .flac16, .vorbis, .mp3])
    func longAnnouncementWhoseFileIsCutBreaksOff(_ encoding: Encoding) throws {
        let name = "long.\(encoding == .mp3 ? "mp3" : "wav")"
        try folder.encode(music(frames: 8000 * 10), to: name, encoding, rate: 8000)
        let bytes = try folder.bytes(of: name)
        let output = FrameCollector(rate: 8000)
        let sound = Sound(file: Track(path: folder.path(name)), gain: 1, head: .seconds(2))
        let engine = OfflineEngine(
            tracks: [], order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            sounds: [sound])
        engine.open(output)
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(8000 * 12)
        #expect(engine.takeEvents().contains(.soundEnded(order: 1)))
        try folder.write(Array(bytes[..<(bytes.count / 2)]), to: name)
        engine.playSound(0, order: 2, isCue: false, repeats: false, after: .zero)
        try engine.run(8000 * 12)
        let events = engine.takeEvents()
        #expect(events.last == .soundCut(order: 2), "\(events)")
        #expect(events.contains { if case .soundBroken(0, _) = $0 { true } else { false } })
    }
}
