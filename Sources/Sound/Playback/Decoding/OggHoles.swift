/// The holes of an Ogg stream in frames of sound, for a reader that plays silence in their place. Pure.
struct OggHoles {
    private var scan: OggScan
    /// The position of the first frame of sound, in granules.
    private let origin: Int
    /// How many granules make a frame: Opus always counts at 48 kHz.
    private let unit: Int
    private let frameCount: Int
    private let first: Int

    /// True if libsndfile continues with the first frame after a hole.
    var areExact: Bool { scan.isOpus }

    /// By how far a page before the one that is being decoded is certainly read again.
    private static let margin = 1 << 18

    /// - Parameters:
    ///   - start: the offset of the stream's first page.
    ///   - size: of the file, in bytes.
    ///   - rate: that of the decoded sound, in Hz.
    init?(_ source: some ByteSource, at start: Int, size: Int, frameCount: Int?, rate: Int) {
        guard let scan = OggScan(source, at: start), let page = OggPage(source, at: start), let frameCount,
            let last = OggScan.last(in: source, of: page.stream, size: size)
        else { return nil }
        (self.scan, self.frameCount, first) = (scan, frameCount, start)
        unit = scan.isOpus && rate > 0 ? max(1, 48_000 / rate) : 1
        origin = last - frameCount * unit
    }

    /// The next hole that ends after a position.
    /// - Parameters:
    ///   - position: of the next frame.
    ///   - count: how many frames will be read.
    mutating func next(in source: some ByteSource, from position: Int, count: Int) -> Range<Int>? {
        let end = origin + (position + count) * unit
        while let hole = scan.hole(in: source, until: end) {
            // The numbers of the pages of a recorded stream need not continue those of its header.
            guard hole.start > 0, hole.start >= origin else { continue }
            let (start, end) = (frame(hole.start), frame(hole.end))
            if end > position, end > start { return start..<end }
        }
        return nil
    }

    private func frame(_ granule: Int) -> Int { min(frameCount, max(0, (granule - origin + unit - 1) / unit)) }

    /// Continues where libsndfile has read up to after a search.
    mutating func move(to offset: Int) { scan.move(to: max(first, offset - Self.margin)) }
}
