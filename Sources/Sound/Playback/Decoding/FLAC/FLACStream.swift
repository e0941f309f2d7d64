import ALSA
import CFLAC
import Files
import Glibc

/// A libFLAC decoder with an open file, and the frames that it has delivered. libFLAC calls its callbacks only while
/// one of its functions is running.
final class FLACStream {
    let input: FileInput
    var sequence: FLACSequence
    private(set) var tags = TrackTags()
    private var frames = FLACFrames()
    /// The offset of the part of the file that follows the last block that is played.
    private(set) var reached = 0
    /// The number up to which frames after gaps have been decoded again. It prevents a frame from being decoded three
    /// times.
    private var repeated = -1
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>

    /// Reads a file's header.
    init(_ path: String, _ input: FileInput, isOgg: Bool) throws(DecoderError) {
        guard let decoder = FLAC__stream_decoder_new() else {
            throw DecoderError(.cannotOpen, "open", path, message: String(errno: ENOMEM))
        }
        (self.decoder, self.input, sequence) = (decoder, input, FLACSequence(size: input.bytes))
        // A search that finds nothing could read the same bytes forever.
        input.mostEffort = min(input.mostEffort, 2 * input.bytes + Self.leastEffort)
        input.patch = FLACOutline.patch(input.source, at: input.part.lowerBound)
        FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
        let initialise = isOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
        let started = initialise(
            decoder, Self.read, Self.seek, Self.tell, Self.length, Self.isAtEnd, Self.write, Self.metadata, Self.error,
            Unmanaged.passUnretained(self).toOpaque())
        guard started == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw DecoderError(.notAudio, "open", path, message: "libFLAC rejects it (status \(started.rawValue))")
        }
        FLAC__stream_decoder_process_until_end_of_metadata(decoder)
        // A damaged header is not a reason to reject frames that are complete.
        sequence.fault.words = nil
        sequence.head.sound = offset ?? input.place
        sequence.head.isDamaged =
            isOgg && OggScan(input.source, at: input.part.lowerBound)?.beginsWithDamage(in: input.source) ?? false
        step()
    }

    deinit { FLAC__stream_decoder_delete(decoder) }

    // MARK: Reading

    /// Decodes frames if necessary, and returns up to `count` of them.
    /// - Returns: the number of frames, which is 0 at the end or where the format changes.
    func take(_ count: Int, into destination: UnsafeMutablePointer<Float>) -> Int {
        if frames.count == 0 { step() }
        return frames.take(count, channels: sequence.format?.channels ?? 0, into: destination)
    }

    /// Decodes until frames are available, the end is reached, or the format changes.
    private func step() {
        while frames.count == 0, sequence.end == nil {
            sequence.beginStep()
            let start = offset
            guard FLAC__stream_decoder_process_single(decoder) != 0, !hasEnded else { return }
            if sequence.hasFilledGap, frames.decoded > 0, sequence.number > repeated { repeatStep(from: start) }
            if sequence.hasJustMisplaced, let start, ChainedStreamScanner.hasFLAC(input.source, at: start, .stream) {
                sequence.end = .anotherStream
            }
            if frames.count > 0 { sequence.fault.words = nil }
        }
    }

    private var hasEnded: Bool {
        let state = FLAC__stream_decoder_get_state(decoder)
        return state == FLAC__STREAM_DECODER_END_OF_STREAM || state == FLAC__STREAM_DECODER_ABORTED
    }

    /// The offset at which the next frame begins. It is nil in an Ogg container, because libFLAC does not report
    /// offsets in it.
    var offset: Int? {
        var offset: FLAC__uint64 = 0
        return FLAC__stream_decoder_get_decode_position(decoder, &offset) != 0 ? Int(exactly: offset) : nil
    }

    /// Decodes the frame after a gap again, because libFLAC 1.4 fills not only the gap but also the frame after it with
    /// silence. After a flush, libFLAC does not detect the gap.
    ///
    /// The function avoids a search for the frame if possible, because the seek table for the search may also be
    /// damaged.
    private func repeatStep(from start: Int?) {
        let (number, silence, count) = (sequence.number, frames.silence, frames.decoded)
        frames.clear()
        repeated = number
        sequence.beginRepetition()
        var isRepeated: Bool { frames.decoded > 0 && sequence.number == number }
        if let start, input.seek(start, SEEK_SET) == start {
            FLAC__stream_decoder_flush(decoder)
            FLAC__stream_decoder_process_single(decoder)
        } else {
            let end = input.offset
            let isFound = FLAC__stream_decoder_seek_absolute(decoder, UInt64(number)) != 0
            if !isFound || !isRepeated {
                // The search may have left the input at any offset. If this is the offset of an earlier frame, decoding
                // would lead to the same gap forever.
                FLAC__stream_decoder_flush(decoder)
                _ = input.seek(end, SEEK_SET)
            }
        }
        sequence.endRepetition()
        if isRepeated {
            frames.silence = silence
        } else {
            // Leave the block silent, as libFLAC has delivered it.
            frames.clear(silence: silence + count)
            sequence.omit(number, count: count)
        }
    }

    /// The lower bound of the limit for the effort, in bytes. It is needed because a search in a small file reads the
    /// same few blocks repeatedly.
    private static let leastEffort = 4 << 20

    /// True if the last block is followed by a tag and not by a damaged block.
    var isFollowedByTag: Bool { MPEGTags.begin(input.source.bytes(at: reached, count: 32)[...]) }

    // MARK: Seeking

    /// Searches for a frame.
    /// - Returns: true if this frame is the next one.
    func seek(to frame: Int) -> Bool {
        FLAC__stream_decoder_seek_absolute(decoder, UInt64(frame)) != 0 && sequence.number == frame && frames.count > 0
    }

    /// Restarts at the beginning. Nothing else restores the decoder after a failed search.
    /// - Returns: false on failure.
    func restart() -> Bool {
        FLAC__stream_decoder_flush(decoder)
        guard FLAC__stream_decoder_reset(decoder) != 0,
            FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        else { return false }
        forget(next: sequence.origin)
        return true
    }

    /// Discards the delivered frames.
    func forget(next: Int? = nil) {
        frames.clear()
        sequence.move(to: next)
        input.rest()
        repeated = -1
    }

    // MARK: What libFLAC delivers

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACStream? {
        client.map { Unmanaged<FLACStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let write: FLAC__StreamDecoderWriteCallback = { _, frame, channels, client in
        guard let stream = of(client), let frame, let channels else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
        stream.deliver(frame.pointee.header, channels)
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    private func deliver(_ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>) {
        let block = FLACSequence.Block(
            format: StreamFormat(rate: Int(header.sample_rate), channels: Int(header.channels)),
            first: Int(header.number.sample_number), count: Int(header.blocksize),
            // In an Ogg container, libFLAC has read a few frames beyond this one.
            rest: offset ?? input.place)
        switch sequence.take(block, isSilent: Self.isSilent(header, channels), in: input.source) {
        case .play(let silence):
            input.rest()
            reached = block.rest
            frames.set(silence, header, channels)
        case .leaveOut(let all): if all { frames.clear() }
        }
    }

    private static func isSilent(
        _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) -> Bool {
        (0..<Int(header.channels)).allSatisfy { channel in
            guard let samples = channels[channel] else { return true }
            return (0..<Int(header.blocksize)).allSatisfy { samples[$0] == 0 }
        }
    }

    private static let metadata: FLAC__StreamDecoderMetadataCallback = { _, metadata, client in
        guard let stream = of(client), let metadata else { return }
        switch metadata.pointee.type {
        case FLAC__METADATA_TYPE_STREAMINFO: stream.note(metadata.pointee.data.stream_info)
        case FLAC__METADATA_TYPE_VORBIS_COMMENT: stream.note(metadata.pointee.data.vorbis_comment)
        default: break
        }
    }

    private func note(_ info: FLAC__StreamMetadata_StreamInfo) {
        sequence.head.info = FLACSequence.Info(
            format: StreamFormat(rate: Int(info.sample_rate), channels: Int(info.channels)),
            total: Int(clamping: info.total_samples),
            numbered: info.min_blocksize == info.max_blocksize ? Int(info.min_blocksize) : 1)
    }

    /// Stores the tags. The first value of each tag is used.
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

    private static let error: FLAC__StreamDecoderErrorCallback = { _, status, client in
        guard let stream = of(client) else { return }
        if status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH { stream.sequence.fault.isDelivered = true }
        guard stream.sequence.fault.words == nil else { return }
        stream.sequence.fault.words =
            switch status {
            case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a frame's header is damaged"
            case FLAC__STREAM_DECODER_ERROR_STATUS_UNPARSEABLE_STREAM: "a frame uses a reserved feature of FLAC"
            default: "a frame is damaged"
            }
    }

    // MARK: How libFLAC reads the file

    private static let read: FLAC__StreamDecoderReadCallback = { _, buffer, bytes, client in
        guard let input = of(client)?.input, let buffer, let bytes else {
            return FLAC__STREAM_DECODER_READ_STATUS_ABORT
        }
        let count = input.read(into: buffer, count: bytes.pointee)
        bytes.pointee = max(0, count)
        return count < 0
            ? FLAC__STREAM_DECODER_READ_STATUS_ABORT
            : count == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
    }

    private static let seek: FLAC__StreamDecoderSeekCallback = { _, offset, client in
        guard let input = of(client)?.input, let offset = Int(exactly: offset), input.seek(offset, SEEK_SET) >= 0 else {
            return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
        }
        return FLAC__STREAM_DECODER_SEEK_STATUS_OK
    }

    private static let tell: FLAC__StreamDecoderTellCallback = { _, offset, client in
        guard let input = of(client)?.input, let offset else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
        offset.pointee = FLAC__uint64(input.offset)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
    }

    private static let length: FLAC__StreamDecoderLengthCallback = { _, length, client in
        guard let input = of(client)?.input, let length else { return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR }
        length.pointee = FLAC__uint64(input.part.count)
        return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
    }

    private static let isAtEnd: FLAC__StreamDecoderEofCallback = { _, client in
        guard let input = of(client)?.input else { return 1 }
        return input.place >= input.part.upperBound ? 1 : 0
    }
}

/// The frames that libFLAC has delivered and that have not been taken. They are silence, followed by the frames of a
/// block.
private struct FLACFrames {
    var silence = 0
    private(set) var decoded = 0
    private var samples: [Float] = []
    private var start = 0

    var count: Int { silence + decoded }

    mutating func clear(silence: Int = 0) { (self.silence, decoded) = (silence, 0) }

    mutating func set(
        _ silence: Int, _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) {
        let count = Int(header.channels)
        (self.silence, start, decoded) = (silence, 0, Int(header.blocksize))
        if samples.count < decoded * count { samples = [Float](repeating: 0, count: decoded * count) }
        // The scale is exact because it is a power of two.
        let scale = 1 / Float(UInt64(1) << UInt64(header.bits_per_sample - 1))
        samples.withUnsafeMutableBufferPointer { samples in
            for channel in 0..<count {
                guard let source = channels[channel] else { continue }
                for frame in 0..<decoded { samples[frame * count + channel] = Float(source[frame]) * scale }
            }
        }
    }

    mutating func take(_ frames: Int, channels: Int, into destination: UnsafeMutablePointer<Float>) -> Int {
        if silence > 0 {
            let count = min(frames, silence)
            destination.update(repeating: 0, count: count * channels)
            silence -= count
            return count
        }
        let count = min(frames, decoded)
        samples.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            destination.update(from: source + start * channels, count: count * channels)
        }
        start += count
        decoded -= count
        return count
    }
}
