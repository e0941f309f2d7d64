import ALSA
import CMpg123
import Files
import Glibc

/// Reads MPEG audio (MP3, and Layers I and II) with libmpg123. It reads to the end of the file, even if the header
/// specifies another length.
///
/// The encoder's silence at the start is omitted. The silence at the end is also omitted if the file has exactly as
/// many frames as its header specifies. Bytes that are not frames are treated as a gap. Silence of about the same
/// length replaces them. Frames of another rate are also treated as a gap, unless several follow each other. In that
/// case, the track ends before them, unless it continues at its own rate after them, in which case silence replaces
/// them. If the number of channels changes, the rest is mixed to the original number.
final class MPEGReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder = ChannelOrder.wave
    var frameCount: Int? { nil }
    /// The likely number of frames, which is exact once the file has been read to its end.
    private(set) var likelyFrameCount: Int?
    let tags: TrackTags
    private(set) var position = 0
    var onProgress: () -> Void {
        get { input.onProgress }
        set { input.onProgress = newValue }
    }

    private let path: String
    private let input: FileInput
    private let handle: OpaquePointer
    private let outline: MPEGOutline
    private var sequence: MPEGSequence
    private var gap: DecoderError?
    private var phase = Phase.decoding
    private var buffer: MPEGBuffer
    /// The number of frames of silence that come before `held`.
    private var silence = 0
    /// The frames that libmpg123 has decoded and that follow the silence.
    private var held: (audio: UnsafeMutablePointer<UInt8>?, frames: Int)?

    private enum Phase {
        case decoding
        /// The reader is at the end of the file or, if there is an error, has stopped before it.
        case ended(DecoderError?)
    }

    private var silenceAtStart: Int { outline.info?.silenceAtStart ?? 0 }
    private var silenceAtEnd: Int { outline.info?.silenceAtEnd ?? 0 }

    /// The number of frames before the target of a seek that are also decoded, because a frame uses bits from earlier
    /// frames.
    private static let preroll = 30
    /// The maximum number of bytes that are skipped to find the next frame.
    private static let longestGap = 64 << 20

    private init(
        _ path: String, _ input: FileInput, _ handle: OpaquePointer, _ outline: MPEGOutline, _ format: StreamFormat
    ) {
        self.path = path
        self.input = input
        self.handle = handle
        self.outline = outline
        self.format = format
        sequence = MPEGSequence(outline, size: input.bytes)
        let silence = outline.info?.silenceAtStart ?? 0
        buffer = MPEGBuffer(channels: format.channels, dropping: silence)
        tags = ID3Texts.read(input.source, size: input.bytes)
        let frames = outline.likelyFrames.map { $0 * outline.header.samples - silence }
        likelyFrameCount = frames.map { [outline] in max(0, $0 - (outline.info?.silenceAtEnd ?? 0)) }
    }

    deinit {
        DecoderMessages.dropped {
            mpg123_close(handle)
            mpg123_delete(handle)
        }
    }

    /// Reads a file's first frames.
    static func open(_ path: String, _ input: FileInput, _ outline: MPEGOutline) throws(DecoderError) -> MPEGReader {
        guard let handle = mpg123_new(nil, nil) else {
            throw DecoderError(.cannotOpen, "open", path, message: String(errno: ENOMEM))
        }
        input.begin(at: outline.start)
        let format = StreamFormat(rate: outline.header.rate, channels: outline.header.channels)
        let reader = MPEGReader(path, input, handle, outline, format)
        // Configure libmpg123 to ignore the first frame and the tag at the start.
        let flags = [MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_SKIP_ID3V2, MPG123_IGNORE_INFOFRAME]
        let all = flags.reduce(UInt32(0)) { $0 | UInt32($1.rawValue) } | UInt32(MPG123_IGNORE_STREAMLENGTH.rawValue)
        reader.set(MPG123_FLAGS, Int(all))
        reader.set(MPG123_RESYNC_LIMIT, longestGap)
        reader.set(MPG123_PREFRAMES, preroll)
        mpg123_format_none(handle)
        let channels = format.channels == 1 ? MPG123_MONO : MPG123_STEREO
        mpg123_format2(handle, 0, Int32(channels.rawValue), Int32(MPG123_ENC_FLOAT_32.rawValue))
        mpg123_replace_reader_handle(handle, readBytes, move, nil)
        guard mpg123_open_handle(handle, input.pointer) == MPG123_OK.rawValue else {
            throw input.readingError(path) ?? reader.error("open")
        }
        return reader
    }

    private func set(_ parameter: mpg123_parms, _ value: Int) {
        mpg123_param2(handle, Int32(parameter.rawValue), value, 0)
    }

    private func error(_ verb: String) -> DecoderError {
        DecoderError(
            .damaged, verb, path, message: "\(String(cString: mpg123_strerror(handle))) (at frame \(position))")
    }

    func takeGap() -> DecoderError? {
        defer { gap = nil }
        return input.takeGap(path, at: position, and: gap)
    }

    // MARK: Reading

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        var count = 0
        while count < frames {
            let ready = min(available, frames - count)
            if ready > 0 {
                buffer.take(ready, into: samples + count * format.channels)
                position += ready
                count += ready
            } else if isAtEnd {
                break
            } else {
                decodeNext()
            }
        }
        if count == 0, frames > 0, case .ended(let failure?) = phase { throw failure }
        return count
    }

    private var isAtEnd: Bool { if case .ended = phase { true } else { false } }
    private var available: Int { max(0, buffer.count - (isAtEnd ? 0 : silenceAtEnd)) }

    /// Decodes the next frame of MPEG or finds the end.
    private func decodeNext() {
        if silence > 0 {
            let frames = min(silence, outline.header.samples)
            silence -= frames
            return buffer.append([Float](repeating: 0, count: frames * format.channels), frames)
        }
        if let next = held {
            held = nil
            return buffer.append(UnsafeRawPointer(next.audio)?.assumingMemoryBound(to: Float.self), next.frames)
        }
        var (number, audio, bytes): (Int, UnsafeMutablePointer<UInt8>?, Int) = (0, nil, 0)
        let status = DecoderMessages.dropped { mpg123_decode_frame(handle, &number, &audio, &bytes) }
        if let failure = input.readingError(path) { return end(because: failure) }
        switch status {
        case MPG123_OK.rawValue:
            if noteFrame() { held = (audio, bytes / MemoryLayout<Float>.size / format.channels) }
        case MPG123_NEW_FORMAT.rawValue: noteRate()
        case MPG123_DONE.rawValue:
            if let words = sequence.gapAtEnd(length: buffer.end, in: input.source) {
                report(words, silence: 0)
                return end(because: nil)
            }
            end(because: cut)
        // libmpg123 also reports an error for an incomplete frame.
        default: end(because: cut ?? error("decode"))
        }
    }

    /// The error for a file that is cut short, or nil if the file is not cut short.
    private var cut: DecoderError? {
        let missing = sequence.bytesMissingAtEnd(length: buffer.end)
        return missing > 0 ? .cut(path, "\(missing) bytes of it are missing", at: position + buffer.count) : nil
    }

    private func report(_ words: String, silence: Int) {
        gap.note(.gap(path, words, at: buffer.end - silenceAtStart, silence: silence))
    }

    private func end(because failure: DecoderError?) {
        phase = .ended(failure)
        guard isWhole(buffer.end) else { return }
        // The encoder's silence is not delivered, and a seek into it leads to the end of the music.
        position -= max(0, silenceAtEnd - buffer.count)
        buffer.removeLast(silenceAtEnd)
    }

    /// Returns true if the file's first frame announced a stream of this length, which includes the encoder's silence.
    private func isWhole(_ length: Int) -> Bool { outline.info?.frames == length / outline.header.samples }

    /// Records the rate of the frame that libmpg123 has read, and ends the track where the rate changes.
    private func noteRate() {
        let change = change
        if sequence.noteRate(isForeign: change != nil, at: mpg123_framepos(handle), in: input.source) {
            end(because: change)
        }
    }

    /// The error for a change in the rate, or nil if the rate has not changed.
    private var change: DecoderError? {
        var (rate, channels, encoding): (Int, Int32, Int32) = (0, 0, 0)
        mpg123_getformat2(handle, &rate, &channels, &encoding, 0)
        let next = StreamFormat(rate: rate, channels: Int(channels))
        guard next != format else { return nil }
        let end = position + buffer.count - (isWhole(buffer.end) ? silenceAtEnd : 0)
        return DecoderError(
            .unsupported, "play", path,
            message: "its format changes from \(format) to \(next) after frame \(end)",
            advice: "make it one stream with one rate")
    }

    /// Records the frame that libmpg123 has read.
    /// - Returns: true if the frame is part of the sound.
    private func noteFrame() -> Bool {
        guard let range = frame else { return true }
        if sequence.isForeign { noteRate() }
        guard case .play(let missing, let words) = sequence.take(range, in: input.source) else { return false }
        if let words { report(words, silence: missing) }
        silence += missing
        return true
    }

    /// The bytes of the frame that libmpg123 has read, counted from the start of the first frame.
    private var frame: Range<Int>? {
        var info = mpg123_frameinfo2()
        let place = mpg123_framepos(handle)
        guard mpg123_info2(handle, &info) == MPG123_OK.rawValue, place >= 0, info.framesize > 0 else { return nil }
        return place..<place + Int(info.framesize)
    }

    // MARK: Seeking

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        // A file cannot contain more frames of sound than this, so the limit prevents an overflow.
        let target = min(frame, (input.bytes + 1) * outline.header.samples) + silenceAtStart
        findGaps(before: target)
        let place = sequence.gaps.place(of: target)
        let reached = DecoderMessages.dropped { mpg123_seek(handle, place.found, SEEK_SET) }
        if let failure = input.readingError(path) { throw failure }
        guard reached == place.found else { throw error("seek in") }
        begin(at: target)
        silence = place.silence
        while available == 0, !isAtEnd { decodeNext() }
        if case .ended(let failure?) = phase {
            if input.failure != nil { throw failure }
        } else if available == 0, buffer.end == target {
            position = min(position, try measure())
        }
        return position
    }

    private func begin(at frame: Int) {
        buffer = MPEGBuffer(channels: format.channels, end: frame)
        (held, silence, phase, position) = (nil, 0, .decoding, frame - silenceAtStart)
        sequence.move()
    }

    /// Reads the file up to a frame if it has not been read that far, because the position of the frame depends on the
    /// number of frames that are missing before it.
    private func findGaps(before frame: Int) {
        guard sequence.gaps.length <= frame else { return }
        let earlier = gap
        begin(at: 0)
        DecoderMessages.dropped {
            let gaps = sequence.gaps
            // Seek only if frames have been found before, because a seek reads the first frame, and `readNext` would
            // then miss it.
            if gaps.frames > 0 { mpg123_seek(handle, gaps.last * gaps.samples, SEEK_SET) }
            while sequence.gaps.length <= frame, !isAtEnd, readNext() {}
        }
        begin(at: 0)
        gap = earlier
    }

    /// Reads a frame of MPEG without decoding it.
    /// - Returns: false at the end.
    private func readNext() -> Bool {
        let status = mpg123_framebyframe_next(handle)
        guard status == MPG123_OK.rawValue || status == MPG123_NEW_FORMAT.rawValue else { return false }
        if status == MPG123_NEW_FORMAT.rawValue { noteRate() }
        _ = noteFrame()
        return true
    }

    /// Returns the number of frames of the file by reading all of it.
    private func measure() throws(DecoderError) -> Int {
        findGaps(before: .max)
        if let failure = input.readingError(path) { throw failure }
        phase = .ended(nil)
        let length = sequence.gaps.length
        let count = max(0, length - silenceAtStart - (isWhole(length) ? silenceAtEnd : 0))
        likelyFrameCount = count
        return count
    }

    // MARK: What libmpg123 calls

    private static let readBytes: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Int = {
        input, bytes, count in
        guard let input = FileInput.of(input), let bytes else { return -1 }
        return input.read(into: bytes, count: count)
    }

    private static let move: @convention(c) (UnsafeMutableRawPointer?, Int, Int32) -> Int = { input, distance, whence in
        FileInput.of(input)?.seek(distance, whence) ?? -1
    }
}

/// The decoded frames that have not been taken. The last ones may turn out to be the encoder's silence.
private struct MPEGBuffer {
    private var samples: [Float] = []
    private let channels: Int
    private var taken = 0
    /// The number of decoded frames of the stream up to its end, including the encoder's silence.
    private(set) var end: Int
    /// The number of frames to drop first.
    private var dropping: Int

    init(channels: Int, end: Int = 0, dropping: Int = 0) {
        (self.channels, self.end, self.dropping) = (channels, end, dropping)
    }

    var count: Int { samples.count / channels - taken }

    mutating func append(_ audio: UnsafePointer<Float>?, _ frames: Int) {
        end += frames
        let dropped = min(dropping, frames)
        dropping -= dropped
        guard let audio, frames > dropped else { return }
        samples.removeFirst(taken * channels)
        taken = 0
        samples.append(
            contentsOf: UnsafeBufferPointer(start: audio + dropped * channels, count: (frames - dropped) * channels))
    }

    mutating func take(_ frames: Int, into destination: UnsafeMutablePointer<Float>) {
        samples.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            destination.update(from: source + taken * channels, count: frames * channels)
        }
        taken += frames
    }

    /// Removes up to this many frames at the end.
    mutating func removeLast(_ frames: Int) { samples.removeLast(min(frames, count) * channels) }
}
