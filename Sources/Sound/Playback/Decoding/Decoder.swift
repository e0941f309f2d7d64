import ALSA
import Glibc

/// Decodes one file to interleaved `Float32` frames at the file's own rate. `FileFormat` lists what can be played.
///
/// Samples of up to 24 bits become exact fractions of full scale (for 16 bits, n / 2¹⁵). Lossy formats can exceed ±1.
/// Use it from one thread at a time; opening, reading and seeking block on the storage.
public final class Decoder {
    public let path: String
    /// The size of the file when it was opened, in bytes.
    let fileSize: Int
    private let reader: any AudioFileReader

    private init(path: String, fileSize: Int, reader: any AudioFileReader) {
        self.path = path
        self.fileSize = fileSize
        self.reader = reader
    }

    public var format: StreamFormat { reader.format }
    public var channelOrder: ChannelOrder { reader.channelOrder }
    /// The number of frames in the file; nil if the header does not contain it, or is not reliable (MP3).
    public var frameCount: Int? { reader.frameCount }
    /// The best available number of frames in the file: for an MP3, the one in its header, or an estimate. Nil if
    /// nothing is known.
    public var likelyFrameCount: Int? { reader.likelyFrameCount }
    /// The number of the frame that `read` returns next.
    public var position: Int { reader.position }

    /// Called from time to time during a long seek, by its caller's thread.
    var onProgress: () -> Void {
        get { reader.onProgress }
        set { reader.onProgress = newValue }
    }

    /// The first part of the stream that could not be decoded, although what follows was; nil if there is none since the
    /// last call.
    public func takeGap() -> DecoderError? { reader.takeGap() }

    /// The tags of the file.
    public var tags: TrackTags {
        var tags = reader.tags
        tags.length = likelyFrameCount.map { Duration(frames: $0, rate: format.rate) }
        return tags
    }

    /// Opens a file and reads its header.
    /// - Parameter readsAhead: after the first seconds, decode on a thread of its own, ahead of `read`.
    /// - Throws: `DecoderError` if the file is missing, is not a regular file, is not audio, is empty, or has a format
    ///   that cannot be played. `read` reports any damage beyond the header.
    public static func open(_ track: Track, readsAhead: Bool = false) throws(DecoderError) -> Decoder {
        let path = track.path
        let (descriptor, bytes) =
            if let content = track.content { try content.open(for: track) } else { try openRegular(track) }
        let reader = try FileFormat.open(path, FileInput(owning: descriptor, bytes: bytes))
        guard playableRates.contains(reader.format.rate), reader.format.channels <= playableChannels else {
            throw DecoderError(.unsupported, "play", path, message: "its format is \(reader.format)")
        }
        guard reader.likelyFrameCount ?? 1 > 0 else {
            throw DecoderError(.noAudio, "play", path, message: "it holds no audio (0 frames)")
        }
        return Decoder(path: path, fileSize: bytes, reader: readsAhead ? ReadAheadReader(reader) : reader)
    }

    public static func open(_ path: String) throws(DecoderError) -> Decoder { try open(Track(path: path)) }

    /// Opens a regular file, and only waits for the storage. (A named pipe without a writer would block forever, and
    /// opening a device can have side effects.)
    static func openRegular(_ track: Track) throws(DecoderError) -> (descriptor: Int32, bytes: Int) {
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
        guard fstat(descriptor, &status) == 0, case .regular(_, let bytes) = FileKind(status) else {
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

    /// Decodes up to `frames` frames and returns their number; 0 at the end.
    /// - Throws: `DecoderError` (`damaged`) at the damaged part of the stream, after all frames before it have been
    ///   returned; `unsupported` where the rate or the channels change, or
    ///   another stream follows that cannot be read.
    public func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        try reader.read(into: samples, frames: frames)
    }

    /// Moves to a frame, so that `read` returns the same samples as when decoding from the start.
    /// - Returns: the frame reached: `frame`, or the end of the file if that is earlier. (For an MP3, only the next
    ///   `read` may detect the end.)
    /// - Throws: `DecoderError` if the file cannot be decoded up to there.
    @discardableResult
    public func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        try reader.seek(toFrame: max(0, min(frame, frameCount ?? frame)))
    }
}
