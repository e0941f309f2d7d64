import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

@Suite struct DecoderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [Encoding.wav16, .wav24, .flac16, .flac24])
    func decodesIntegersToExactFractions(_ encoding: Encoding) throws {
        let bits = encoding == .wav16 || encoding == .flac16 ? 16 : 24
        let mask = Int32(-1) << Int32(32 - bits)
        let samples = (music(frames: 5000) + [Int32.min, Int32.max, 0, -1]).map { $0 & mask }
        let path = try folder.encode(samples, to: "exact", encoding)
        let decoded = try decodeAll(path)
        #expect(decoded == samples.map { Float(Double($0) / 0x1p31) })
        #expect(try Decoder.open(path).frameCount == 5002)
    }

    @Test(arguments: Encoding.allCases)
    func seekingYieldsTheSameFramesAsSequentialDecoding(_ encoding: Encoding) throws {
        let frames = 1_300_000
        let path = try folder.encode(music(frames: frames), to: "seek", encoding)
        let whole = try decodeAll(path)
        let total = whole.count / 2
        #expect(total == frames)
        let decoder = try Decoder.open(path)
        #expect(decoder.frameCount == (encoding == .mp3 ? nil : frames))
        var block = [Float](repeating: 0, count: 2 * 3000)
        let targets = [
            0, 1, 1151, 600_000, 600_001, 598_000, 30_000, 1_024_123, 1_285_000, total - 5000, total - 700,
            total - 1, total,
        ]
        // Seeks lead to near and far positions, from the start of the file or after another seek.
        for target in targets + targets.reversed() {
            #expect(try decoder.seek(toFrame: target) == target)
            let count = try decoder.read(into: &block, frames: 3000)
            #expect(count == min(3000, total - target) || (count > 0 && target + count <= total))
            // Lossy decoders round differently after a seek, in the last bits of the float.
            let tolerance: Float = encoding == .opus || encoding == .vorbis ? 1e-6 : 0
            let error = difference(block.prefix(2 * count), whole.dropFirst(2 * target))
            #expect(error <= tolerance, "\(encoding) at \(target)")
        }
        #expect(try decoder.seek(toFrame: total + 10) >= total)
        #expect(try decoder.read(into: &block, frames: 3000) == 0)
    }

    /// Returns the largest difference between samples of the same index.
    private func difference(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Float {
        zip(first, second).reduce(0) { (largest: Float, pair: (Float, Float)) in max(largest, abs(pair.0 - pair.1)) }
    }

    /// In quiet, tonal music at a variable bit rate, a frame may depend on bits from much earlier frames.
    @Test func seekingInAQuietMP3YieldsTheSameFrames() throws {
        let playback = music(frames: 300_000) + sine(frames: 300_000, frequency: 77.7).map { $0 / 4 }
        let path = try folder.encode(playback, to: "quiet.mp3", .mp3)
        let whole = try decodeAll(path)
        let decoder = try Decoder.open(path)
        var block = [Float](repeating: 0, count: 6000)
        for target in stride(from: 310_007, to: 560_000, by: 12_345) {
            #expect(try decoder.seek(toFrame: target) == target)
            let count = try decoder.read(into: &block, frames: 3000)
            #expect(count > 0)
            let error = difference(block.prefix(2 * count), whole.dropFirst(2 * target))
            #expect(error == 0, "at \(target)")
        }
    }

    @Test func seeksInATruncatedOggFile() throws {
        let path = try folder.encode(music(frames: 200_000), to: "whole.ogg", .vorbis)
        let bytes = try folder.bytes(of: "whole.ogg")
        let cut = try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "cut.ogg")
        let decoder = try Decoder.open(cut)
        // libsndfile 1.2.0 cannot determine the length or seek in this file. Version 1.2.2 supports both.
        #expect(decoder.frameCount ?? 0 < 200_000)
        #expect(try decoder.seek(toFrame: 40_000) == 40_000)
        var block = [Float](repeating: 0, count: 2000)
        #expect(try decoder.read(into: &block, frames: 1000) > 0)
        #expect(try block[0] == decodeAll(path)[80_000])
    }

    private func openingError(_ path: String) -> DecoderError? {
        thrown(DecoderError.self) { try Decoder.open(path) }
    }

    @Test func openingErrorsHaveDistinctReasons() throws {
        let missing = openingError(folder.path("missing.wav"))
        #expect(missing?.reason == .cannotOpen)
        #expect(missing?.description.contains("No such file or directory") == true)

        let text = openingError(try folder.write("Dear diary, today nothing happened.\n", to: "text.flac"))
        #expect(text?.reason == .notAudio)
        #expect(text?.description.contains("it is not audio: it is text") == true)
        #expect(openingError(try folder.write("Dear diary\n", to: "text.mp3"))?.reason == .notAudio)

        let empty = openingError(try folder.write("", to: "empty.wav"))
        #expect(empty?.reason == .noAudio)
        #expect(
            empty?.description.hasSuffix("the file is empty (0 bytes). Replace it, or remove it")
                == true)

        let silent = openingError(try folder.encode([], to: "zero.wav", .wav16))
        #expect(silent?.reason == .noAudio)
        #expect(silent?.description.contains("holds no audio") == true)

        #expect(openingError(folder.path)?.description.contains("not a regular file") == true)
        #expect(mkfifo(folder.path("pipe.wav"), 0o600) == 0)
        #expect(openingError(folder.path("pipe.wav"))?.reason == .cannotOpen)
    }

    @Test func estimatesTheLengthOfAnMP3() throws {
        let path = try folder.encode(music(frames: 300_000), to: "song.mp3", .mp3)
        let decoder = try Decoder.open(path)
        #expect(decoder.frameCount == nil && decoder.likelyFrameCount == 300_000)
        #expect(try TrackTags.read(Track(path: path)).length == .seconds(6.25))
        // Seeking far beyond the end reaches the end without decoding the whole file.
        #expect(try decoder.seek(toFrame: .max / 2) == 300_000)
        // The header of a truncated file still contains the length of the whole file.
        let bytes = try folder.bytes(of: "song.mp3")
        let cut = try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "cut.mp3")
        let likely = try #require(try Decoder.open(cut).likelyFrameCount)
        #expect((140_000...160_000).contains(likely), "\(likely)")
    }

    @Test func opensAnMP3ThatStartsWithOtherData() throws {
        try folder.encode(music(frames: 100_000), to: "song.mp3", .mp3)
        let bytes = try Array("An address of a web site, perhaps. ".utf8) + folder.bytes(of: "song.mp3")
        let decoder = try Decoder.open(folder.write(bytes, to: "odd.mp3"))
        #expect(try decodeAll(decoder).count == 200_000)
    }

    @Test func rejectsAnAbsurdSampleRate() throws {
        let path = try folder.encode(music(frames: 10), to: "slow.wav", .wav16, rate: 7)
        let error = openingError(path)
        #expect(error?.reason == .unsupported)
        #expect(error?.message == "its rate is 7 Hz, and it must be from 2000 to 768000 Hz")
    }

    @Test func opensTheFastestFormatsOfMusic() throws {
        for (rate, channels) in [(768_000, 2), (352_800, 4), (192_000, 8), (96_000, 16)] {
            let samples = [Int32](repeating: 1 << 24, count: 100 * channels)
            let path = try folder.encode(samples, to: "fast.wav", .wav16, rate: rate, channels: channels)
            #expect(try Decoder.open(path).format == StreamFormat(rate: rate, channels: channels))
        }
    }

    /// A minute of silence takes only a few kilobytes, but as much work to decode as any other minute.
    @Test func rejectsMoreSamplesPerSecondThanAnyMusicHas() throws {
        for (rate, channels) in [(655_350, 8), (768_000, 3), (200_001, 8), (48_000, 34)] {
            let samples = [Int32](repeating: 0, count: 100 * channels)
            let path = try folder.encode(samples, to: "bomb.wav", .wav16, rate: rate, channels: channels)
            let error = openingError(path)
            let words =
                "it has \(rate * channels) samples per second (\(rate) Hz, \(channels) ch), and at most 1600000 are played"
            #expect(error?.reason == .unsupported && error?.message == words, "\(String(describing: error))")
        }
    }

    @Test func truncatedFLACYieldsItsFramesAndThenAnError() throws {
        try folder.encode(music(frames: 100_000), to: "whole.flac", .flac16)
        let bytes = try folder.bytes(of: "whole.flac")
        let cut = try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "cut.flac")
        let decoder = try Decoder.open(cut)
        let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
        #expect(error?.reason == .damaged)
        #expect(error?.description.contains("the stream ends at frame \(decoder.position) of 100000") == true)
        #expect(decoder.position > 40_000)
    }

    @Test func reportsDamageInTheMiddleOfAFile() throws {
        for encoding in [Encoding.flac16, .mp3] {
            try folder.encode(music(frames: 400_000), to: "whole", encoding)
            var bytes = try folder.bytes(of: "whole")
            for index in bytes.count / 2..<bytes.count / 2 + 3000 {
                bytes[index] = UInt8(truncatingIfNeeded: index * 167)
            }
            let path = try folder.write(bytes, to: "damaged")
            let decoder = try Decoder.open(path)
            let count = try decodeAll(decoder).count / 2
            #expect(encoding == .flac16 ? count == 400_000 : (370_000...400_000).contains(count), "\(count)")
            let gap = decoder.takeGap()
            #expect(gap?.reason == .gap && gap?.description.contains("The rest is played") == true, "\(gap as Any)")
            #expect(decoder.takeGap() == nil)
        }
    }

    /// An encoder adds silence before and after the music, and writes its length into a tag.
    @Test func decodesAnMP3WithoutTheSilenceThatItsEncoderAdded() throws {
        let frames = 100_003
        let original = music(frames: frames)
        let decoded = try decodeAll(folder.encode(original, to: "song.mp3", .mp3))
        #expect(decoded.count == 2 * frames)
        func difference(delay: Int) -> Float {
            stride(from: 20_000, to: 180_000, by: 2).reduce(0) {
                let error = decoded[$1 + 2 * delay] - Float(original[$1]) * 0x1p-31
                return $0 + error * error
            }
        }
        let exact = difference(delay: 0)
        for delay in -20...20 where delay != 0 { #expect(exact < difference(delay: delay), "\(delay) frames late") }
    }

    @Test func acceptsTagsAtTheEndOfAnMP3() throws {
        try folder.encode(music(frames: 100_000), to: "song.mp3", .mp3)
        // Half of the bytes of a picture look like the start of a frame.
        let picture = (0..<40_000).map { $0 % 2 == 0 ? 0xFF : UInt8(truncatingIfNeeded: $0 * 167 >> 4) }
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let path = try folder.write(folder.bytes(of: "song.mp3") + picture + tag, to: "tagged.mp3")
        #expect(try decodeAll(path).count == 200_000)
    }

    /// The music before the change is played, and nothing is played at a wrong speed.
    @Test(arguments: [Encoding.vorbis, .opus], [(32_000, 2), (48_000, 1)])
    func secondStreamInAFileIsReportedAndChangesNoSpeed(
        _ encoding: Encoding, _ other: (rate: Int, channels: Int)
    ) throws {
        try folder.encode(sine(frames: 96_000, frequency: 1000, level: 0.5), to: "first", encoding)
        // Opus is always decoded at 48 kHz.
        let (rate, channels) = encoding == .opus ? (24_000, 1) : other
        let second = sine(frames: 4 * rate, frequency: 1000, rate: rate, channels: channels, level: 0.5)
        try folder.encode(second, to: "second", encoding, rate: rate, channels: channels)
        let path = try folder.write(folder.bytes(of: "first") + folder.bytes(of: "second"), to: "both.\(encoding)")
        let decoder = try Decoder.open(path)
        var (samples, error): ([Float], DecoderError?) = ([], nil)
        var block = [Float](repeating: 0, count: 2000)
        do throws(DecoderError) {
            while case let count = try decoder.read(into: &block, frames: 1000), count > 0 {
                samples += block[..<(2 * count)]
            }
        } catch let failure { error = failure }
        // At the right speed, the sine crosses zero upwards a thousand times a second.
        let crossings = (0..<samples.count / 2 - 1).count { samples[2 * $0] < 0 && samples[2 * $0 + 2] >= 0 }
        #expect(
            abs(crossings - samples.count / 2 / 48) < 20, "\(crossings) in \(samples.count / 2) frames, \(error as Any)"
        )
        #expect(samples.count / 2 == 96_000)
        #expect(error?.reason == .unsupported && error?.description.contains("after frame 96000") == true)
    }
}
