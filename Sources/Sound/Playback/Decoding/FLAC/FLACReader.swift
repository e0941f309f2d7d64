import ALSA
import CFLAC
import Glibc

/// Reads a FLAC file by libFLAC: 4 to 32 bits, also one that begins at a frame instead of a header, and FLAC in an Ogg
/// container.
///
/// A frame's header has its own rate, channels and position. Where the first two are not those of the file, reading ends
/// with an error, so that nothing is played at a wrong speed. A damaged frame is a gap: silence of its length, so that the
/// rest is played in its place.
final class FLACReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder: ChannelOrder
    let frameCount: Int?
    var likelyFrameCount: Int? { frameCount }
    let tags: TrackTags
    private(set) var position = 0
    var onProgress: () -> Void {
        get { stream.input.onProgress }
        set { stream.input.onProgress = newValue }
    }

    private let path: String
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let stream: FLACStream
    private let isOgg: Bool
    /// The number that the first frame's header gives its first sample: not 0 in a part of a longer recording.
    private let firstNumber: Int

    /// Reads a file's header and its first frame.
    static func open(_ path: String, _ input: FileInput, isOgg: Bool) throws(DecoderError) -> FLACReader {
        guard let decoder = FLAC__stream_decoder_new() else {
            throw DecoderError(.cannotOpen, "open", path, message: systemWords(ENOMEM))
        }
        input.patch = FLACOutline.patch(input.source)
        let stream = FLACStream(input)
        FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
        let initialise = isOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
        let started = initialise(
            decoder, FLACStream.read, FLACStream.seek, FLACStream.tell, FLACStream.length, FLACStream.isAtEnd,
            FLACStream.write, FLACStream.metadata, FLACStream.error, Unmanaged.passUnretained(stream).toOpaque())
        guard started == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            FLAC__stream_decoder_delete(decoder)
            throw DecoderError(.notAudio, "open", path, message: "libFLAC rejects it (status \(started.rawValue))")
        }
        FLAC__stream_decoder_process_until_end_of_metadata(decoder)
        // A damaged header is not a reason to reject frames that are whole.
        stream.complaint = nil
        stream.beginSound(
            at: offset(of: decoder) ?? input.offset,
            isDamaged: isOgg && OggScan(input.source, at: input.start)?.beginsWithDamage(in: input.source) ?? false)
        step(decoder, stream)
        guard let format = stream.format else {
            let total = Int(FLAC__stream_decoder_get_total_samples(decoder))
            FLAC__stream_decoder_delete(decoder)
            throw input.readingError(path) ?? noFrame(path, total, stream.complaint)
        }
        return FLACReader(path, decoder, stream, format, isOgg: isOgg)
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
        _ format: StreamFormat, isOgg: Bool
    ) {
        self.path = path
        self.decoder = decoder
        self.stream = stream
        self.format = format
        self.isOgg = isOgg
        // 0 is unknown.
        let total = Int(FLAC__stream_decoder_get_total_samples(decoder))
        frameCount = total > 0 ? total : nil
        tags = stream.tags
        channelOrder = stream.channelOrder ?? .wave
        firstNumber = stream.origin
        stream.end = frameCount.map { firstNumber + $0 }
    }

    deinit {
        FLAC__stream_decoder_delete(decoder)
    }

    func takeGap() -> DecoderError? {
        guard let gap = stream.gap else { return nil }
        stream.gap = nil
        let silence = gap.silence > 0 ? ": \(gap.silence) frames are silent" : ""
        return .gap(path, gap.words + silence, at: gap.number - firstNumber)
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        var count = 0
        while count < frames, position < frameCount ?? .max {
            if stream.remaining == 0 {
                Self.step(decoder, stream)
                if stream.remaining == 0 { break }
            }
            let taken = stream.take(
                min(frames - count, (frameCount ?? .max) - position), into: samples + count * format.channels)
            count += taken
            position += taken
        }
        if count == 0, frames > 0 { try checkEnd() }
        return count
    }

    /// Decodes until there are samples, the end, or another format.
    private static func step(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, _ stream: FLACStream) {
        while stream.remaining == 0, stream.change == nil, !stream.isFollowed {
            stream.beginStep()
            let start = offset(of: decoder)
            guard FLAC__stream_decoder_process_single(decoder) != 0, !hasEnded(decoder) else { return }
            if stream.needsRepetition { repeatStep(decoder, stream, from: start) }
            if stream.misplaced == 1, let start, FurtherAudio.hasFLAC(stream.input.source, at: start, .stream) {
                stream.isFollowed = true
            }
            if stream.remaining > 0 { stream.complaint = nil }
        }
    }

    private static func hasEnded(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>) -> Bool {
        let state = FLAC__stream_decoder_get_state(decoder)
        return state == FLAC__STREAM_DECODER_END_OF_STREAM || state == FLAC__STREAM_DECODER_ABORTED
    }

    /// Where the next frame begins; nil in an Ogg container, in which frames have no place of their own.
    fileprivate static func offset(of decoder: UnsafePointer<FLAC__StreamDecoder>) -> Int? {
        var offset: FLAC__uint64 = 0
        return FLAC__stream_decoder_get_decode_position(decoder, &offset) != 0 ? Int(exactly: offset) : nil
    }

    /// Decodes the frame after a gap again: libFLAC 1.4 fills the gap with silence, and the frame after it, too. After a
    /// flush, it does not know that there is a gap.
    ///
    /// It does not search for the frame where there is another way: the table that it would use can be damaged, too.
    private static func repeatStep(
        _ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, _ stream: FLACStream, from start: Int?
    ) {
        let repetition = stream.beginRepetition()
        if let start, stream.input.seek(start, SEEK_SET) == start {
            FLAC__stream_decoder_flush(decoder)
            FLAC__stream_decoder_process_single(decoder)
        } else {
            let end = stream.input.offset
            let isFound = FLAC__stream_decoder_seek_absolute(decoder, UInt64(repetition.number)) != 0
            if !isFound || !stream.hasRepeated(repetition) {
                // The search has left the input anywhere. From an earlier frame, it would lead to the same gap for ever.
                FLAC__stream_decoder_flush(decoder)
                _ = stream.input.seek(end, SEEK_SET)
            }
        }
        stream.endRepetition(repetition)
    }

    private func checkEnd() throws(DecoderError) {
        if let failure = stream.input.readingError(path) { throw failure }
        if stream.isTooLong {
            throw DecoderError(
                .damaged, "decode", path, message: "libFLAC does not find the frame that follows frame \(position)")
        }
        if let change = stream.change {
            throw DecoderError(
                .unsupported, "play", path,
                message: "its format changes from \(format) to \(change) at frame \(position)",
                advice: "convert it to one rate and number of channels")
        }
        if let frameCount, position < frameCount {
            throw DecoderError(
                .damaged, "decode", path, message: "the stream ends at frame \(position) of \(frameCount)")
        }
        if hasFurtherAudio { throw FurtherAudio.error(path, after: position) }
    }

    /// Whether another stream follows, of which libFLAC reads only the first, or frames beyond the header's number.
    private var hasFurtherAudio: Bool {
        let source = stream.input.source
        if isOgg { return FurtherAudio.hasOggStream(source, near: stream.input.offset) }
        if stream.misplaced > 0 { return true }
        guard let next = stream.next, let end = stream.end, next >= end, let offset = Self.offset(of: decoder) else {
            return false
        }
        return FurtherAudio.hasFLAC(source, at: offset, .streamOrFrame)
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        stream.clear()
        if let frameCount, frame >= frameCount {
            position = frameCount
            return position
        }
        if firstNumber == 0, FLAC__stream_decoder_seek_absolute(decoder, UInt64(frame)) != 0, stream.number == frame,
            stream.remaining > 0
        {
            position = frame
            return frame
        }
        if let failure = stream.input.readingError(path) { throw failure }
        // From the start. A failed search leaves the decoder in a state that only this ends.
        FLAC__stream_decoder_flush(decoder)
        guard FLAC__stream_decoder_reset(decoder) != 0,
            FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        else {
            throw DecoderError(.damaged, "seek to the start of", path, message: "libFLAC cannot begin again")
        }
        stream.clear()
        stream.next = firstNumber
        position = 0
        return try skip(upTo: frame)
    }
}

/// What libFLAC reads, and what its callbacks have delivered. The decoder calls them only while it is called.
private final class FLACStream {
    let input: FileInput
    /// Of the first frame; nil before it.
    private(set) var format: StreamFormat?
    /// That of STREAMINFO; nil without it.
    private var declared: StreamFormat?
    /// The number of samples of each numbered frame, or 1 if samples are numbered; nil if STREAMINFO is missing.
    private var numbered: Int?
    /// That of a later frame, if it differs.
    private(set) var change: StreamFormat?
    private(set) var tags = TrackTags()
    private(set) var channelOrder: ChannelOrder?
    /// Whether the file has STREAMINFO.
    private(set) var hasHeader = false
    /// The number of samples by STREAMINFO; 0 is unknown.
    private var total = 0
    /// Where the first frame with sound should be in the file, and whether that is known to be damaged.
    private var (soundStart, beginsWithDamage) = (0, false)
    /// What libFLAC last said about frames that it cannot decode.
    var complaint: String?
    /// The first frames that are missing since this was last taken, why, and how many frames are silent.
    var gap: (number: Int, words: String, silence: Int)?
    /// The number that the first frame of the file has or, if others stand in its place, should have.
    private(set) var origin = 0
    /// The number of the delivered block's first sample, by its header.
    private(set) var number = 0
    /// The number of the sample that should be delivered next; nil if it is not known.
    var next: Int?
    /// The number after the last sample; nil if it is not known.
    var end: Int?
    /// How many blocks have come since the last one in its place whose numbers are too low: at the end, another stream.
    private(set) var misplaced = 0
    /// True if frames of another file have been left out since the last block in its place.
    private var hasStrays = false
    /// The number up to which silent frames have been counted in gaps.
    private var counted = 0
    /// How many bytes have been searched to find strays.
    private var searched = 0
    /// Whether another stream begins here.
    var isFollowed = false
    /// The number of frames that `take` has not taken.
    var remaining: Int { silence + decoded }

    /// Frames that are missing before the decoded ones.
    private var silence = 0
    private var decoded = 0
    private var samples: [Float] = []
    private var start = 0
    private var blockSize = 0
    /// How many bytes libFLAC has read since the last block. A search that leads nowhere can read the same ones for ever.
    private var effort = 0
    /// The number up to which gaps have been repeated: no frame is decoded three times.
    private var repeated = -1
    /// Whether a frame with a wrong checksum may be delivered next, as silence: nothing in it is certain, not even its
    /// header.
    private var isDamaged = false
    /// The number of blocks that libFLAC has delivered since `beginStep`, and what `next` was then.
    private var step: (deliveries: Int, next: Int?) = (0, nil)

    /// In bytes, of all searches for frames after a stray: hostile files could have one after each other.
    private static let longestSearch = 256 << 20
    /// In frames. A longer gap would be a wrong number.
    private static let longestGap = 60 * 768_000

    init(_ input: FileInput) { self.input = input }

    /// - Parameter frames: at most `remaining`.
    func take(_ frames: Int, into destination: UnsafeMutablePointer<Float>) -> Int {
        let channels = format?.channels ?? 0
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

    /// Forgets what was delivered.
    func clear() {
        (silence, decoded, start, complaint, change, next, isDamaged) = (0, 0, 0, nil, nil, nil, false)
        (effort, repeated, misplaced, isFollowed, hasStrays, counted) = (0, -1, 0, false, false, 0)
        beginStep()
    }

    func beginStep() { step = (0, next) }

    /// Whether libFLAC has filled a gap, which it does not do without a fault.
    var needsRepetition: Bool { step.deliveries > 1 && hasHeader && decoded > 0 && number > repeated }

    /// A block that is decoded again.
    struct Repetition {
        let number: Int
        /// The number of frames that are missing before it.
        let silence: Int
        let count: Int
    }

    func beginRepetition() -> Repetition {
        let repetition = Repetition(number: number, silence: silence, count: decoded)
        (silence, decoded, start, isDamaged) = (0, 0, 0, false)
        (next, repeated) = (number, number)
        let before = step.next
        beginStep()
        step.next = before
        return repetition
    }

    func hasRepeated(_ repetition: Repetition) -> Bool { decoded > 0 && number == repetition.number }

    func endRepetition(_ repetition: Repetition) {
        (complaint, isDamaged) = (nil, false)
        if hasRepeated(repetition) {
            silence = repetition.silence
        } else {
            // As libFLAC has delivered it: the block is silent, too.
            (silence, decoded) = (repetition.silence + repetition.count, 0)
            next = repetition.number
            note("frames are missing", silence: repetition.count)
            next = repetition.number + repetition.count
        }
    }

    /// Whether libFLAC has read more than all of the file without finding a frame.
    var isTooLong: Bool { effort > 2 * input.bytes + Self.leastEffort }
    /// In bytes. A search reads a few blocks of a small file again and again.
    private static let leastEffort = 4 << 20

    fileprivate static func of(_ client: UnsafeMutableRawPointer?) -> FLACStream? {
        client.map { Unmanaged<FLACStream>.fromOpaque($0).takeUnretainedValue() }
    }

    static let write: FLAC__StreamDecoderWriteCallback = { decoder, frame, channels, client in
        guard let stream = of(client), let frame, let channels else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
        // In an Ogg container, libFLAC has read some frames beyond this one.
        stream.deliver(
            frame.pointee.header, channels, before: decoder.flatMap(FLACReader.offset) ?? stream.input.offset)
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    /// - Parameter rest: the offset of what follows it in the file.
    private func deliver(
        _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, before rest: Int
    ) {
        step.deliveries += 1
        if isDamaged {
            isDamaged = false
            if Self.isSilent(header, channels) { return }
        }
        guard change == nil else { return }
        // Of several blocks, the last one is from the file.
        if step.deliveries > 1 { next = step.next }
        let own = StreamFormat(rate: Int(header.sample_rate), channels: Int(header.channels))
        let (first, count) = (Int(header.number.sample_number), Int(header.blocksize))
        if isStray(own, first, count, before: rest) { return leaveOut() }
        if let format, format != own {
            change = own
            return
        }
        if format == nil { begin(at: first, count, before: rest) }
        format = own
        guard let missing = missing(before: first, count) else {
            if step.deliveries > 1 { (silence, decoded) = (0, 0) }
            if let next, first < next { misplaced += 1 } else { note(Self.misplacement) }
            return
        }
        note(missing)
        (misplaced, hasStrays) = (0, false)
        number = first
        next = first + count
        blockSize = max(blockSize, count)
        (silence, start, decoded, effort) = (missing, 0, count, 0)
        convert(header, own.channels, channels)
    }

    /// Takes note of where the first frame with sound should be.
    /// - Parameter isDamaged: whether pages of an Ogg container are missing there.
    func beginSound(at offset: Int, isDamaged: Bool) { (soundStart, beginsWithDamage) = (offset, isDamaged) }

    private func begin(at first: Int, _ count: Int, before rest: Int) {
        if next == nil, isStartMissing(before: first, count, bytes: rest - soundStart) { next = 0 }
        origin = next ?? first
    }

    /// Whether damage is the reason why the first frame is not number 0. A part of a longer recording begins at another
    /// one, too: there, far more frames are missing than fit into the bytes before it, and no total counts them.
    private func isStartMissing(before first: Int, _ count: Int, bytes: Int) -> Bool {
        guard hasHeader, first > 0, count > 0, complaint != nil || beginsWithDamage else { return false }
        let isCounted = total > 0 && first <= total - count
        return first / count <= 1 + bytes / (isCounted ? Self.leastFrame : Self.usualFrame)
    }

    /// In bytes: a frame of digital silence, and a short one of sound.
    private static let leastFrame = 16
    private static let usualFrame = 1024

    private static let misplacement = "a frame is not in its place"

    private static func isSilent(
        _ header: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) -> Bool {
        (0..<Int(header.channels)).allSatisfy { channel in
            guard let samples = channels[channel] else { return true }
            return (0..<Int(header.blocksize)).allSatisfy { samples[$0] == 0 }
        }
    }

    /// The number of samples that are missing before a block.
    /// - Returns: nil if its number cannot be right.
    private func missing(before first: Int, _ count: Int) -> Int? {
        guard let next, first != next else { return 0 }
        // Without the file's header, libFLAC does not know where a shorter frame begins.
        if !hasHeader, count < blockSize { return 0 }
        guard first > next, first - next <= Self.longestGap, first + count <= end ?? .max else { return nil }
        return first - next
    }

    /// Takes note of what is wrong before a block in its place.
    private func note(_ missing: Int) {
        if misplaced > 0 || hasStrays { return note(Self.misplacement, silence: missing) }
        if missing > 0 { note(complaint ?? "frames are missing", silence: missing) }
    }

    private func note(_ complaint: String, silence: Int = 0) {
        gap = gap ?? (next ?? number, complaint, 0)
        // The gap before a block that is decoded again counts once.
        let end = (next ?? number) + silence
        gap?.silence += min(silence, max(0, end - counted))
        counted = max(counted, end)
    }

    /// Whether a frame is of another file, although it is whole: a file system that was not closed can show that file's
    /// blocks in the place of this one's. Frames that would be before it, or of the format that is expected, then follow.
    private func isStray(_ own: StreamFormat, _ first: Int, _ count: Int, before rest: Int) -> Bool {
        guard next != nil || format == nil, searched < Self.longestSearch else { return false }
        let (expected, start) = (format ?? declared ?? own, next ?? 0)
        let end = own == expected ? first : start + Self.longestGap
        // Without the file's header, libFLAC does not know where a shorter frame begins.
        guard end > start, hasHeader || own != expected || count >= blockSize else { return false }
        let unit = numbered ?? max(blockSize, count)
        searched += min(FLACSearch.reach, input.bytes)
        // One could be there by chance, and the first frame decides about all others.
        var found = format == nil ? -1 : 0
        return FLACSearch.first(in: input.source, from: rest) {
            if $0.fits(expected), (start..<end).contains($0.sample(unit)) { found += 1 }
            return found > 0
        } != nil
    }

    private func leaveOut() {
        if step.deliveries > 1 { (silence, decoded) = (0, 0) }
        hasStrays = true
        // The file begins with frames that are missing.
        if format == nil { next = 0 }
    }

    private func convert(
        _ header: FLAC__FrameHeader, _ count: Int, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) {
        if samples.count < decoded * count { samples = [Float](repeating: 0, count: decoded * count) }
        // Exact: a power of two.
        let scale = 1 / Float(UInt64(1) << UInt64(header.bits_per_sample - 1))
        samples.withUnsafeMutableBufferPointer { samples in
            for channel in 0..<count {
                guard let source = channels[channel] else { continue }
                for frame in 0..<decoded { samples[frame * count + channel] = Float(source[frame]) * scale }
            }
        }
    }

    static let metadata: FLAC__StreamDecoderMetadataCallback = { _, metadata, client in
        guard let stream = of(client), let metadata else { return }
        switch metadata.pointee.type {
        case FLAC__METADATA_TYPE_STREAMINFO: stream.note(metadata.pointee.data.stream_info)
        case FLAC__METADATA_TYPE_VORBIS_COMMENT: stream.note(metadata.pointee.data.vorbis_comment)
        default: break
        }
    }

    private func note(_ info: FLAC__StreamMetadata_StreamInfo) {
        hasHeader = true
        total = Int(clamping: info.total_samples)
        declared = StreamFormat(rate: Int(info.sample_rate), channels: Int(info.channels))
        numbered = info.min_blocksize == info.max_blocksize ? Int(info.min_blocksize) : 1
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
        guard let stream = of(client) else { return }
        if status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH { stream.isDamaged = true }
        guard stream.complaint == nil else { return }
        stream.complaint =
            switch status {
            case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a frame's header is damaged"
            case FLAC__STREAM_DECODER_ERROR_STATUS_UNPARSEABLE_STREAM: "a frame uses a reserved feature of FLAC"
            default: "a frame is damaged"
            }
    }
}

/// How libFLAC reads a file.
extension FLACStream {
    static let read: FLAC__StreamDecoderReadCallback = { _, buffer, bytes, client in
        guard let stream = of(client), !stream.isTooLong, let buffer, let bytes else {
            return FLAC__STREAM_DECODER_READ_STATUS_ABORT
        }
        let count = stream.input.read(into: buffer, count: bytes.pointee)
        stream.effort += max(0, count)
        bytes.pointee = max(0, count)
        return count < 0
            ? FLAC__STREAM_DECODER_READ_STATUS_ABORT
            : count == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
    }

    static let seek: FLAC__StreamDecoderSeekCallback = { _, offset, client in
        guard let input = of(client)?.input, let offset = Int(exactly: offset), input.seek(offset, SEEK_SET) >= 0 else {
            return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
        }
        return FLAC__STREAM_DECODER_SEEK_STATUS_OK
    }

    static let tell: FLAC__StreamDecoderTellCallback = { _, offset, client in
        guard let input = of(client)?.input, let offset else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
        offset.pointee = FLAC__uint64(input.offset)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
    }

    static let length: FLAC__StreamDecoderLengthCallback = { _, length, client in
        guard let input = of(client)?.input, let length else { return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR }
        length.pointee = FLAC__uint64(input.bytes)
        return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
    }

    static let isAtEnd: FLAC__StreamDecoderEofCallback = { _, client in
        guard let input = of(client)?.input else { return 1 }
        return input.offset >= input.bytes ? 1 : 0
    }
}
