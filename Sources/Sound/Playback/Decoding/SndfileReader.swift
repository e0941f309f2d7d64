import ALSA
import CSndfile
import Glibc

/// Reads a file by libsndfile: WAV, Ogg Vorbis, Opus, MP3, AIFF and more.
final class SndfileReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder: ChannelOrder
    let frameCount: Int?
    let likelyFrameCount: Int?
    private(set) var position = 0
    var onProgress: () -> Void = {}

    private let path: String
    private let file: OpaquePointer
    /// The file's own descriptor; nil if libsndfile has opened it by its name.
    private let descriptor: Int32?
    private let seeking: SeekBehaviour
    /// Whether the file is damaged if it contains fewer frames than its header says: the counts of lossless containers
    /// are exact.
    private let countIsBinding: Bool

    private init(path: String, file: OpaquePointer, descriptor: Int32?, info: SF_INFO) {
        self.path = path
        self.file = file
        self.descriptor = descriptor
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

    /// Reads a file's header.
    /// - Parameter descriptor: the reader closes it, also if this fails.
    static func open(_ track: Track, _ descriptor: Int32, bytes: Int) throws(DecoderError) -> SndfileReader {
        let path = track.path
        var info = SF_INFO()
        var own: Int32? = descriptor
        var opened = DecoderMessages.dropped { sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) }
        if opened == nil, sf_error(nil) == SF_ERR_UNRECOGNISED_FORMAT, pathExtension(path) == "mp3" {
            // An MP3 can start with anything. libsndfile then relies on the name, which a descriptor does not have.
            info = SF_INFO()
            if let content = track.content {
                own = try content.openFrames(for: track)
                if let own {
                    opened = DecoderMessages.dropped { sf_open_fd(own, Int32(SFM_READ), &info, Int32(SF_TRUE)) }
                }
            } else {
                own = nil
                opened = DecoderMessages.dropped { track.withPath { sf_open($0, Int32(SFM_READ), &info) } }
            }
        }
        guard let file = opened else { throw openingError(path, bytes: bytes) }
        return SndfileReader(path: path, file: file, descriptor: own, info: info)
    }

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

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        let count = Int(DecoderMessages.dropped { sf_readf_float(file, samples, Int64(frames)) })
        position += count
        guard count == 0, frames > 0 else { return count }
        if sf_error(file) != SF_ERR_NO_ERROR {
            throw DecoderError(
                .damaged, "decode", path, message: "\(String(cString: sf_strerror(file))) (at frame \(position))")
        }
        // libsndfile reports no error for a truncated stream.
        if countIsBinding, let frameCount, position < frameCount {
            throw DecoderError(
                .damaged, "decode", path,
                message: "the stream ends at frame \(position) of \(frameCount)")
        }
        if hasFurtherAudio {
            throw DecoderError(
                .unsupported, "play", path,
                message: "more audio follows after frame \(position), where its first stream ends",
                advice: "make it one stream with one rate and number of channels, and its length in the header")
        }
        return 0
    }

    /// Whether the file contains audio that libsndfile does not read, and about which it is silent.
    private var hasFurtherAudio: Bool {
        guard let descriptor, case let offset = Int(lseek(descriptor, 0, SEEK_CUR)), offset > 0 else { return false }
        return switch seeking {
        case .mpeg: FurtherAudio.hasMPEGFrames(DescriptorBytes(descriptor: descriptor), after: offset)
        case .ogg: FurtherAudio.hasOggStream(DescriptorBytes(descriptor: descriptor), near: offset)
        case .direct, .sequential: false
        }
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        // Do not seek beyond the end of an MP3: that would decode the whole file.
        guard let nearby = seeking.entry(for: min(frame, likelyFrameCount ?? frame), of: frameCount) else {
            return try decode(upTo: frame)
        }
        // Seek from the start: libsndfile's Ogg seeks go wrong if the target is near the current position.
        if seeking == .ogg, seek(0) != 0 { return try decode(upTo: frame) }
        guard seek(nearby) == nearby else { return try decode(upTo: frame) }
        position = nearby
        return try skip(upTo: frame)
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

    var tags: TrackTags {
        var tags = TrackTags()
        tags.title = text(SF_STR_TITLE)
        tags.artist = text(SF_STR_ARTIST)
        tags.album = text(SF_STR_ALBUM)
        tags.genre = text(SF_STR_GENRE)
        tags.comment = text(SF_STR_COMMENT)
        tags.trackNumber = text(SF_STR_TRACKNUMBER).flatMap(TrackTags.number)
        return tags
    }

    /// Replaces invalid UTF-8, because tags are not always in the encoding they claim.
    private func text(_ kind: Int) -> String? {
        guard let text = sf_get_string(file, Int32(kind)).map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        return text
    }
}
