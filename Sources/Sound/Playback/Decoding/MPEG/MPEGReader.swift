import ALSA
import CMpg123
import Glibc

/// Reads MPEG audio (MP3, and Layers I and II) by libmpg123, to the end of the file whatever its header says about its
/// length.
///
/// The encoder's silence at the start is left out, and so is that at the end if the file has exactly as many frames as
/// its header says. Bytes that are no frames are a gap: silence in the place of about as many frames. Frames of another
/// rate are such bytes unless several follow each other: the track ends there, or they are silent if it continues in its
/// own rate after them. Where the number of channels changes, the rest is mixed to the first number.
final class MPEGReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder = ChannelOrder.wave
    var frameCount: Int? { nil }
    /// Exact once the file has been read to its end.
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
    private var gap: DecoderError?

    /// Decoded frames, of which the last ones can turn out to be the encoder's silence.
    private var pending: [Float] = []
    private var taken = 0
    /// The number of decoded frames of the stream up to the end of `pending`, with the encoder's silence.
    private var decoded = 0
    /// Of these, how many are to be dropped first.
    private var dropped: Int
    private var isAtEnd = false
    /// Why the stream ends here; nil at the end of the file.
    private var failure: DecoderError?
    /// Whether the frames that libmpg123 delivers have another rate than the file.
    private var isForeign = false
    /// Where the file's own rate is known to continue after frames of another rate.
    private var resumption = 0
    /// The number of frames of another rate before it.
    private var strays = 0
    /// Where the next frame of MPEG begins, unless something lies between; nil after a seek.
    private var expected: Int?
    /// Silence that comes before `held`, in frames.
    private var silence = 0
    /// What libmpg123 has decoded after that silence.
    private var held: (audio: UnsafeMutablePointer<UInt8>?, frames: Int)?
    private var gaps: MPEGGaps

    private var silenceAtStart: Int { outline.info?.silenceAtStart ?? 0 }
    private var silenceAtEnd: Int { outline.info?.silenceAtEnd ?? 0 }

    /// Frames before a seek's target that are decoded, too: a frame uses bits from earlier ones.
    private static let preroll = 30
    /// How many bytes that are no frames are skipped to find the next one.
    private static let longestGap = 64 << 20
    /// How many bytes of frames of another rate are silent.
    private static let longestSplice = 1 << 20
    /// Fewer bytes between two frames are a fault of an encoder that is not heard.
    private static let shortestGap = 64

    private init(
        _ path: String, _ input: FileInput, _ handle: OpaquePointer, _ outline: MPEGOutline, _ format: StreamFormat
    ) {
        self.path = path
        self.input = input
        self.handle = handle
        self.outline = outline
        self.format = format
        gaps = MPEGGaps(samples: outline.header.samples)
        dropped = outline.info?.silenceAtStart ?? 0
        tags = ID3Texts.read(input.source, size: input.bytes)
        let silence = dropped + (outline.info?.silenceAtEnd ?? 0)
        likelyFrameCount = outline.likelyFrames.map { max(0, $0 * outline.header.samples - silence) }
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
            throw DecoderError(.cannotOpen, "open", path, message: systemWords(ENOMEM))
        }
        input.begin(at: outline.start)
        let format = StreamFormat(rate: outline.header.rate, channels: outline.header.channels)
        let reader = MPEGReader(path, input, handle, outline, format)
        // Of the first frame, and of the tag at the start, nothing is left to libmpg123.
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
        return gap
    }

    // MARK: Reading

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        var count = 0
        while count < frames {
            let ready = min(available, frames - count)
            if ready > 0 {
                take(ready, into: samples + count * format.channels)
                count += ready
            } else if isAtEnd {
                break
            } else {
                decodeNext()
            }
        }
        if count == 0, frames > 0, let failure { throw failure }
        return count
    }

    private var pendingFrames: Int { pending.count / format.channels - taken }
    private var available: Int { max(0, pendingFrames - (isAtEnd ? 0 : silenceAtEnd)) }

    private func take(_ frames: Int, into samples: UnsafeMutablePointer<Float>) {
        pending.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            samples.update(from: source + taken * format.channels, count: frames * format.channels)
        }
        taken += frames
        position += frames
    }

    /// Decodes the next frame of MPEG, or finds the end.
    private func decodeNext() {
        if silence > 0 { return appendSilence() }
        if let next = held {
            held = nil
            return append(next.audio, next.frames)
        }
        var (number, audio, bytes): (Int, UnsafeMutablePointer<UInt8>?, Int) = (0, nil, 0)
        let status = DecoderMessages.dropped { mpg123_decode_frame(handle, &number, &audio, &bytes) }
        if let failure = input.readingError(path) { return end(because: failure) }
        switch status {
        case MPG123_OK.rawValue:
            if noteFrame() { held = (audio, bytes / MemoryLayout<Float>.size / format.channels) }
        case MPG123_NEW_FORMAT.rawValue: endIfForeign()
        case MPG123_DONE.rawValue:
            noteEnd()
            end(because: nil)
        default: end(because: error("decode"))
        }
    }

    private func append(_ audio: UnsafeMutablePointer<UInt8>?, _ frames: Int) {
        decoded += frames
        let silence = min(dropped, frames)
        dropped -= silence
        guard let audio, frames > silence else { return }
        pending.removeFirst(taken * format.channels)
        taken = 0
        let samples = UnsafeRawPointer(audio).assumingMemoryBound(to: Float.self) + silence * format.channels
        pending.append(contentsOf: UnsafeBufferPointer(start: samples, count: (frames - silence) * format.channels))
    }

    /// Appends silence of at most the length of a frame of MPEG.
    private func appendSilence() {
        let frames = min(silence, outline.header.samples)
        silence -= frames
        [Float](repeating: 0, count: frames * format.channels).withUnsafeBytes {
            append(UnsafeMutablePointer(mutating: $0.bindMemory(to: UInt8.self).baseAddress), frames)
        }
    }

    private func end(because failure: DecoderError?) {
        (self.failure, isAtEnd) = (failure, true)
        guard isWhole(decoded) else { return }
        // The encoder's silence is not delivered, and a seek into it leads to the end of the music.
        let silence = silenceAtEnd
        position -= max(0, silence - pendingFrames)
        pending.removeLast(min(silence, pendingFrames) * format.channels)
    }

    /// Whether a stream of this length, with the encoder's silence, is what the file's first frame announced.
    private func isWhole(_ length: Int) -> Bool { outline.info?.frames == length / outline.header.samples }

    /// Ends the track where its rate changes.
    ///
    /// After damage, libmpg123 continues with whatever looks like the header of a frame, which in some kilobytes of
    /// anything occurs by chance.
    private func endIfForeign() {
        let change = change
        isForeign = change != nil
        guard let change else { return }
        if isSplice { return }
        let place = place
        guard MPEGRow(input.source, at: place, size: input.bytes) != nil else { return }
        let rest = input.source.bytes(at: place, count: Self.longestSplice)
        guard let length = MPEGRow.continuation(of: outline.header, in: rest) else { return end(because: change) }
        resumption = place + length
    }

    /// The offset in the file of the frame that libmpg123 has read.
    private var place: Int { input.start + mpg123_framepos(handle) }

    /// True if the file's own rate continues after this frame of another rate.
    private var isSplice: Bool { place < resumption }

    /// The error of a change of the rate; nil if the format is the same.
    private var change: DecoderError? {
        var (rate, channels, encoding): (Int, Int32, Int32) = (0, 0, 0)
        mpg123_getformat2(handle, &rate, &channels, &encoding, 0)
        let next = StreamFormat(rate: rate, channels: Int(channels))
        guard next != format else { return nil }
        let end = position + pendingFrames - (isWhole(decoded) ? silenceAtEnd : 0)
        return DecoderError(
            .unsupported, "play", path,
            message: "its format changes from \(format) to \(next) after frame \(end)",
            advice: "make it one stream with one rate")
    }

    /// Takes note of the frame that libmpg123 has read.
    /// - Returns: true if it is part of the sound.
    private func noteFrame() -> Bool {
        guard let range = frame else { return true }
        if expected == nil, !gaps.has(range.lowerBound) { expected = gaps.end }
        if isForeign { endIfForeign() }
        guard isForeign || isChance(range.lowerBound) else {
            noteOwn(range)
            return true
        }
        if isForeign, isSplice { strays += 1 }
        if !gaps.has(range.lowerBound) { gaps.append(foreign: range) }
        return false
    }

    /// True if a frame after other bytes leads to no other one: these bytes only look like a frame.
    private func isChance(_ place: Int) -> Bool {
        guard let expected, place - expected >= Self.shortestGap else { return false }
        return !MPEGRow.leads(in: input.source, from: input.start + place, size: input.bytes)
    }

    /// The bytes of the frame that libmpg123 has read, from the first one's start.
    private var frame: Range<Int>? {
        var info = mpg123_frameinfo2()
        let place = mpg123_framepos(handle)
        guard mpg123_info2(handle, &info) == MPG123_OK.rawValue, place >= 0, info.framesize > 0 else { return nil }
        return place..<place + Int(info.framesize)
    }

    private func noteOwn(_ range: Range<Int>) {
        let missing = noteGap(before: range.lowerBound)
        silence += missing
        if !gaps.has(range.lowerBound) { gaps.append(range, silence: missing) }
        (expected, strays) = (range.upperBound, 0)
    }

    /// Takes note of bytes that are no frames, in the middle of the file.
    /// - Returns: the number of frames of sound that are silent in their place.
    private func noteGap(before place: Int) -> Int {
        guard let expected, place - expected >= Self.shortestGap else { return 0 }
        let range = input.start + expected..<input.start + place
        guard strays > 0 || !MPEGTags.fill(range, of: input.source) else { return 0 }
        let missing = gaps.has(place) ? gaps.silence(before: place) : measure(range)
        gap = gap ?? .gap(path, words(range.count, silence: missing), at: decoded - silenceAtStart)
        return missing
    }

    /// Takes note of bytes at the end of the file that are in the place of frames, by the number in the first one.
    private func noteEnd() {
        guard let expected, let counted = outline.info?.frames else { return }
        let (start, missing) = (input.start + expected, counted - decoded / outline.header.samples)
        guard missing > 0, input.bytes - start >= Self.shortestGap else { return }
        let room = MPEGGaps.frames(in: input.source, missing: start..<input.bytes, after: input.start)
        // Anything can follow the last frame, and the number can be wrong.
        guard (room - missing).magnitude <= max(2, missing / 8) else { return }
        gap = gap ?? .gap(path, words(input.bytes - start, silence: 0), at: decoded - silenceAtStart)
    }

    private func words(_ bytes: Int, silence: Int) -> String {
        if strays > 0 { return "\(strays) MPEG frames of another rate are silent" }
        return "\(bytes) bytes are no MPEG frames" + (silence > 0 ? ": \(silence) frames are silent" : "")
    }

    private func measure(_ gap: Range<Int>) -> Int {
        guard gaps.hasRoom else { return 0 }
        let frames = strays > 0 ? strays : MPEGGaps.frames(in: input.source, missing: gap, after: input.start)
        return frames * outline.header.samples
    }

    // MARK: Seeking

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        // No file has more frames than bytes times this, and nothing overflows.
        let target = min(frame, (input.bytes + 1) * outline.header.samples) + silenceAtStart
        findGaps(before: target)
        let place = gaps.place(of: target)
        let reached = DecoderMessages.dropped { mpg123_seek(handle, place.found, SEEK_SET) }
        if let failure = input.readingError(path) { throw failure }
        guard reached == place.found else { throw error("seek in") }
        begin(at: target)
        silence = place.silence
        while available == 0, !isAtEnd { decodeNext() }
        if let failure, input.failure != nil { throw failure }
        if failure == nil, available == 0, decoded == target { position = min(position, try measure()) }
        return position
    }

    private func begin(at frame: Int) {
        (pending, held) = ([], nil)
        (taken, decoded, dropped, expected, strays, silence) = (0, frame, 0, nil, 0, 0)
        (position, isAtEnd, failure) = (frame - silenceAtStart, false, nil)
    }

    /// Reads on to a frame, if the file has not been read up to there, because the number of frames that are missing
    /// before it decides where it is.
    private func findGaps(before frame: Int) {
        guard gaps.length <= frame else { return }
        let earlier = gap
        begin(at: 0)
        DecoderMessages.dropped {
            // A search reads the first frame, which would not be read again.
            if gaps.frames > 0 { mpg123_seek(handle, gaps.last * gaps.samples, SEEK_SET) }
            while gaps.length <= frame, !isAtEnd, readNext() {}
        }
        begin(at: 0)
        gap = earlier
    }

    /// Reads a frame of MPEG without decoding it.
    /// - Returns: false at the end.
    private func readNext() -> Bool {
        let status = mpg123_framebyframe_next(handle)
        guard status == MPG123_OK.rawValue || status == MPG123_NEW_FORMAT.rawValue else { return false }
        if status == MPG123_NEW_FORMAT.rawValue { endIfForeign() }
        _ = noteFrame()
        return true
    }

    /// The number of frames of the file, by reading all of it.
    private func measure() throws(DecoderError) -> Int {
        findGaps(before: .max)
        if let failure = input.readingError(path) { throw failure }
        isAtEnd = true
        let length = gaps.length
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
