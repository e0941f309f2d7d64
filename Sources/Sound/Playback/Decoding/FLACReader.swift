import ALSA
import CFLAC
import Glibc

/// Reads a FLAC file by libFLAC: 4 to 32 bits, also one that begins at a frame instead of a header. (FLAC in an Ogg
/// container is read by libsndfile.)
///
/// A frame's header has its own rate, channels and position. Where they are not those of the file, or a frame is
/// damaged, reading ends with an error: nothing is played at a wrong speed or from a wrong place.
final class FLACReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder = ChannelOrder.wave
    let frameCount: Int?
    var likelyFrameCount: Int? { frameCount }
    let tags: TrackTags
    private(set) var position = 0
    var onProgress: () -> Void = {}

    private let path: String
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let stream: FLACStream
    /// The number that the first frame's header gives its first sample: not 0 in a part of a longer recording.
    private let firstNumber: Int

    /// Whether libFLAC reads this file: it begins as a FLAC file, perhaps after an ID3 tag; or its name says so, and it
    /// begins with a FLAC frame.
    static func recognises(_ descriptor: Int32, _ pathExtension: String) -> Bool {
        let start = bytes(of: descriptor, at: 0, count: 10)
        if start.starts(with: "fLaC".utf8) { return true }
        if start.count == 10, start.starts(with: "ID3".utf8) {
            // Seven bits in each byte.
            let length = start[6...].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
            return bytes(of: descriptor, at: 10 + length, count: 4).elementsEqual("fLaC".utf8)
        }
        return pathExtension == "flac" && start.count > 2 && start[0] == 0xff && start[1] & 0xfe == 0xf8
    }

    private static func bytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = pread(descriptor, &bytes, count, offset)
        return Array(bytes.prefix(max(0, got)))
    }

    /// Reads a file's header and its first frame.
    /// - Parameter descriptor: the reader closes it, also if this fails.
    static func open(_ path: String, _ descriptor: Int32) throws(DecoderError) -> FLACReader {
        guard let file = fdopen(descriptor, "r") else {
            let code = errno
            close(descriptor)
            throw DecoderError(.cannotOpen, "open", path, message: systemWords(code))
        }
        guard let decoder = FLAC__stream_decoder_new() else {
            fclose(file)
            throw DecoderError(.cannotOpen, "open", path, message: systemWords(ENOMEM))
        }
        let stream = FLACStream()
        FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
        let started = FLAC__stream_decoder_init_FILE(
            decoder, file, FLACStream.write, FLACStream.metadata, FLACStream.error,
            Unmanaged.passUnretained(stream).toOpaque())
        guard started == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            FLAC__stream_decoder_delete(decoder)
            fclose(file)
            throw DecoderError(.notAudio, "open", path, message: "libFLAC rejects it (status \(started.rawValue))")
        }
        FLAC__stream_decoder_process_until_end_of_metadata(decoder)
        // A damaged header is not a reason to reject frames that are whole.
        stream.complaint = nil
        step(decoder, stream)
        guard let format = stream.format else {
            let total = Int(FLAC__stream_decoder_get_total_samples(decoder))
            FLAC__stream_decoder_delete(decoder)
            throw noFrame(path, total, stream.complaint)
        }
        return FLACReader(path, decoder, stream, format)
    }

    /// - Parameter total: the number of frames by the header; 0 is unknown.
    private static func noFrame(_ path: String, _ total: Int, _ complaint: String?) -> DecoderError {
        if let complaint { return DecoderError(.damaged, "decode", path, message: "\(complaint) (at frame 0)") }
        return total > 0
            ? DecoderError(.damaged, "decode", path, message: "the stream ends at frame 0 of \(total)")
            : DecoderError(.noAudio, "play", path, message: "it holds no audio (0 frames)")
    }

    private init(
        _ path: String, _ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, _ stream: FLACStream,
        _ format: StreamFormat
    ) {
        self.path = path
        self.decoder = decoder
        self.stream = stream
        self.format = format
        // 0 is unknown.
        let total = Int(FLAC__stream_decoder_get_total_samples(decoder))
        frameCount = total > 0 ? total : nil
        tags = stream.tags
        firstNumber = stream.number
    }

    deinit {
        // Closes the file, too.
        FLAC__stream_decoder_delete(decoder)
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        var count = 0
        while count < frames, position < frameCount ?? .max {
            if stream.remaining == 0, !advance() { break }
            let taken = stream.take(
                min(frames - count, (frameCount ?? .max) - position), into: samples + count * format.channels)
            count += taken
            position += taken
        }
        if count == 0, frames > 0 { try checkEnd() }
        return count
    }

    /// Decodes the next frame.
    /// - Returns: false at the end of the file, and where it is damaged.
    private func advance() -> Bool {
        guard stream.complaint == nil else { return false }
        Self.step(decoder, stream)
        guard stream.complaint == nil, stream.remaining > 0 else { return false }
        // Without the file's header, libFLAC does not know where a shorter frame begins.
        if stream.hasHeader, stream.number != firstNumber + position {
            stream.drop(because: "frames are missing")
            return false
        }
        return true
    }

    /// Decodes until there are samples, a complaint or the end.
    private static func step(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, _ stream: FLACStream) {
        while stream.remaining == 0, stream.complaint == nil {
            guard FLAC__stream_decoder_process_single(decoder) != 0,
                FLAC__stream_decoder_get_state(decoder) != FLAC__STREAM_DECODER_END_OF_STREAM
            else { return }
        }
    }

    private func checkEnd() throws(DecoderError) {
        if let change = stream.change {
            throw DecoderError(
                .unsupported, "play", path,
                message: "its format changes from \(format) to \(change) at frame \(position)",
                advice: "convert it to one rate and number of channels")
        }
        guard position < frameCount ?? .max else { return }
        // Otherwise the storage has failed, or a frame is damaged; the last frame of a truncated file is damaged, too.
        let isOver = FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM
        if frameCount == nil, stream.complaint == nil, isOver { return }
        let place = frameCount.map { "at frame \(position) of \($0)" } ?? "at frame \(position)"
        let complaint = isOver ? nil : stream.complaint
        throw DecoderError(
            .damaged, "decode", path, message: complaint.map { "\($0) (\(place))" } ?? "the stream ends \(place)")
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        stream.clear()
        if let frameCount, frame >= frameCount {
            position = frameCount
            return position
        }
        if firstNumber == 0, FLAC__stream_decoder_seek_absolute(decoder, UInt64(frame)) != 0, stream.complaint == nil,
            stream.number == frame, stream.remaining > 0
        {
            position = frame
            return frame
        }
        // From the start. A failed search leaves the decoder in a state that only this ends.
        FLAC__stream_decoder_flush(decoder)
        guard FLAC__stream_decoder_reset(decoder) != 0,
            FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        else {
            throw DecoderError(.damaged, "seek to the start of", path, message: "libFLAC cannot begin again")
        }
        stream.clear()
        position = 0
        return try skip(upTo: frame)
    }
}

/// What libFLAC's callbacks have delivered. The decoder calls them only while it is called.
private final class FLACStream {
    /// Of the first frame; nil before it.
    private(set) var format: StreamFormat?
    /// That of a later frame, if it differs.
    private(set) var change: StreamFormat?
    private(set) var tags = TrackTags()
    /// Whether the file has STREAMINFO.
    private(set) var hasHeader = false
    /// Why the stream cannot be decoded any further.
    var complaint: String?
    /// The number of the delivered block's first sample, by its header.
    private(set) var number = 0
    /// The number of frames that `take` has not taken.
    private(set) var remaining = 0

    private var samples: [Float] = []
    private var start = 0

    /// - Parameter frames: at most `remaining`.
    func take(_ frames: Int, into destination: UnsafeMutablePointer<Float>) -> Int {
        let (count, channels) = (min(frames, remaining), format?.channels ?? 0)
        samples.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            destination.update(from: source + start * channels, count: count * channels)
        }
        start += count
        remaining -= count
        return count
    }

    /// Forgets what was delivered.
    func clear() { (remaining, start, complaint, change) = (0, 0, nil, nil) }

    func drop(because complaint: String) {
        clear()
        self.complaint = complaint
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACStream? {
        client.map { Unmanaged<FLACStream>.fromOpaque($0).takeUnretainedValue() }
    }

    static let write: FLAC__StreamDecoderWriteCallback = { _, frame, channels, client in
        guard let stream = of(client), let frame, let channels else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
        stream.deliver(frame.pointee.header, channels)
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    private func deliver(_ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>) {
        // After damage, the next frames would be heard too early.
        guard complaint == nil else { return }
        let own = StreamFormat(rate: Int(header.sample_rate), channels: Int(header.channels))
        if let format, format != own {
            change = own
            complaint = "its format changes to \(own)"
            return
        }
        format = own
        number = Int(header.number.sample_number)
        (start, remaining) = (0, Int(header.blocksize))
        let count = remaining * own.channels
        if samples.count < count { samples = [Float](repeating: 0, count: count) }
        // Exact: a power of two.
        let scale = 1 / Float(UInt64(1) << UInt64(header.bits_per_sample - 1))
        samples.withUnsafeMutableBufferPointer { samples in
            for channel in 0..<own.channels {
                guard let source = channels[channel] else { continue }
                for frame in 0..<Int(header.blocksize) {
                    samples[frame * own.channels + channel] = Float(source[frame]) * scale
                }
            }
        }
    }

    static let metadata: FLAC__StreamDecoderMetadataCallback = { _, metadata, client in
        guard let stream = of(client), let metadata else { return }
        switch metadata.pointee.type {
        case FLAC__METADATA_TYPE_STREAMINFO: stream.hasHeader = true
        case FLAC__METADATA_TYPE_VORBIS_COMMENT: stream.note(metadata.pointee.data.vorbis_comment)
        default: break
        }
    }

    /// The first value of each tag counts.
    private func note(_ comments: FLAC__StreamMetadata_VorbisComment) {
        for index in 0..<Int(comments.num_comments) {
            let comment = comments.comments[index]
            // Invalid UTF-8 is replaced.
            let text = String(
                decoding: UnsafeBufferPointer(start: comment.entry, count: Int(comment.length)), as: UTF8.self)
            guard let separator = text.firstIndex(of: "="), separator < text.index(before: text.endIndex) else {
                continue
            }
            let value = String(text[text.index(after: separator)...])
            switch text[..<separator].lowercased() {
            case "title" where tags.title == nil: tags.title = value
            case "artist": tags.add(artist: value)
            case "album" where tags.album == nil: tags.album = value
            case "genre" where tags.genre == nil: tags.genre = value
            case "comment" where tags.comment == nil: tags.comment = value
            case "tracknumber" where tags.trackNumber == nil: tags.trackNumber = TrackTags.number(value)
            default: break
            }
        }
    }

    static let error: FLAC__StreamDecoderErrorCallback = { _, status, client in
        guard let stream = of(client), stream.complaint == nil else { return }
        stream.complaint =
            switch status {
            case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a frame's header is damaged"
            case FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH: "a frame is damaged"
            case FLAC__STREAM_DECODER_ERROR_STATUS_UNPARSEABLE_STREAM: "a frame uses a reserved feature of FLAC"
            default: "it is damaged: no FLAC frame begins here"
            }
    }
}
