/// Finds the streams of an Ogg file that follow each other (RFC 3533, section 4). Pure.
///
/// Radio stations begin another stream with each song.
enum OggChain {
    /// How many streams are played.
    static let most = 64
    /// How many bytes to read to find a page: damage is not searched through.
    private static let effort = 1 << 19
    /// In bytes: pages so near to each other are all looked at.
    private static let reach = 1 << 18

    /// The bytes of each stream, and of the rest if there are more.
    /// - Parameters:
    ///   - start: the offset of the first one's first page.
    ///   - size: of the file, in bytes.
    static func links(in source: some ByteSource, from start: Int, size: Int) -> [Range<Int>] {
        guard let last = OggPage.last(in: source, before: size, reach: OggScan.reach) else { return [start..<size] }
        var (links, begin): ([Range<Int>], Int) = ([], start)
        while links.count < most, let end = end(of: begin, in: source, before: last) {
            links.append(begin..<end)
            begin = end
        }
        return links + [begin..<size]
    }

    /// The offset of the stream that follows the one at an offset; nil if none does.
    /// - Parameter last: the file's last page.
    private static func end(of start: Int, in source: some ByteSource, before last: OggPage) -> Int? {
        guard let first = OggPage(source, at: start)?.stream, last.stream != first else { return nil }
        var (low, high) = (start, last.start)
        while high - low > reach {
            let middle = low + (high - low) / 2
            guard let page = OggPage.first(in: source, from: middle, reading: effort) else { return nil }
            if page.stream == first { low = middle } else { high = middle }
        }
        while let page = OggPage.first(in: source, from: low, reading: effort), page.start < high + reach {
            if page.isFirst, page.stream != first { return page.start }
            low = page.body.upperBound
        }
        return nil
    }
}
