import SoundLab
import Testing

@testable import Playback

/// Several streams in an Ogg file, either after each other or with one that describes the others.
@Suite struct OggChainTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private enum Codec: CaseIterable {
        case vorbis, opus, flac
    }

    /// Returns an Ogg file with this serial number.
    private func stream(
        _ codec: Codec, _ number: UInt8, frames: Int = 48_000 * 5, rate: Int = 48_000, channels: Int = 2
    ) throws -> [UInt8] {
        let samples = music(frames: frames * channels / 2, seed: UInt32(number))
        var bytes: [UInt8]
        switch codec {
        case .flac:
            bytes = try FLACFile(
                samples.map { $0 >> 16 }, bits: 16, rate: rate, channels: channels, isOgg: true, in: folder
            ).bytes
        case .vorbis, .opus:
            let encoding = codec == .opus ? Encoding.opus : .vorbis
            try folder.encode(samples, to: "encoded", encoding, rate: rate, channels: channels)
            bytes = try folder.bytes(of: "encoded")
        }
        for start in OggPage.offsets(in: bytes) {
            let page = OggPage(bytes, at: start)?.bytes(bytes, replacing: start + 14, with: [number, 1, 2, 3]) ?? []
            bytes.replaceSubrange(start..<start + page.count, with: page)
        }
        return bytes
    }

    /// Returns a FLAC stream in an Ogg file as an encoder that cannot seek leaves it.
    private func withoutLength(_ bytes: [UInt8]) throws -> [UInt8] {
        let page = try #require(OggPage(bytes, at: 0))
        let total = page.body.lowerBound + 17 + 13
        let head = page.bytes(bytes, replacing: total, with: [bytes[total] & 0xf0, 0, 0, 0, 0])
        return head + bytes[head.count...]
    }

    @Test func streamsOfOneFormatArePlayedAsOne() throws {
        for codec in Codec.allCases {
            let streams = try [1, 2, 3].map { try stream(codec, $0) }
            let whole = try streams.flatMap { try decodeAll(folder.write($0, to: "one.ogg")) }
            let decoder = try Decoder.open(folder.write(streams.flatMap { $0 }, to: "chain.ogg"))
            #expect(decoder.frameCount == whole.count / 2)
            #expect(try decodeAll(decoder) == whole && decoder.takeGap() == nil, "\(codec)")
            #expect(decoder.position == whole.count / 2)
            for target in [500_000, 100_000, 240_000, 300_000] {
                #expect(try decoder.seek(toFrame: target) == target)
                let rest = try decodeAll(decoder)
                #expect(rest.count == whole.count - 2 * target)
                #expect(differences(rest[...], whole[(2 * target)...], above: 1e-3).isEmpty, "\(codec), \(target)")
            }
            #expect(try decoder.seek(toFrame: whole.count) == whole.count / 2)
            #expect(try decodeAll(decoder).isEmpty)
        }
    }

    @Test func streamsOfDifferentCodecsArePlayedAsOne() throws {
        let streams = try [stream(.vorbis, 1), stream(.flac, 2), stream(.opus, 3)]
        let whole = try streams.flatMap { try decodeAll(folder.write($0, to: "one.ogg")) }
        let decoder = try Decoder.open(folder.write(streams.flatMap { $0 }, to: "chain.ogg"))
        #expect(try decodeAll(decoder) == whole)
    }

    @Test func holeInAStreamIsSilentAndTheNextStreamIsPlayed() throws {
        for codec in Codec.allCases {
            var (one, other) = (try stream(codec, 1), try stream(codec, 2))
            let second = try decodeAll(folder.write(other, to: "one.ogg"))
            for index in one.count / 2..<one.count / 2 + 8192 { one[index] = 0 }
            let chain = try decodeAll(Decoder.open(folder.write(one + other, to: "chain.ogg")))
            #expect(chain.count == 2 * second.count && chain[second.count...].elementsEqual(second), "\(codec)")
            for index in other.count / 2..<other.count / 2 + 8192 { other[index] = 0 }
            let decoder = try Decoder.open(folder.write(one + other, to: "chain.ogg"))
            for _ in 0..<2 {
                #expect(try decodeAll(decoder).count == 2 * second.count, "\(codec)")
                #expect(decoder.takeGap()?.message.contains("frames are silent") == true, "\(codec)")
                #expect(try decoder.seek(toFrame: 0) == 0)
            }
        }
    }

    @Test func streamOfAnotherFormatIsReported() throws {
        for codec in Codec.allCases {
            let one = try stream(codec, 1)
            for other in [try stream(codec, 2, rate: 24_000, channels: 1), try stream(.flac, 3, rate: 44_100)] {
                let decoder = try Decoder.open(folder.write(one + other, to: "chain.ogg"))
                let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
                #expect(error?.message.contains("more audio follows after frame 240000") == true, "\(error as Any)")
                #expect(decoder.position == 240_000)
            }
        }
    }

    @Test func streamAfterOneOfUnknownLengthIsReported() throws {
        let (one, other) = (try withoutLength(stream(.flac, 1)), try stream(.flac, 2))
        let decoder = try Decoder.open(folder.write(one + other, to: "chain.oga"))
        #expect(decoder.frameCount == nil)
        let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
        #expect(error?.message.contains("more audio follows after frame 240000") == true, "\(error as Any)")
    }

    /// The standard forbids a repeated number, but a file that is joined with itself contains one.
    @Test func streamWithTheSameNumberIsReported() throws {
        for codec in Codec.allCases {
            let one = try stream(codec, 1)
            for bytes in codec == .flac ? [one, try withoutLength(one)] : [one] {
                let decoder = try Decoder.open(folder.write(bytes + one, to: "twice.ogg"))
                let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
                #expect(error?.message.contains("more audio follows after frame") == true, "\(codec): \(error as Any)")
            }
        }
    }

    @Test func streamsBeyondTheLimitAreReported() throws {
        let streams = try (1...80).map { try stream(.flac, $0, frames: 100) }
        let decoder = try Decoder.open(folder.write(streams.flatMap { $0 }, to: "chain.oga"))
        #expect(decoder.frameCount == 6400)
        let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
        #expect(error?.message.contains("more audio follows after frame 6400") == true, "\(error as Any)")
    }

    /// This is Ogg Skeleton, whose pages are between those of the sound.
    @Test func streamThatDescribesTheOthersIsLeftOut() throws {
        for codec in Codec.allCases {
            let one = try stream(codec, 1)
            let whole = try decodeAll(folder.write(one, to: "one.ogg"))
            let first = try #require(OggPage(one, at: 0)).body.upperBound
            let bytes =
                page("fishead\0", flags: 2, number: 0) + one[..<first] + page("fisbone\0", number: 1)
                + page("", flags: 4, number: 2) + one[first...]
            let decoder = try Decoder.open(folder.write(Array(bytes), to: "skeleton.ogg"))
            #expect(try decodeAll(decoder) == whole && decoder.takeGap() == nil, "\(codec)")
            #expect(try decoder.seek(toFrame: 100_000) == 100_000)
            #expect(try decodeAll(decoder).count == whole.count - 200_000)
        }
    }

    /// Returns a page of one packet in another stream.
    private func page(_ text: String, flags: UInt8 = 0, number: UInt8) -> [UInt8] {
        let body = Array(text.utf8) + [UInt8](repeating: 0, count: 56)
        let head = Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 8) + [9, 9, 9, 9, number, 0, 0, 0]
        let bytes = head + [0, 0, 0, 0, 1, UInt8(body.count)] + body
        return OggPage(bytes, at: 0)?.bytes(bytes, replacing: 0, with: []) ?? []
    }

    /// The libraries collect the packet in memory.
    @Test func packetThatDoesNotEndIsAnError() throws {
        for codec in Codec.allCases {
            let bytes = try stream(codec, 1)
            let pages = OggPage.offsets(in: bytes)
            let start = pages[pages.count / 2]
            let number = try #require(OggPage(bytes, at: start)).number
            let lacing = [UInt8](repeating: 255, count: 256)
            let body = [UInt8](repeating: 7, count: 255 * 255)
            func words(_ index: Int) -> [UInt8] {
                (0..<4).map { UInt8(truncatingIfNeeded: (number + index) >> (8 * $0)) }
            }
            let packet = (0..<600).flatMap { index in
                let head = joined(text("OggS"), [0, index == 0 ? 0 : 1], [UInt8](repeating: 0xff, count: 8))
                let serial = Array(bytes[start + 14..<start + 18])
                let page = joined(head, serial, words(index), [0, 0, 0, 0], lacing, body)
                return OggPage(page, at: 0)?.bytes(page, replacing: 0, with: []) ?? []
            }
            let rest = pages[(pages.count / 2)...].enumerated().flatMap { index, start in
                OggPage(bytes, at: start)?.bytes(bytes, replacing: start + 18, with: words(600 + index)) ?? []
            }
            let path = try folder.write(Array(bytes[..<start]) + packet + rest, to: "endless.ogg")
            let error = thrown(DecoderError.self) { _ = try decodeAll(path) }
            #expect(error?.message.contains("cannot be found") == true, "\(codec): \(error as Any)")
        }
    }
}
