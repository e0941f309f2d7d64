import ALSA
import CSndfile
import Glibc

/// Decodes one file to interleaved `Float32` frames at the file's own rate: WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF
/// and whatever else libsndfile reads.
///
/// 16- and 24-bit samples come out as exact fractions of full scale (n / 2¹⁵, n / 2²³). Lossy formats may exceed ±1.
/// One thread at a time may use it; reading blocks on the storage.
public final class Decoder {
    public let path: String
    public let format: StreamFormat
    /// Order of the channels within a frame.
    public let channelOrder: ChannelOrder
    /// Frames of the whole file; nil where the header does not say, or is not to be trusted (MP3).
    public let frameCount: Int?
    /// Frames of the whole file, as well as they are known: for an MP3 what its header says, or an estimate. nil where
    /// nothing is known.
    public let likelyFrameCount: Int?
    /// The frame that `read` gives next.
    public private(set) var position = 0

    let file: OpaquePointer
    private let seeking: SeekBehaviour
    /// Whether fewer frames than the header promises mean damage; the lossless containers count exactly.
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
    /// - Throws: `DecoderError` where the file is missing, no regular file, no audio, empty, or of a format that
    ///   cannot be played. A stream that is broken further on is found out by `read`.
    public static func open(_ track: Track) throws(DecoderError) -> Decoder {
        let path = track.path
        var info = SF_INFO()
        let (descriptor, bytes) = try openRegular(track)
        var opened = DecoderMessages.dropped { sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) }
        if opened == nil, sf_error(nil) == SF_ERR_UNRECOGNISED_FORMAT, pathExtension(path) == "mp3" {
            // An MP3 can begin with anything: libsndfile then goes by the name, which a descriptor does not have.
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

    /// Opens a regular file, without waiting for anything but the storage: a named pipe without a writer would block for
    /// ever, and a device could do anything.
    private static func openRegular(_ track: Track) throws(DecoderError) -> (descriptor: Int32, bytes: Int) {
        guard !track.pathBytes.contains(0) else {
            throw DecoderError(.cannotOpen, "open", track.path, message: "its name has a zero byte in it")
        }
        // Before it is opened, as opening alone can have an effect; and after, as it may have been replaced.
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
            advice: "remove it from the library: a pipe, a socket or a device has no music")
    }

    /// Rates between telephone quality and what any converter offers; the header of a damaged file may say anything.
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
    /// - Throws: `DecoderError` (`damaged`) where the stream breaks off. All frames before the damage have been given
    ///   by then.
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
        // A FLAC stream that is cut short or corrupt ends without an error of libsndfile's.
        if countIsBinding, let frameCount, position < frameCount {
            throw DecoderError(
                .damaged, "decode", path,
                message: "the stream breaks off at frame \(position) of \(frameCount)")
        }
        return 0
    }

    /// Goes to a frame, so that what `read` gives from there equals what it gives there in one go.
    /// - Returns: the frame reached: `frame`, or the end of the file where that comes first. (The end of an MP3 may
    ///   only be found out by the next `read`.)
    /// - Throws: `DecoderError` where the file does not decode up to there.
    @discardableResult
    public func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        let target = max(0, min(frame, frameCount ?? frame))
        // Beyond an MP3's end there is nothing to go to, and all before it would be decoded in search of it.
        guard let nearby = seeking.entry(for: min(target, likelyFrameCount ?? target), of: frameCount) else {
            return try decode(upTo: target)
        }
        // From the start rather than from here: libsndfile's Ogg seeks go wrong when they are near the last position.
        if seeking == .ogg, seek(0) != 0 { return try decode(upTo: target) }
        guard seek(nearby) == nearby else { return try decode(upTo: target) }
        position = nearby
        return try skip(upTo: target)
    }

    /// libsndfile's own seek.
    /// - Returns: the frame reached; -1 where it cannot.
    private func seek(_ frame: Int) -> Int {
        Int(DecoderMessages.dropped { sf_seek(file, Int64(frame), SEEK_SET) })
    }

    /// Goes to a frame by decoding everything before it.
    private func decode(upTo frame: Int) throws(DecoderError) -> Int {
        guard seek(0) == 0 else {
            throw DecoderError(
                .damaged, "go to the start of", path, message: String(cString: sf_strerror(file)))
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
