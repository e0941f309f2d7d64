import ALSA
import Glibc

/// Decodes a file to interleaved `Float32` frames at the file's own rate. `FileFormat` lists the formats that can be
/// played.
///
/// Samples of up to 24 bits become exact fractions of full scale. For 16 bits, for example, they are n / 2¹⁵. Samples
/// of lossy formats may exceed ±1. Use it from one thread at a time. Opening, reading and seeking block on the storage.
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
    /// The number of frames in the file, or nil if the header does not contain it or is not reliable (MP3).
    public var frameCount: Int? { reader.frameCount }
    /// The best available number of frames in the file, or nil if it is unknown. For an MP3, it is the number in the
    /// header or an estimate.
    public var likelyFrameCount: Int? { reader.likelyFrameCount }
    /// The number of the frame that `read` returns next.
    public var position: Int { reader.position }

    /// Called from time to time during a long seek, on the thread that called `seek`.
    var onProgress: () -> Void {
        get { reader.onProgress }
        set { reader.onProgress = newValue }
    }

    /// Returns the first part of the stream that could not be decoded although the following part could, or nil if
    /// there has been none since the last call.
    public func takeGap() -> DecoderError? { reader.takeGap() }

    /// The tags of the file.
    public var tags: TrackTags {
        var tags = reader.tags
        tags.length = likelyFrameCount.map { Duration(frames: $0, rate: format.rate) }
        return tags
    }

    /// Opens a file and reads its header.
    /// - Parameter readsAhead: true to decode on a separate thread, ahead of `read`, after the first seconds.
    /// - Throws: `DecoderError` if the file is missing, is not a regular file, is not audio, is empty, or has a format
    ///   that cannot be played. `read` reports any damage beyond the header.
    public static func open(_ track: Track, readsAhead: Bool = false) throws(DecoderError) -> Decoder {
        let path = track.path
        let (descriptor, bytes) =
            if let content = track.content { try content.open(for: track) } else { try openRegular(track) }
        let reader = try FileFormat.open(path, FileInput(owning: descriptor, bytes: bytes))
        if let problem = problem(of: reader.format) {
            throw DecoderError(.unsupported, "play", path, message: problem)
        }
        guard reader.likelyFrameCount ?? 1 > 0 else {
            throw DecoderError(.noAudio, "play", path, message: "it holds no audio (0 frames)")
        }
        return Decoder(path: path, fileSize: bytes, reader: readsAhead ? ReadAheadReader(reader) : reader)
    }

    public static func open(_ path: String) throws(DecoderError) -> Decoder { try open(Track(path: path)) }

    /// Opens a regular file. This function waits only for the storage. It does not open other kinds of files, because
    /// opening a named pipe without a writer would block forever, and opening a device may have side effects.
    static func openRegular(_ track: Track) throws(DecoderError) -> (descriptor: Int32, bytes: Int) {
        guard !track.pathBytes.contains(0) else {
            throw DecoderError(.cannotOpen, "open", track.path, message: "its name contains a zero byte")
        }
        // Check the kind before opening the file, because opening alone may have side effects. Check it again
        // afterwards, because the file may have been replaced.
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
            advice: "remove it from the library, because pipes, sockets and devices do not contain music")
    }

    /// The playable rates in Hz. They range from below telephone quality to the rates of the fastest converters. They
    /// are limited because a damaged header may contain any number.
    private static let playableRates = 2000...768_000
    private static let playableChannels = 64
    /// The maximum number of samples per second of all channels together, which is more than eight channels at 192 kHz
    /// have. Without this limit, decoding a small file of silence could take seconds of processor time.
    private static let mostSamples = 1_600_000

    /// A description of the rates and numbers of channels that can be played.
    public static var limits: String {
        "A file can have a rate from \(playableRates.lowerBound) to \(playableRates.upperBound) Hz and up to"
            + " \(playableChannels) channels, but at most \(mostSamples) samples per second in all channels together, which"
            + " is enough for 8 channels at 192000 Hz."
    }

    /// Returns the reason why files of this format cannot be played, or nil if they can.
    private static func problem(of format: StreamFormat) -> String? {
        if !playableRates.contains(format.rate) {
            return "its rate is \(format.rate) Hz, and it must be from \(playableRates.lowerBound) to"
                + " \(playableRates.upperBound) Hz"
        }
        if format.channels > playableChannels {
            return "it has \(format.channels) channels, and at most \(playableChannels) are played"
        }
        let samples = format.rate * format.channels
        guard samples > mostSamples else { return nil }
        return "it has \(samples) samples per second (\(format)), and at most \(mostSamples) are played"
    }

    /// Decodes up to `frames` frames and returns their number, or 0 at the end.
    /// - Throws: `DecoderError`. It is `damaged` at the damaged part of the stream, after all frames before it have
    ///   been returned. It is `unsupported` where the rate or the channels change, or where another stream follows that
    ///   cannot be read.
    public func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        try reader.read(into: samples, frames: frames)
    }

    /// Moves to a frame, so that `read` returns the same samples as when decoding from the start.
    /// - Returns: the frame reached, which is `frame`, or the end of the file if that is earlier. For an MP3, the end
    ///   may not be detected before the next `read`.
    /// - Throws: `DecoderError` if the file cannot be decoded up to that frame.
    @discardableResult
    public func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        try reader.seek(toFrame: max(0, min(frame, frameCount ?? frame)))
    }
}
