import ALSA
import CSndfile
import Glibc

/// Reads a file with libsndfile, which supports WAV, Ogg Vorbis, Opus, AIFF and more.
///
/// libsndfile silently skips missing and damaged pages of an Ogg stream, and plays repeated pages again. This reader
/// treats such pages as a gap. It returns silence up to the next position that is certain, so that the rest is played
/// at the right time.
final class SndfileReader: AudioFileReader {
    let format: StreamFormat
    let channelOrder: ChannelOrder
    let frameCount: Int?
    let likelyFrameCount: Int?
    private(set) var position = 0
    var onProgress: () -> Void {
        get { input.onProgress }
        set { input.onProgress = newValue }
    }

    private let path: String
    private let input: FileInput
    private let file: OpaquePointer
    private let seeking: SeekBehaviour
    /// True if a file with fewer frames than its header specifies is damaged. This applies to lossless containers
    /// because their counts are exact.
    private let countIsBinding: Bool
    /// A clause that describes the part that is missing at the end of the file, or nil if the file is complete.
    /// libsndfile silently corrects the number of frames.
    private let loss: String?
    /// The holes in the stream, or nil if it is not an Ogg stream.
    private var holes: OggHoles?
    private var hole: OggHoles.Hole?
    /// The number of frames that are missing before the first frame that libsndfile finds.
    private var lead: Int { holes?.lead ?? 0 }
    private var isInHole = false
    private var gap: DecoderError?

    private init(path: String, input: FileInput, file: OpaquePointer, info: SF_INFO, loss: String?) {
        self.path = path
        self.input = input
        self.file = file
        self.loss = loss
        format = StreamFormat(rate: Int(info.samplerate), channels: Int(info.channels))
        let isOgg = Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_OGG
        channelOrder = isOgg ? .vorbis : Self.channelOrder(of: file, Int(info.channels)) ?? .wave
        countIsBinding = !isOgg
        seeking = info.seekable == 0 ? .sequential : isOgg ? .ogg : .direct
        let found = info.frames == Int64.max ? nil : Int(info.frames)
        let part = input.part
        holes =
            seeking == .ogg
            ? OggHoles(input.source, at: part.lowerBound, size: part.upperBound, frameCount: found, rate: format.rate)
            : nil
        frameCount = found.map { [holes] in $0 + (holes?.lead ?? 0) }
        likelyFrameCount = frameCount
        hole = holes?.lead(at: 0)
    }

    /// Returns the loudspeakers that the file specifies, for example in the channel mask of a WAV file, or nil if it
    /// does not specify them.
    private static func channelOrder(of file: OpaquePointer, _ channels: Int) -> ChannelOrder? {
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        guard sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == SF_TRUE else { return nil }
        let speakers = map.map(Speaker.init(sndfile:))
        return speakers.contains(nil) ? nil : .speakers(speakers.compactMap { $0 })
    }

    deinit {
        DecoderMessages.dropped { _ = sf_close(file) }
    }

    /// Reads a file's header.
    /// - Parameter loss: a clause that describes the part that is missing at the end of the file, such as `12 bytes of
    ///   it are missing`, or nil if the file is complete.
    static func open(_ path: String, _ input: FileInput, loss: String? = nil) throws(DecoderError) -> SndfileReader {
        var info = SF_INFO()
        var functions = calls
        guard
            let file = DecoderMessages.dropped({ sf_open_virtual(&functions, Int32(SFM_READ), &info, input.pointer) })
        else {
            throw input.readingError(path)
                ?? DecoderError(.notAudio, "open", path, message: String(cString: sf_strerror(nil)))
        }
        input.rest()
        let reader = SndfileReader(path: path, input: input, file: file, info: info, loss: loss)
        if reader.holes?.hasSilenceAtStart ?? false { _ = reader.seek(0) }
        return reader
    }

    private static let calls = SF_VIRTUAL_IO(
        get_filelen: { FileInput.of($0).map { Int64($0.part.count) } ?? -1 },
        seek: { offset, whence, input in
            guard let input = FileInput.of(input) else { return -1 }
            return Int64(input.seek(Int(offset), whence))
        },
        read: { bytes, count, input in
            guard let input = FileInput.of(input), let bytes else { return 0 }
            return Int64(max(0, input.read(into: bytes, count: Int(count))))
        },
        write: { _, _, _ in 0 }, tell: { FileInput.of($0).map { Int64($0.offset) } ?? -1 })

    func takeGap() -> DecoderError? {
        defer { gap = nil }
        return input.takeGap(path, at: position, and: gap)
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        hole = hole ?? holes?.next(in: input.source, from: position, count: frames)
        guard let hole, position + frames > hole.frames.lowerBound else {
            return try decode(into: samples, frames: frames)
        }
        if position < hole.frames.lowerBound {
            let count = try decode(into: samples, frames: hole.frames.lowerBound - position)
            if count > 0 { return count }
        }
        return fill(hole, samples, frames: frames)
    }

    /// Returns silence, and seeks when the end of the hole is reached.
    private func fill(_ hole: OggHoles.Hole, _ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let rest = max(0, hole.frames.upperBound - position)
        note(rest)
        let count = min(frames, rest)
        samples.update(repeating: 0, count: count * format.channels)
        position += count
        if position >= hole.frames.upperBound { leave(hole) }
        return count
    }

    private func note(_ silence: Int) {
        let words = "pages are missing, damaged or not in their order: \(silence) frames are silent"
        if !isInHole { gap.note(.gap(path, words, at: position, silence: silence)) }
        isInHole = true
    }

    private func leave(_ hole: OggHoles.Hole) {
        (self.hole, isInHole) = (nil, false)
        guard let entry = hole.entry, let frameCount, position < frameCount else { return }
        // Seek from the end. If the target is near the current position, libsndfile does not search for it but reads up
        // to it, and counts the frames of a hole incorrectly.
        _ = seek(frameCount - lead)
        if seek(entry - lead) == entry - lead, drop(position - entry) { return }
        // libsndfile cannot find the part after the hole, so continue with silence.
        let next = min(frameCount, position + max(format.rate, hole.frames.count))
        self.hole = OggHoles.Hole(frames: position..<next, entry: next)
        note(next - position)
    }

    /// Decodes frames without delivering them.
    private func drop(_ frames: Int) -> Bool {
        guard frames > 0 else { return true }
        var block = [Float](repeating: 0, count: frames * format.channels)
        return DecoderMessages.dropped { Int(sf_readf_float(file, &block, Int64(frames))) } == frames
    }

    private func decode(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        let count = Int(DecoderMessages.dropped { sf_readf_float(file, samples, Int64(frames)) })
        position += count
        if count > 0, !input.isExhausted { input.rest() }
        guard count == 0, frames > 0 else { return count }
        // If the disk cannot read the end of a file, libsndfile does not receive that part, so check for errors here.
        if let failure = input.anyReadingError(path) { throw failure }
        if input.isExhausted { throw .endless(path, after: position) }
        // After a search, libsndfile may mistake the end of an Ogg stream for damage.
        if sf_error(file) != SF_ERR_NO_ERROR, seeking != .ogg || position != frameCount {
            throw DecoderError(
                .damaged, "decode", path, message: "\(String(cString: sf_strerror(file))) (at frame \(position))")
        }
        // libsndfile does not report an error for a truncated stream.
        if countIsBinding, let frameCount, position < frameCount {
            throw DecoderError(
                .damaged, "decode", path,
                message: "the stream ends at frame \(position) of \(frameCount)")
        }
        // libsndfile ends the stream at a page that is marked as the last one, but more pages may follow.
        if seeking == .ogg, let frameCount, position + format.rate < frameCount {
            throw ChainedStreamScanner.error(path, after: position)
        }
        if let loss { throw .cut(path, loss, at: position) }
        let start = input.part.lowerBound
        if seeking == .ogg, ChainedStreamScanner.hasOggStream(input.source, near: input.place, from: start) {
            throw ChainedStreamScanner.error(path, after: position)
        }
        return 0
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        guard let nearby = seeking.entry(for: frame, of: frameCount) else {
            return try decode(upTo: frame)
        }
        guard let entry = search(nearby) else { return try decode(upTo: frame) }
        begin(at: entry)
        return try skip(upTo: frame)
    }

    /// The maximum number of times that a search goes back to a frame before a hole.
    private static let mostHoles = 8

    /// Seeks to a frame, or to a frame before a hole. libsndfile may cross a hole on the way to a frame without
    /// noticing it.
    /// - Returns: the frame reached, or nil if only the first frame can be reached.
    private func search(_ frame: Int) -> Int? {
        var entry = frame
        for _ in 0..<Self.mostHoles {
            // Seek from the start because libsndfile's Ogg seeks fail if the target is near the current position.
            if seeking == .ogg, entry <= lead || seek(0) != 0 { return nil }
            guard seek(entry - lead) == entry - lead else { return nil }
            let hole = holes?.start(before: entry, in: input.source, near: input.place)
            guard let hole else { return entry }
            guard let earlier = seeking.entry(for: hole, of: frameCount) else { return nil }
            entry = earlier
        }
        return nil
    }

    /// Seeks to a frame, in libsndfile's own numbering.
    /// - Returns: the frame reached, or -1 on failure.
    private func seek(_ frame: Int) -> Int {
        input.rest()
        return Int(DecoderMessages.dropped { sf_seek(file, Int64(frame), SEEK_SET) })
    }

    /// Records the frame to which libsndfile has moved.
    private func begin(at frame: Int) {
        (position, hole, isInHole) = (frame, holes?.lead(at: frame), false)
        holes?.move(to: frame == 0 ? 0 : input.place)
    }

    /// Moves to a frame by decoding everything before it.
    private func decode(upTo frame: Int) throws(DecoderError) -> Int {
        guard seek(0) == 0 else {
            throw DecoderError(
                .damaged, "seek to the start of", path, message: String(cString: sf_strerror(file)))
        }
        begin(at: 0)
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

    /// Returns a text with invalid UTF-8 replaced, because tags are not always in the encoding that they declare.
    private func text(_ kind: Int) -> String? {
        guard let text = sf_get_string(file, Int32(kind)).map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        return text
    }
}

extension Speaker {
    /// - Parameter position: the number that libsndfile uses for the loudspeaker.
    /// - Returns: nil if the loudspeaker does not belong to a usual layout.
    fileprivate init?(sndfile position: Int32) {
        switch Int(position) {
        case SF_CHANNEL_MAP_MONO, SF_CHANNEL_MAP_CENTER,
            SF_CHANNEL_MAP_FRONT_CENTER, SF_CHANNEL_MAP_TOP_FRONT_CENTER:
            self = .frontCentre
        case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT,
            SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_TOP_FRONT_LEFT:
            self = .frontLeft
        case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT,
            SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, SF_CHANNEL_MAP_TOP_FRONT_RIGHT:
            self = .frontRight
        case SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_SIDE_LEFT,
            SF_CHANNEL_MAP_TOP_REAR_LEFT:
            self = .surroundLeft
        case SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_SIDE_RIGHT,
            SF_CHANNEL_MAP_TOP_REAR_RIGHT:
            self = .surroundRight
        case SF_CHANNEL_MAP_REAR_CENTER, SF_CHANNEL_MAP_TOP_CENTER,
            SF_CHANNEL_MAP_TOP_REAR_CENTER:
            self = .surroundCentre
        case SF_CHANNEL_MAP_LFE: self = .lowFrequency
        default: return nil
        }
    }
}
