import ALSA

/// Reads the streams of an Ogg file that follow each other as a single stream, as long as they have the same rate and
/// number of channels as the first one.
final class OggChainReader: AudioFileReader {
    private struct Link {
        let part: Range<Int>
        /// The number of the stream's first frame.
        let start: Int
    }

    let format: StreamFormat
    let channelOrder: ChannelOrder
    let tags: TrackTags
    let frameCount: Int?
    var likelyFrameCount: Int? { frameCount }
    var position: Int { links[index].start + reader.position }
    var onProgress: () -> Void {
        get { input.onProgress }
        set { input.onProgress = newValue }
    }

    private let path: String
    private let input: FileInput
    private let links: [Link]
    /// True if another stream follows the streams in `parts`.
    private let hasMore: Bool
    private var index = 0
    private var reader: any AudioFileReader
    private var gap: DecoderError?

    /// - Parameters:
    ///   - first: a reader of the first stream.
    ///   - parts: the range of bytes of each stream.
    init(
        _ path: String, _ input: FileInput, _ first: any AudioFileReader, _ parts: [Range<Int>]
    ) throws(DecoderError) {
        (self.path, self.input, reader) = (path, input, first)
        (format, channelOrder, tags) = (first.format, first.channelOrder, first.tags)
        var (links, length): ([Link], Int?) = ([Link(part: parts[0], start: 0)], first.frameCount)
        for part in parts.prefix(OggChain.most).dropFirst() {
            guard let start = length, let next = try? FileFormat.open(path, input, part), next.format == format,
                format.channels <= 2 || next.channelOrder == channelOrder
            else { break }
            links.append(Link(part: part, start: start))
            length = next.frameCount.map { start + $0 }
        }
        (self.links, hasMore, frameCount) = (links, links.count < parts.count, length)
        reader = try FileFormat.open(path, input, parts[0])
    }

    private func enter(_ index: Int) throws(DecoderError) {
        gap.note(reader.takeGap())
        reader = try FileFormat.open(path, input, links[index].part)
        self.index = index
    }

    func takeGap() -> DecoderError? {
        defer { gap = nil }
        gap.note(reader.takeGap())
        return gap
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int {
        while frames > 0 {
            let count = try reader.read(into: samples, frames: frames)
            if count > 0 { return count }
            guard index + 1 < links.count else {
                if hasMore { throw ChainedStreamScanner.error(path, after: position) }
                break
            }
            try enter(index + 1)
        }
        return 0
    }

    func seek(toFrame frame: Int) throws(DecoderError) -> Int {
        let target = links.lastIndex { $0.start <= frame } ?? 0
        if target != index { try enter(target) }
        return links[target].start + (try reader.seek(toFrame: frame - links[target].start))
    }
}
