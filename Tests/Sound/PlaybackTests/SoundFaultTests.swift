import ALSA
import Foundation
import Testing

@testable import Playback

/// Files of sounds that nobody would hear, or only a part of.
@Suite struct SoundFaultTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ path: String, rate: Int) -> DecoderError? {
        let sound = Sound(file: Track(path: path), gain: 1)
        return error(of: { () throws(DecoderError) in
            _ = try SoundMemory.read(sound, format: StreamFormat(rate: rate, channels: 2))
        })
    }

    private func load(_ path: String) -> DecoderError? {
        error(of: { () throws(DecoderError) in
            _ = try SoundClip.load(path, format: StreamFormat(rate: 48_000, channels: 2))
        })
    }

    private func error(of action: () throws(DecoderError) -> Void) -> DecoderError? {
        do throws(DecoderError) {
            try action()
            return nil
        } catch { return error }
    }

    private func stereo(frames: Int, _ value: (Int) -> Double) -> [Int32] {
        (0..<frames).flatMap { [Int32](repeating: Int32(value($0) * 0x1p31), count: 2) }
    }

    @Test(arguments: [1, 10, 240, 959], [48_000, 44_100])
    func soundOfLessThan20MillisecondsIsUnreadable(frames: Int, rate: Int) throws {
        let path = try folder.encode(sine(frames: frames, frequency: 700), to: "short.wav", .wav24)
        #expect(read(path, rate: rate)?.message.contains("hardly any audio") == true)
        #expect(load(path)?.message.contains("hardly any audio") == true)
    }

    @Test(arguments: [48_000, 44_100]) func soundOf20MillisecondsIsRead(rate: Int) throws {
        let path = try folder.encode(sine(frames: 960, frequency: 700), to: "click.wav", .wav24)
        #expect(read(path, rate: rate) == nil && load(path) == nil)
    }

    @Test(arguments: [48_000, 44_100], [0, 0.5, -0.25]) func constantSoundIsUnreadable(rate: Int, value: Double) throws
    {
        let path = try folder.encode(stereo(frames: 24_000) { _ in value }, to: "constant.wav", .wav24)
        #expect(read(path, rate: rate)?.message.contains("it is silent") == true)
        #expect(load(path)?.message.contains("it is silent") == true)
    }

    @Test(arguments: [48_000, 44_100]) func soundBelow90DecibelsIsUnreadable(rate: Int) throws {
        let quiet = try folder.encode(sine(frames: 24_000, frequency: 700, level: 0.000028), to: "quiet.wav", .wav24)
        #expect(read(quiet, rate: rate)?.message.contains("it is silent") == true)
        let audible = try folder.encode(sine(frames: 24_000, frequency: 700, level: 0.0001), to: "low.wav", .wav24)
        #expect(read(audible, rate: rate) == nil)
    }

    /// One channel, or a short part, is enough to be heard.
    @Test(arguments: [48_000, 44_100]) func soundThatIsMostlySilentIsRead(rate: Int) throws {
        let click = try folder.encode(stereo(frames: 48_000) { $0 < 240 ? sin(Double($0)) : 0 }, to: "a.wav", .wav24)
        let late = try folder.encode(
            stereo(frames: 48_000 * 12) { $0 < 48_000 * 11 ? 0 : sin(Double($0)) }, to: "b.flac", .flac16)
        let left = try folder.encode(
            stereo(frames: 48_000) { sin(Double($0)) }.enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 },
            to: "c.wav", .wav24)
        for path in [click, late, left] { #expect(read(path, rate: rate) == nil && load(path) == nil, "\(path)") }
    }

    @Test func longSoundWithASilentFirstMinuteIsUnreadable() throws {
        let samples = [Int32](repeating: 0, count: 61 * 8000) + sine(frames: 8000, frequency: 700, channels: 1)
        let path = try folder.encode(samples, to: "late.flac", .flac16, rate: 8000, channels: 1)
        #expect(read(path, rate: 8000)?.message.contains("it is silent") == true)
        #expect(load(path)?.message.contains("it is silent") == true)
    }
}
