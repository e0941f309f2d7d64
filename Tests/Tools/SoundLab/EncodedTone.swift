import CSndfile
import Foundation

/// A tone of 440 Hz as other programs would encode it, with libsndfile's encoders.
public enum EncodedTone {
    public enum Encoding {
        /// An MP3 of 16,000 bytes per second.
        case mp3
        case vorbis, opus, flac

        fileprivate var format: Int {
            switch self {
            case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
            case .vorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
            case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
            case .flac: SF_FORMAT_FLAC | SF_FORMAT_PCM_16
            }
        }
    }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        init(_ file: OpaquePointer?) { description = String(cString: sf_strerror(file)) }
    }

    /// Writes a stereo file at 44.1 kHz, or at 48 kHz for Opus, which has no other rate near it.
    /// - Parameter amplitude: The amplitude of the tone, where 1 is full scale.
    public static func write(
        _ path: String, _ encoding: Encoding, seconds: Int = 20, amplitude: Float = 0.5, title: String? = nil,
        artist: String? = nil
    ) throws {
        let rate = encoding == .opus ? 48_000 : 44_100
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (Int32(rate), 2, Int32(encoding.format))
        guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { throw Failure(nil) }
        defer { sf_close(file) }
        if encoding == .mp3 {
            var (mode, level) = (Int32(SF_BITRATE_MODE_CONSTANT), 2.0 / 3)
            sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
            sf_command(file, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
        }
        if let title { sf_set_string(file, Int32(SF_STR_TITLE), title) }
        if let artist { sf_set_string(file, Int32(SF_STR_ARTIST), artist) }
        // A tenth of a second is 44 whole cycles.
        let block = (0..<rate / 10).flatMap { frame in
            let sample = amplitude * sinf(2 * .pi * 440 * Float(frame) / Float(rate))
            return [sample, sample]
        }
        for _ in 0..<10 * seconds {
            guard sf_writef_float(file, block, Int64(rate / 10)) == rate / 10 else { throw Failure(file) }
        }
    }
}
