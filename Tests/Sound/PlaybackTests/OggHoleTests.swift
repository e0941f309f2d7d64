import Foundation
import SoundLab
import Testing

@testable import Playback

/// Pages of Ogg Vorbis and Opus that are missing, damaged, or in place of others.
@Suite struct OggHoleTests {
    private let folder: TemporaryFolder
    private static let frames = 48_000 * 60
    private static let vorbis = Result { try Whole(.vorbis) }
    private static let opus = Result { try Whole(.opus) }

    /// A minute of music that was encoded once, and what it sounds like.
    private struct Whole {
        let bytes: [UInt8]
        let samples: [Float]

        init(_ encoding: Encoding) throws {
            let folder = try TemporaryFolder()
            try folder.encode(music(frames: frames), to: "whole.ogg", encoding)
            bytes = try folder.bytes(of: "whole.ogg")
            samples = try decodeAll(folder.path("whole.ogg"))
        }
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ encoding: Encoding) throws -> Whole {
        try (encoding == .opus ? Self.opus : Self.vorbis).get()
    }

    private func check(_ bytes: [UInt8], against whole: [Float], _ words: Comment) throws {
        let decoder = try Decoder.open(folder.write(bytes, to: "holes.ogg"))
        let heard = try decodeAll(decoder)
        try #require(heard.count == whole.count, words)
        let gap = decoder.takeGap()
        #expect(gap?.reason == .gap && gap?.message.contains("frames are silent") == true, words)
        let wrong = differences(heard[...], whole[...], above: 1e-2)
        // The wrong frames belong to the damaged pages and to the page after them, whose start is unknown.
        #expect(wrong.count < 2 * 48_000 * 4, "\(words): \(wrong.count)")
        // Opus needs 80 ms until its output is the same again.
        #expect(wrong.count { heard[$0] != 0 } < 2 * 4000, "\(words)")
        try checkSeeks(decoder, heard, words)
        let target = Self.frames - 48_000
        #expect(try decoder.seek(toFrame: target) == target)
        let rest = try decodeAll(decoder)
        #expect(differences(rest[...], whole[(2 * target)...], above: 1e-3).isEmpty, words)
    }

    /// Checks seeks into the first hole, and to positions after it.
    private func checkSeeks(_ decoder: Decoder, _ heard: [Float], _ words: Comment) throws {
        let end = try #require(firstSilence(in: heard, lasting: 100)).upperBound
        for target in [end - 3000, end + 100, end + 20_000, end + 70_000] {
            #expect(try decoder.seek(toFrame: target) == target)
            var (rest, block) = ([Float](), [Float](repeating: 0, count: 2 * 1000))
            while rest.count < 2 * 20_000 {
                let count = try decoder.read(into: &block, frames: 1000)
                try #require(count > 0)
                rest += block[..<(2 * count)]
            }
            // After a hole, the first frames differ.
            let wrong = differences(rest[...], heard[(2 * target)...], above: 1e-2)
            #expect(wrong.count < 2 * 4000, "\(words): \(wrong.count) at \(target - end)")
        }
    }

    @Test(arguments: [Encoding.vorbis, .opus], [0.02, 0.1, 0.5, 0.9])
    func missingAndDamagedPagesAreSilentAndTheRestIsInItsPlace(encoding: Encoding, place: Double) throws {
        let (bytes, whole) = try (file(encoding).bytes, file(encoding).samples)
        let pages = OggPage.offsets(in: bytes)
        let index = Int(Double(pages.count - 6) * place) + 3
        let (start, end) = (pages[index], pages[index + 1])
        try check(Array(bytes[..<start] + bytes[end...]), against: whole, "missing")
        var damaged = bytes
        damaged[(start + end) / 2] ^= 0x55
        try check(damaged, against: whole, "damaged")
        var zero = bytes
        for offset in start - 100..<start + 100 { zero[offset] = 0 }
        try check(zero, against: whole, "zero")
    }

    /// The recording of a live stream begins in this way.
    @Test(arguments: [Encoding.vorbis, .opus], [1000, 3 * 3600 * 48_000])
    func holesAreInTheirPlaceIfPositionsDoNotBeginAtZero(encoding: Encoding, shift: Int) throws {
        var bytes = try file(encoding).bytes
        let pages = OggPage.offsets(in: bytes)
        for start in pages {
            guard let page = OggPage(bytes, at: start), let granule = page.granule, granule > 0 else { continue }
            let later = (0..<8).map { UInt8(truncatingIfNeeded: (granule + shift) >> (8 * $0)) }
            let new = page.bytes(bytes, replacing: start + 6, with: later)
            bytes.replaceSubrange(start..<start + new.count, with: new)
        }
        let whole = try file(encoding).samples
        #expect(try decodeAll(folder.write(bytes, to: "shifted.ogg")) == whole)
        let (start, end) = (pages[pages.count / 2], pages[pages.count / 2 + 1])
        try check(Array(bytes[..<start] + bytes[end...]), against: whole, "shifted")
    }

    /// Returns the offset of the first page of sound.
    private func firstSound(_ bytes: [UInt8]) throws -> Int {
        let pages = OggPage.offsets(in: bytes)
        return try #require(pages.first { (OggPage(bytes, at: $0)?.granule ?? 0) > 0 })
    }

    @Test(arguments: [Encoding.vorbis, .opus], [1, 2])
    func damagedFirstPagesAreSilentAndTheRestIsInItsPlace(encoding: Encoding, count: Int) throws {
        let (bytes, whole) = try (file(encoding).bytes, file(encoding).samples)
        let start = try firstSound(bytes)
        var end = start
        for _ in 0..<count { end = try #require(OggPage(bytes, at: end)).body.upperBound }
        var damaged = bytes
        for index in 0..<count { damaged[start + 100 + index * (end - start - 200)] ^= 0x55 }
        try check(damaged, against: whole, "damaged")
        var zero = bytes
        for offset in start..<end { zero[offset] = 0 }
        try check(zero, against: whole, "zero")
        let decoder = try Decoder.open(folder.path("holes.ogg"))
        #expect(try decoder.seek(toFrame: 1000) == 1000)
        #expect(try decodeAll(decoder).count == whole.count - 2000)
    }

    /// On a file system that was not closed, blocks of a file may occur twice or have changed places.
    @Test(arguments: [Encoding.vorbis, .opus], [0.1, 0.5])
    func repeatedAndExchangedPagesAreNotHeardTwice(encoding: Encoding, place: Double) throws {
        let (bytes, whole) = try (file(encoding).bytes, file(encoding).samples)
        let pages = OggPage.offsets(in: bytes)
        let index = Int(Double(pages.count) * place)
        let (start, middle, end) = (pages[index], pages[index + 1], pages[index + 2])
        let (one, other) = (Array(bytes[start..<middle]), Array(bytes[middle..<end]))
        let cases = [("twice", one + one + other), ("thrice", one + one + one + other), ("exchanged", other + one)]
        for (name, part) in cases {
            let all = Array(bytes[..<start]) + part + Array(bytes[end...])
            try check(all, against: whole, Comment(rawValue: name))
        }
    }

    /// An interrupted copy leaves such a file on some file systems.
    @Test(arguments: [Encoding.vorbis, .opus]) func holesBeforeALongTailAreFound(encoding: Encoding) throws {
        let (bytes, whole) = try (file(encoding).bytes, file(encoding).samples)
        let pages = OggPage.offsets(in: bytes)
        let (start, end) = (pages[pages.count / 2], pages[pages.count / 2 + 1])
        let rest = bytes[..<start] + bytes[end...]
        try check(Array(rest) + [UInt8](repeating: 0, count: 300_000), against: whole, "zeros")
    }

    @Test(arguments: [Encoding.vorbis, .opus]) func wholeFilesHaveNoHoles(encoding: Encoding) throws {
        let bytes = try file(encoding).bytes
        for tail in [[], Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)] {
            let decoder = try Decoder.open(folder.write(bytes + tail, to: "tail.ogg"))
            #expect(try decodeAll(decoder).count == 2 * Self.frames && decoder.takeGap() == nil)
        }
        // A recorder that begins in the middle of a stream writes the header first.
        let pages = OggPage.offsets(in: bytes)
        let first = try #require(pages.firstIndex { (OggPage(bytes, at: $0)?.granule ?? 0) > 0 })
        let recorded = bytes[..<pages[first]] + bytes[pages[pages.count / 2]...]
        let decoder = try Decoder.open(folder.write(Array(recorded), to: "recorded.ogg"))
        #expect(try decodeAll(decoder).count > 0 && decoder.takeGap() == nil)
    }

    /// libsndfile and libFLAC would keep them in memory.
    @Test func tagsThatAreTooLongAreRejected() throws {
        let flac = try FLACFile(music(frames: 48_000).map { $0 >> 16 }, bits: 16, isOgg: true, in: folder).bytes
        for bytes in [try file(.vorbis).bytes, try file(.opus).bytes, flac] {
            let first = try #require(OggPage(bytes, at: 0))
            let start = first.body.upperBound
            // This is a page of a packet that does not end.
            let head = bytes[..<5] + [0] + [UInt8](repeating: 0xff, count: 8) + bytes[14..<26]
            let page = head + [UInt8](repeating: 255, count: 256) + [UInt8](repeating: 7, count: 255 * 255)
            let whole = try #require(OggPage(Array(page), at: 0)).bytes(Array(page), replacing: 0, with: [])
            let tags = (0..<300).flatMap { _ in whole }
            let path = try folder.write(Array(bytes[..<start]) + tags + Array(bytes[start...]), to: "tags.ogg")
            let error = thrown(DecoderError.self) { try Decoder.open(path) }
            #expect(error?.message == "its tags are longer than 16 MiB", "\(error as Any)")
        }
    }

    /// The rate is only that of the encoder's source, and 0 means unknown.
    @Test(arguments: [0, 8000, 16_000, 44_100, 192_000] as [UInt32])
    func opusIsDecodedAt48KHzWhateverRateIsInItsHeader(rate: UInt32) throws {
        try folder.encode(sine(frames: 96_000, frequency: 12_000, level: 0.5), to: "whole.opus", .opus)
        let bytes = try folder.bytes(of: "whole.opus")
        let page = try #require(OggPage(bytes, at: 0))
        let words = (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) }
        let head = page.bytes(bytes, replacing: page.body.lowerBound + 12, with: words)
        let decoder = try Decoder.open(folder.write(head + bytes[head.count...], to: "rate.opus"))
        #expect(decoder.format.rate == 48_000)
        #expect(try decodeAll(decoder) == decodeAll(folder.path("whole.opus")) && decoder.takeGap() == nil)
    }

    @Test(arguments: [Encoding.vorbis, .opus]) func fileThatEndsInsideAPageIsReported(encoding: Encoding) throws {
        let (bytes, whole) = try (file(encoding).bytes, file(encoding).samples)
        let pages = OggPage.offsets(in: bytes)
        let last = pages[2 * pages.count / 3]
        let zeros = [UInt8](repeating: 0, count: 100_000)
        // The file ends in the page's body, after its header, in its header, or after its first byte.
        for (length, tail) in [(2000, []), (2000, zeros), (40, []), (20, []), (1, [])] as [(Int, [UInt8])] {
            let path = try folder.write(bytes[..<(last + length)] + tail, to: "cut.ogg")
            let decoder = try Decoder.open(path)
            let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
            #expect(error?.reason == .damaged, "\(length)")
            #expect(error?.message.contains("and its last page breaks off") == true, "\(error as Any)")
            let heard = decoder.position
            #expect(heard > whole.count / 4 && heard < whole.count / 2, "\(heard)")
        }
    }

    /// The recording of a live stream ends in this way, because it does not have a last page. Other bytes may follow.
    @Test(arguments: [Encoding.vorbis, .opus]) func fileThatEndsAfterAPageIsWhole(encoding: Encoding) throws {
        let bytes = try file(encoding).bytes
        let pages = OggPage.offsets(in: bytes)
        let recorded = Array(bytes[..<pages[2 * pages.count / 3]])
        let noise = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 5) }
        for bytes in [recorded, recorded + noise, bytes + noise, bytes + Array("OggS".utf8)] {
            let decoder = try Decoder.open(folder.write(bytes, to: "recorded.ogg"))
            #expect(try decodeAll(decoder).count > 0 && decoder.takeGap() == nil)
        }
    }

    /// libsndfile ends at a page that is marked as the last one.
    @Test(arguments: [Encoding.vorbis, .opus]) func endInTheMiddleOfAStreamIsReported(encoding: Encoding) throws {
        let bytes = try file(encoding).bytes
        let pages = OggPage.offsets(in: bytes)
        let (start, end) = (pages[pages.count / 2], pages[pages.count / 2 + 1])
        let page = try #require(OggPage(bytes, at: start)).bytes(bytes, replacing: start + 5, with: [4])
        let damaged = joined(Array(bytes[..<start]), page, Array(bytes[end...]))
        let decoder = try Decoder.open(folder.write(damaged, to: "ends.ogg"))
        let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
        #expect(error?.message.contains("more audio follows after frame") == true, "\(error as Any)")
    }
}
