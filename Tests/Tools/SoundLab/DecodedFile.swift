import CSndfile
import Glibc

/// A recording as decoded by libsndfile, up to its end or the first damage.
public struct DecodedFile {
    public let rate: Int
    public let channels: Int
    /// The major format, such as `SF_FORMAT_RF64`.
    public let type: Int
    public let bits: Int
    /// The number of frames of the whole file according to its header.
    public let frames: Int
    /// The interleaved samples, in the lower bits.
    public private(set) var samples: [Int32]
    public private(set) var tags: [Int32: String]

    /// The samples of the first channel.
    public var numbers: [Int] { stride(from: 0, to: samples.count, by: channels).map { Int(samples[$0]) } }

    private final class Source {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        static func of(_ pointer: UnsafeMutableRawPointer?) -> Source? {
            pointer.map { Unmanaged<Source>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// - Returns: nil if libsndfile rejects the file.
    public init?(_ bytes: [UInt8]) {
        let source = Source(bytes)
        var functions = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(Source.of($0)?.bytes.count ?? 0) },
            seek: { offset, whence, pointer in
                guard let source = Source.of(pointer) else { return -1 }
                let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? source.position : source.bytes.count
                source.position = max(0, base + Int(offset))
                return sf_count_t(source.position)
            },
            read: { buffer, count, pointer in
                guard let source = Source.of(pointer), let buffer else { return 0 }
                let piece = source.bytes.dropFirst(source.position).prefix(Int(count))
                UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)).copyBytes(from: piece)
                source.position += piece.count
                return sf_count_t(piece.count)
            },
            write: { _, _, _ in 0 },
            tell: { sf_count_t(Source.of($0)?.position ?? 0) })
        var info = SF_INFO()
        guard
            let file = sf_open_virtual(&functions, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
        else { return nil }
        defer { sf_close(file) }
        withExtendedLifetime(source) {}
        rate = Int(info.samplerate)
        channels = Int(info.channels)
        type = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
        bits = Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_PCM_16) ? 16 : 24
        frames = Int(info.frames)
        tags = [:]
        for tag in [SF_STR_DATE, SF_STR_COMMENT, SF_STR_SOFTWARE] {
            if let text = sf_get_string(file, Int32(tag)) { tags[Int32(tag)] = String(cString: text) }
        }
        samples = []
        var block = [Int32](repeating: 0, count: 4096 * channels)
        while case let count = Int(sf_readf_int(file, &block, 4096)), count > 0 {
            samples += block[..<(count * channels)].map { $0 >> (32 - Int32(bits)) }
        }
    }
}
