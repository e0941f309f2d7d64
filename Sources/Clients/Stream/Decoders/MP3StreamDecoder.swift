import CMpg123
import Synchronization

/// Decodes MP3 with libmpg123. A stream may begin in the middle of a frame.
final class MP3StreamDecoder: StreamDecoder {
    private let handle: OpaquePointer
    private let input: DecoderInput
    private var format: (rate: Int, channels: Int)?
    private var buffer = [UInt8](repeating: 0, count: 4096)
    private var output = [UInt8](repeating: 0, count: 32_768)

    /// The bytes without a frame after which the stream is not MP3.
    private static let searchLimit = 65_536
    private static let initialised: Bool = mpg123_init() == Int32(MPG123_OK.rawValue)

    init(_ input: DecoderInput) throws(StreamError) {
        guard Self.initialised, let handle = mpg123_new(nil, nil) else {
            throw StreamError("the decoder for MP3 cannot be started")
        }
        self.handle = handle
        self.input = input
        let flags = Int(MPG123_QUIET.rawValue) | Int(MPG123_FORCE_FLOAT.rawValue)
        mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
        mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), Self.searchLimit, 0)
        guard mpg123_open_feed(handle) == Int32(MPG123_OK.rawValue) else {
            throw StreamError("the decoder for MP3 cannot be started")
        }
    }

    deinit { mpg123_delete(handle) }

    func next() throws(StreamError) -> DecodedAudio? {
        while true {
            var count = 0
            let code = mpg123_read(handle, &output, output.count, &count)
            switch code {
            case Int32(MPG123_NEW_FORMAT.rawValue): try readFormat()
            case Int32(MPG123_OK.rawValue), Int32(MPG123_NEED_MORE.rawValue):
                if code == Int32(MPG123_NEED_MORE.rawValue), count == 0, try !feed() { return nil }
            case Int32(MPG123_DONE.rawValue): return nil
            default: throw input.fail("the stream is not valid MP3 (\(String(cString: mpg123_strerror(handle))))")
            }
            if count > 0, let format { return audio(count, format) }
        }
    }

    private func audio(_ count: Int, _ format: (rate: Int, channels: Int)) -> DecodedAudio {
        let samples = output.withUnsafeBytes { bytes in
            (0..<count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
        return DecodedAudio(rate: format.rate, channels: format.channels, samples: samples)
    }

    private func readFormat() throws(StreamError) {
        var (rate, channels, encoding) = (0, Int32(0), Int32(0))
        mpg123_getformat(handle, &rate, &channels, &encoding)
        guard encoding == Int32(MPG123_ENC_FLOAT_32.rawValue) else {
            throw StreamError("the decoder for MP3 returns samples of an unknown kind")
        }
        try DecodedAudio.check(rate: rate, channels: Int(channels))
        format = (rate, Int(channels))
    }

    /// - Returns: false after the end.
    private func feed() throws(StreamError) -> Bool {
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { input.read(into: $0, limit: bytes.count) } ?? 0
        }
        guard count > 0 else {
            if let failure = input.failure { throw failure }
            return false
        }
        guard mpg123_feed(handle, buffer, count) == Int32(MPG123_OK.rawValue) else {
            throw StreamError("the decoder for MP3 has not enough memory")
        }
        return true
    }
}
