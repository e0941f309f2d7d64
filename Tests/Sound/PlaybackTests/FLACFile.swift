import CFLAC
import Testing

@testable import Playback

/// The bytes of a FLAC file, which tests take apart.
struct FLACFile {
    var bytes: [UInt8]

    /// Encodes interleaved samples with libFLAC.
    /// - Parameter samples: the samples, in the lowest bits.
    /// - Parameter isOgg: true for an Ogg container.
    init(
        _ samples: [Int32], bits: Int, rate: Int = 48_000, channels: Int = 2, isOgg: Bool = false,
        in folder: TemporaryFolder
    ) throws {
        let encoder = try #require(FLAC__stream_encoder_new(), "no encoder")
        defer { FLAC__stream_encoder_delete(encoder) }
        FLAC__stream_encoder_set_channels(encoder, UInt32(channels))
        FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
        FLAC__stream_encoder_set_sample_rate(encoder, UInt32(rate))
        FLAC__stream_encoder_set_streamable_subset(encoder, 0)
        FLAC__stream_encoder_set_blocksize(encoder, 1024)
        let initialise = isOgg ? FLAC__stream_encoder_init_ogg_file : FLAC__stream_encoder_init_file
        let started = initialise(encoder, folder.path("encoded"), nil, nil)
        let isWritten =
            FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(samples.count / channels)) != 0
        guard started == FLAC__STREAM_ENCODER_INIT_STATUS_OK, isWritten, FLAC__stream_encoder_finish(encoder) != 0
        else { throw EncodingFailure(words: "libFLAC's status \(started.rawValue)") }
        bytes = try folder.bytes(of: "encoded")
    }

    /// The offset at which the first frame begins.
    private var start: Int {
        var index = 4
        while true {
            let isLast = bytes[index] & 0x80 != 0
            index += 4 + bytes[index + 1...index + 3].reduce(0) { $0 << 8 | Int($1) }
            if isLast { return index }
        }
    }

    /// The file without a header.
    var frames: [UInt8] { Array(bytes[start...]) }

    /// The file as an encoder that cannot seek leaves it.
    var withoutLength: [UInt8] { with(length: 0) }

    /// Returns the file with a different number of samples in the header.
    func with(length: UInt32) -> [UInt8] {
        var bytes = bytes
        // These are the last 36 bits before the checksum in STREAMINFO, the first block.
        bytes[8 + 13] &= 0xf0
        for index in 0..<4 { bytes[8 + 14 + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
        return bytes
    }

    /// Returns the file without one of the first 128 frames, which have 1024 samples each.
    func without(frame number: UInt8) throws -> [UInt8] {
        let (start, end) = (try #require(place(number)), try #require(place(number + 1)))
        return Array(bytes[..<start] + bytes[end...])
    }

    /// Returns everything from one of the first 128 frames on.
    func frames(from number: UInt8) throws -> [UInt8] { Array(bytes[try #require(place(number))...]) }

    private func place(_ number: UInt8) -> Int? {
        bytes.indices.dropLast(4).first {
            bytes[$0] == 0xff && bytes[$0 + 1] == 0xf8 && bytes[$0 + 2] >> 4 == 10 && bytes[$0 + 4] == number
        }
    }

    /// Returns the file with a seek table after STREAMINFO.
    /// - Parameter points: samples and the offsets of their frames from the first one.
    func with(seekPoints points: [(sample: Int, offset: Int)]) -> FLACFile {
        func big(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
        }
        let table = points.flatMap { big($0.sample, 8) + big($0.offset, 8) + big(1024, 2) }
        var file = self
        file.bytes.insert(contentsOf: [3] + big(table.count, 3) + table, at: 8 + 34)
        return file
    }

    /// Returns the file with different block sizes in STREAMINFO.
    func with(least: UInt8, most: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(8..<12, with: [least, 0, most, 0])
        return bytes
    }

    /// Returns the file with comments after STREAMINFO.
    func with(_ comments: [String]) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let texts = comments.flatMap { little($0.utf8.count) + text($0) }
        let block = joined(little(4), text("test"), little(comments.count), texts)
        let header: [UInt8] = [4, 0, UInt8(block.count >> 8), UInt8(block.count & 0xff)]
        let end = 8 + 34
        return joined(Array(bytes[..<end]), header, block, Array(bytes[end...]))
    }
}

extension OggPage {
    /// Returns the offsets at which the pages of a file begin.
    static func offsets(in bytes: [UInt8]) -> [Int] {
        var (offsets, offset) = ([Int](), 0)
        while let page = OggPage(bytes, at: offset) {
            offsets.append(offset)
            offset = page.body.upperBound
        }
        return offsets
    }
}
