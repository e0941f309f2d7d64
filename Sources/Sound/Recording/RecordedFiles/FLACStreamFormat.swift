import CFLAC
import Files

/// Encodes a FLAC file that grows while it is recorded.
///
/// libFLAC's own files have blocks of one length, and the encoder holds back the last block. To avoid this, a separate
/// encoder encodes each piece of a recording, and its frames are then renumbered. Frames are numbered by sample instead
/// of by block, as FLAC specifies for blocks of different lengths.
enum FLACStreamFormat {
    /// The longest block, in frames.
    static let block = 4096

    /// Encodes frames. The call blocks.
    /// - Parameters:
    ///   - samples: interleaved samples in the lower bits.
    ///   - number: the number of frames in the file before these frames.
    /// - Returns: nil if libFLAC rejects the format.
    static func encode(
        _ samples: UnsafePointer<Int32>, frames: Int, from number: Int, _ format: RecordedFormat
    ) -> [UInt8]? {
        guard let encoder = FLAC__stream_encoder_new() else { return nil }
        defer { FLAC__stream_encoder_delete(encoder) }
        FLAC__stream_encoder_set_channels(encoder, UInt32(format.stream.channels))
        FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(format.bits))
        FLAC__stream_encoder_set_sample_rate(encoder, UInt32(format.stream.rate))
        FLAC__stream_encoder_set_compression_level(encoder, 5)
        FLAC__stream_encoder_set_blocksize(encoder, UInt32(block))
        // Without this call, libFLAC rejects rates such as 44,101 Hz.
        FLAC__stream_encoder_set_streamable_subset(encoder, 0)
        let pieces = FLACPieces(number: number)
        let started = FLAC__stream_encoder_init_stream(
            encoder,
            { _, bytes, count, samples, _, client in
                guard let bytes, let client else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
                let pieces = Unmanaged<FLACPieces>.fromOpaque(client).takeUnretainedValue()
                // A piece without samples is metadata.
                if samples > 0 { pieces.append(UnsafeBufferPointer(start: bytes, count: count), frames: Int(samples)) }
                return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
            }, nil, nil, nil, Unmanaged.passUnretained(pieces).toOpaque())
        guard started == FLAC__STREAM_ENCODER_INIT_STATUS_OK,
            FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(frames)) != 0,
            FLAC__stream_encoder_finish(encoder) != 0
        else { return nil }
        return pieces.bytes
    }

    /// Returns everything before the first frame.
    /// - Parameters:
    ///   - frames: the length of the stream, or 0 if it is not known yet.
    ///   - program: the name of the program that has written the file.
    ///   - tags: the names and values of the tags.
    static func head(
        _ format: RecordedFormat, frames: Int, program: String, tags: [(String, String)], length: Int
    ) -> [UInt8] {
        var bytes = Array("fLaC".utf8)
        bytes += header(0, 34)
        // These are the minimum and the maximum block size. If they were equal, they would announce blocks of a fixed
        // size.
        bytes += big(16, 2) + big(block, 2) + big(0, 6)
        bytes += big(
            format.stream.rate << 44 | (format.stream.channels - 1) << 41 | (format.bits - 1) << 36
                | (frames < 1 << 36 ? frames : 0), 8)
        // An MD5 sum of 0 means that it is unknown. The sum would have to cover the whole stream.
        bytes += [UInt8](repeating: 0, count: 16)
        var comments = little(program.utf8.count) + Array(program.utf8) + little(tags.count)
        for (name, value) in tags {
            let comment = Array("\(name)=\(value)".utf8)
            comments += little(comment.count) + comment
        }
        bytes += header(4, comments.count) + comments
        let padding = length - bytes.count - 4
        return bytes + header(0x80 | 1, padding) + [UInt8](repeating: 0, count: padding)
    }

    private static func header(_ type: UInt8, _ length: Int) -> [UInt8] { [type] + big(length, 3) }
    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }
    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// Encoded blocks that have been renumbered.
private final class FLACPieces {
    private(set) var bytes: [UInt8] = []
    private var number: Int

    init(number: Int) { self.number = number }

    /// - Parameter block: a complete FLAC frame.
    func append(_ block: UnsafeBufferPointer<UInt8>, frames: Int) {
        let start = bytes.count
        // Set the blocking strategy bit, so that frames are numbered by sample.
        bytes += [block[0], block[1] | 1, block[2], block[3]]
        bytes += Self.coded(number)
        // The block size and the rate follow the number if their codes in the header indicate this.
        let rest = 4 + Self.codedLength(block[4])
        let sizeCode = block[2] >> 4
        let rateCode = block[2] & 0xf
        let extra = (sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0) + (rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0)
        bytes += block[rest..<rest + extra]
        bytes.append(Checksum.crc8(bytes[start...]))
        bytes += block[(rest + extra + 1)..<(block.count - 2)]
        let sum = Self.crc16(bytes[start...])
        bytes += [UInt8(sum >> 8), UInt8(sum & 0xff)]
        number += frames
    }

    /// Returns the length of a number that begins with this byte.
    private static func codedLength(_ first: UInt8) -> Int { max(1, (~first).leadingZeroBitCount) }

    /// Encodes a number like a character in UTF-8, but with up to 36 bits.
    private static func coded(_ number: Int) -> [UInt8] {
        if number < 0x80 { return [UInt8(number)] }
        // n bytes hold 5 n + 1 bits.
        let count = (2...7).first { number < 1 << (5 * $0 + 1) } ?? 7
        let marker = UInt8(truncatingIfNeeded: 0xff00 >> count)
        return (0..<count).map { index in
            let bits = UInt8(truncatingIfNeeded: number >> (6 * (count - 1 - index)))
            return index == 0 ? marker | bits & (1 << (7 - UInt8(count)) - 1) : 0x80 | bits & 0x3f
        }
    }

    private static let table16: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }

    private static func crc16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { $0 << 8 ^ table16[Int(UInt8($0 >> 8) ^ $1)] }
    }
}
