import ALSA
import CSndfile
import Glibc

/// Decodes one file to interleaved `Float32` frames at the file's own rate: WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF
/// and the other formats of libsndfile.
///
/// 16- and 24-bit samples become exact fractions of full scale (n / 2¹⁵, n / 2²³). Lossy formats can exceed ±1.
/// Use it from one thread at a time; opening, reading and seeking block on the storage.
public final class Decoder {
    public let path: String
    public let format: StreamFormat
    public let channelOrder: ChannelOrder
    /// The number of frames in the file; nil if the header does not contain it, or is not reliable (MP3).
    public let frameCount: Int?
    /// The best available number of frames in the file: for an MP3, the one in its header, or an estimate. Nil if
    /// nothing is known.
    public let likelyFrameCount: Int?
    /// The number of the frame that `read` returns next.
    public private(set) var position = 0

    let file: OpaquePointer
    private let seeking: SeekBehaviour
    /// Whether the file is damaged if it contains fewer frames than its header says: the counts of lossless containers
    /// are exact.
    private let countIsBinding: Bool

    private init(path: String, file: OpaquePointer, info: SF_INFO) {
        self.path = path
        self.file = file
        format = StreamFormat(rate: Int(info.samplerate), channels: Int(info.channels))
        let container = Int(info.format) & SF_FORMAT_TYPEMASK
        let isOgg = container == SF_FORMAT_OGG
        let isMPEG = container == SF_FORMAT_MPEG
        channelOrder = isOgg ? .vorbis : .wave
        likelyFrameCount = info.frames == Int64.max ? nil : Int(info.frames)
        frameCount = isMPEG ? nil : likelyFrameCount
        countIsBinding = !isOgg && !isMPEG
        seeking = info.seekable == 0 ? .sequential : isOgg ? .ogg : isMPEG ? .mpeg : .direct
    }

    deinit {
        DecoderMessages.dropped { _ = sf_close(file) }
    }

    /// Opens a file and reads its header.
    /// - Throws: `DecoderError` if the file is missing, is not a regular file, is not audio, is empty, or has a format
    ///   that cannot be played. `read` reports any damage beyond the header.
    public static func open(_ track: Track) throws(DecoderError) -> Decoder {
        let path = track.path
        var info = SF_INFO()
        let (descriptor, bytes) = try openRegular(track)
        var opened = DecoderMessages.dropped { sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) }
        if opened == nil, sf_error(nil) == SF_ERR_UNRECOGNISED_FORMAT, pathExtension(path) == "mp3" {
            // An MP3 can start with anything. libsndfile then relies on the name, which a descriptor does not have.
            info = SF_INFO()
            opened = DecoderMessages.dropped { track.withPath { sf_open($0, Int32(SFM_READ), &info) } }
        }
        guard let file = opened else { throw openingError(path, bytes: bytes) }
        let decoder = Decoder(path: path, file: file, info: info)
        guard playableRates.contains(decoder.format.rate), decoder.format.channels <= playableChannels else {
            throw DecoderError(.unsupported, "play", path, message: "its format is \(decoder.format)")
        }
        guard info.frames > 0 else {
            throw DecoderError(.noAudio, "play", path, message: "it holds no audio (0 frames)")
        }
        return decoder
    }

    public static func open(_ path: String) throws(DecoderError) -> Decoder { try open(Track(path: path)) }

    /// Opens a regular file, and only waits for the storage. (A named pipe without a writer would block forever, and
    /// opening a device can have side effects.)
    private static func openRegular(_ track: Track) throws(DecoderError) -> (descriptor: Int32, bytes: Int) {
        guard !track.pathBytes.contains(0) else {
            throw DecoderError(.cannotOpen, "open", track.path, message: "its name contains a zero byte")
        }
        // Check before opening, because that alone can have side effects; and after, because it may have been replaced.
        let kind: FileKind
        do throws(SystemError) { kind = try FileKind.of(track) } catch { throw .opening(track, error.code) }
        guard case .regular = kind else { throw notRegular(track) }
        let descriptor = track.withPath { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { throw .opening(track, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, case .regular(let bytes) = FileKind(status) else {
            close(descriptor)
            throw notRegular(track)
        }
        return (descriptor, bytes)
    }

    private static func notRegular(_ track: Track) -> DecoderError {
        DecoderError(
            .cannotOpen, "open", track.path, message: "it is not a regular file",
            advice: "remove it from the library: pipes, sockets and devices contain no music")
    }

    /// Rates in Hz from telephone quality to that of the fastest converters; a damaged header can contain any number.
    private static let playableRates = 2000...768_000
    private static let playableChannels = 64

    private static func openingError(_ path: String, bytes: Int) -> DecoderError {
        let words = String(cString: sf_strerror(nil))
        if sf_error(nil) == SF_ERR_SYSTEM {
            return DecoderError(.cannotOpen, "open", path, message: words)
        }
        if bytes == 0 {
            return DecoderError(.noAudio, "open", path, message: "the file is empty (0 bytes)")
        }
        return DecoderError(.notAudio, "open", path, message: words)
    }

    /// Decodes up to `frames` frames and returns their number; 0 at the end.
    /// - Throws: `DecoderError` (`damaged`) at the damaged part of the stream, after all frames before it have been
    ///   returned.
    public func read(
        into samples: UnsafeMutablePointer<Float>, frames: Int
    ) throws(DecoderError) -> Int {
        let count = Int(DecoderMessages.dropped { sf_readf_float(file, samples, Int64(frames)) })
        position += count
        guard count == 0, frames > 0 else { return count }
        if sf_error(file) != SF_ERR_NO_ERROR {
            throw DecoderError(
                .damaged, "decode", path, message: "\(String(cString: sf_strerror(file))) (at frame \(position))")
        }
        // libsndfile reports no error for a truncated or corrupt FLAC stream.
        if countIsBinding, let frameCount, position < frameCount {
            throw DecoderError(
                .damaged, "decode", path,
                message: "the stream ends at frame \(position) of \(frameCount)")
        }
        return 0
    }

    /// Moves to a frame, so that `read` returns the same samples as when decoding from the start.
    /// - Returns: the frame reached: `frame`, or the end of the file if that is earlier. (For an MP3, only the next
    ///   `read` may detect the end.)
    /// - Throws: `DecoderError` if the file cannot be decoded up to there.
    @discardableResult
    public func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        let target = max(0, min(frame, frameCount ?? frame))
        // Do not seek beyond the end of an MP3: that would decode the whole file.
        guard let nearby = seeking.entry(for: min(target, likelyFrameCount ?? target), of: frameCount) else {
            return try decode(upTo: target)
        }
        // Seek from the start: libsndfile's Ogg seeks go wrong if the target is near the current position.
        if seeking == .ogg, seek(0) != 0 { return try decode(upTo: target) }
        guard seek(nearby) == nearby else { return try decode(upTo: target) }
        position = nearby
        return try skip(upTo: target)
    }

    /// Seeks with libsndfile.
    /// - Returns: the frame reached, or -1 on failure.
    private func seek(_ frame: Int) -> Int {
        Int(DecoderMessages.dropped { sf_seek(file, Int64(frame), SEEK_SET) })
    }

    /// Moves to a frame by decoding everything before it.
    private func decode(upTo frame: Int) throws(DecoderError) -> Int {
        guard seek(0) == 0 else {
            throw DecoderError(
                .damaged, "seek to the start of", path, message: String(cString: sf_strerror(file)))
        }
        position = 0
        return try skip(upTo: frame)
    }

    private func skip(upTo frame: Int) throws(DecoderError) -> Int {
        guard position < frame else { return position }
        let block = 4096
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: block * format.channels)
        defer { samples.deallocate() }
        while position < frame {
            guard try read(into: samples, frames: min(block, frame - position)) > 0 else { break }
        }
        return position
    }
}
