import ALSA

/// Reads a FLAC file with libFLAC. It supports 4 to 32 bits, files that begin at a frame instead of a header, and FLAC
/// in an Ogg container.
///
/// The header of each frame contains a rate, a number of channels and a position. If the rate or the number of channels
/// differs from that of the file, reading ends with an error, so that nothing is played at the wrong speed. A damaged
/// frame is treated as a gap, which is silence of the same length, so that the rest is played at the right time.
final class FLACReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder = ChannelOrder.wave
    let frameCount: Int?
    var likelyFrameCount: Int? { frameCount }
    var tags: TrackTags { stream.tags }
    private(set) var position = 0
    var onProgress: () -> Void {
        get { stream.input.onProgress }
        set { stream.input.onProgress = newValue }
    }

    private let path: String
    private let stream: FLACStream
    private let isOgg: Bool

    /// Reads a file's header and its first frame.
    static func open(_ path: String, _ input: FileInput, isOgg: Bool) throws(DecoderError) -> FLACReader {
        let stream = try FLACStream(path, input, isOgg: isOgg)
        guard let format = stream.sequence.format else {
            throw input.readingError(path) ?? noFrame(path, stream.sequence)
        }
        return FLACReader(path, stream, format, isOgg: isOgg)
    }

    private static func noFrame(_ path: String, _ sequence: FLACSequence) -> DecoderError {
        if let words = sequence.fault.words {
            return DecoderError(.damaged, "decode", path, message: "\(words) (at frame 0)")
        }
        return sequence.total.map {
            DecoderError(.damaged, "decode", path, message: "the stream ends at frame 0 of \($0)")
        } ?? DecoderError(.noAudio, "play", path, message: "it holds no audio (0 frames)")
    }

    private init(_ path: String, _ stream: FLACStream, _ format: StreamFormat, isOgg: Bool) {
        self.path = path
        self.stream = stream
        self.format = format
        self.isOgg = isOgg
        frameCount = stream.sequence.total
    }

    func takeGap() -> DecoderError? {
        let gap = stream.sequence.takeGap().map { gap in
            let silence = gap.silence > 0 ? ": \(gap.silence) frames are silent" : ""
            return DecoderError.gap(
                path, gap.words + silence, at: gap.number - stream.sequence.origin, silence: gap.silence)
        }
        return stream.input.takeGap(path, at: position, and: gap)
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        let wanted = min(frames, (frameCount ?? .max) - position)
        var count = 0
        while count < wanted {
            let taken = stream.take(wanted - count, into: samples + count * format.channels)
            if taken == 0 { break }
            count += taken
        }
        position += count
        if count == 0, frames > 0 { try checkEnd() }
        return count
    }

    private func checkEnd() throws(DecoderError) {
        if let failure = stream.input.readingError(path) { throw failure }
        if stream.input.isExhausted { throw .endless(path, after: position) }
        if case .change(let other) = stream.sequence.end {
            throw DecoderError(
                .unsupported, "play", path,
                message: "its format changes from \(format) to \(other) at frame \(position)",
                advice: "convert it to one rate and number of channels")
        }
        if let frameCount, position < frameCount {
            throw DecoderError(
                .damaged, "decode", path, message: "the stream ends at frame \(position) of \(frameCount)")
        }
        if hasFurtherAudio { throw ChainedStreamScanner.error(path, after: position) }
        if frameCount == nil, let words = stream.sequence.fault.words, !stream.isFollowedByTag {
            throw DecoderError(.damaged, "decode", path, message: "\(words) (at frame \(position))")
        }
    }

    /// True if another stream follows, because libFLAC reads only the first one, or if there are more frames than the
    /// header specifies.
    private var hasFurtherAudio: Bool {
        let source = stream.input.source
        // libFLAC may have read the file to its end while it searched for the rest of its stream.
        let start = stream.input.part.lowerBound
        if isOgg { return ChainedStreamScanner.hasOggStream(source, near: stream.reached, from: start) }
        if stream.sequence.hasMisplaced { return true }
        guard stream.sequence.isComplete, let offset = stream.offset else { return false }
        return ChainedStreamScanner.hasFLAC(source, at: offset, .streamOrFrame)
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        stream.forget()
        if let frameCount, frame >= frameCount {
            position = frameCount
            return position
        }
        if stream.sequence.origin == 0, stream.seek(to: frame) {
            position = frame
            return frame
        }
        if let failure = stream.input.readingError(path) { throw failure }
        // Decode from the start.
        guard stream.restart() else {
            throw DecoderError(.damaged, "seek to the start of", path, message: "libFLAC cannot begin again")
        }
        position = 0
        return try skip(upTo: frame)
    }
}
