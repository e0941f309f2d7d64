import SoundLab
import Testing

@testable import Playback

/// Decoding ahead on a separate thread, which must not change a single bit of the result.
@Suite struct ReadAheadTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [Encoding.wav16, .flac24, .vorbis, .mp3])
    func framesPositionsAndTheEndAreTheSame(_ encoding: Encoding) throws {
        let path = try folder.encode(music(frames: 600_000), to: "music", encoding)
        let (plain, ahead) = (try Decoder.open(path), try Decoder.open(Track(path: path), readsAhead: true))
        // The reads go past the point at which the thread starts to decode, back again, and to the end.
        for (start, frames) in [(0, 400_000), (100_001, 350_000), (599_000, 5000), (0, 700_000)] {
            #expect(try plain.seek(toFrame: start) == ahead.seek(toFrame: start))
            #expect(try read(frames, plain) == read(frames, ahead))
            #expect(plain.position == ahead.position)
        }
        var block = [Float](repeating: 0, count: 2)
        #expect(try ahead.read(into: &block, frames: 1) == 0)
        #expect(ahead.tags == plain.tags && ahead.frameCount == plain.frameCount)
    }

    /// Reads in blocks of an odd size.
    private func read(_ frames: Int, _ decoder: Decoder) throws -> [Float] {
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 2 * 1777)
        while samples.count < 2 * frames {
            let count = try decoder.read(into: &block, frames: min(1777, frames - samples.count / 2))
            if count == 0 { break }
            samples += block[..<(2 * count)]
        }
        return samples
    }

    @Test func damageIsReportedAtTheSameFrame() throws {
        try folder.encode(music(frames: 600_000), to: "whole.flac", .flac16)
        let bytes = try folder.bytes(of: "whole.flac")
        let path = try folder.write(Array(bytes[..<(bytes.count * 3 / 4)]), to: "cut.flac")
        let (plain, ahead) = (try Decoder.open(path), try Decoder.open(Track(path: path), readsAhead: true))
        let errors = [plain, ahead].map { decoder in thrown(DecoderError.self) { _ = try decodeAll(decoder) } }
        #expect(errors[0] != nil && errors[0] == errors[1])
        #expect(plain.position == ahead.position && plain.position > 300_000)
    }

    /// The thread ends even if it is waiting for room or decoding at that time.
    @Test func closingEndsTheThread() throws {
        let path = try folder.encode(music(frames: 600_000), to: "music", .flac16)
        for frames in stride(from: 150_000, to: 400_000, by: 25_000) {
            let decoder = try Decoder.open(Track(path: path), readsAhead: true)
            _ = try read(frames, decoder)
        }
    }
}
