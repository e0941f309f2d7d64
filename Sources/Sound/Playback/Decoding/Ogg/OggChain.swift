/// Finds the streams of an Ogg file that follow each other (RFC 3533, section 4). This type is pure.
///
/// For example, radio stations begin a new stream with each song.
enum OggChain {
    /// The maximum number of streams that are played.
    static let most = 64
    /// The maximum number of bytes that are read to find a page. The limit also means that a search does not continue
    /// through long damage.
    private static let effort = 1 << 19
    /// The distance within which all pages are examined, in bytes.
    private static let reach = 1 << 18

    /// Returns the range of bytes of each stream. If there are more than `most` streams, the last range contains the
    /// rest.
    /// - Parameters:
    ///   - start: the offset of the first page of the first stream.
    ///   - size: the size of the file in bytes.
    static func links(in source: some ByteSource, from start: Int, size: Int) -> [Range<Int>] {
        guard let last = OggPage.last(in: source, before: size, reach: OggScan.reach) else { return [start..<size] }
        var (links, begin): ([Range<Int>], Int) = ([], start)
        while links.count < most, let end = end(of: begin, in: source, before: last) {
            links.append(begin..<end)
            begin = end
        }
        return links + [begin..<size]
    }

    /// Returns the offset of the stream that follows the one at an offset, or nil if there is none.
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
