/// The holes in an Ogg stream, in frames of sound, for a reader that plays silence in their place. This type is pure.
struct OggHoles {
    struct Hole: Equatable {
        /// The frames that are silent.
        let frames: Range<Int>
        /// The frame to which libsndfile must seek, and from which frames are decoded and discarded up to the end of
        /// the hole. It is nil if libsndfile continues at the end of the hole by itself.
        var entry: Int?
    }

    private var scan: OggScan
    /// The position of the first frame of sound, in granules.
    private let origin: Int
    /// The number of granules in a frame. For Opus, granules always refer to a rate of 48 kHz.
    private let unit: Int
    private let frameCount: Int
    private let first: Int
    /// The number of frames that are missing before the first one that libsndfile finds.
    let lead: Int
    /// True if libsndfile delivers the silence before the first frame unless it searches for that frame. libsndfile
    /// does so if the positions of an Opus stream do not begin at 0.
    let hasSilenceAtStart: Bool

    /// The distance before libsndfile's offset from which pages are scanned again after a seek, in bytes.
    private static let margin = 1 << 18
    /// The number of frames that libsndfile must decode after a seek until every block is complete with its overlap.
    private static let overlap = 4096

    /// - Parameters:
    ///   - start: the offset of the stream's first page.
    ///   - size: the offset up to which the file is searched for its last page.
    ///   - frameCount: the number of frames that libsndfile reports.
    ///   - rate: the rate of the decoded sound in Hz.
    init?(_ source: some ByteSource, at start: Int, size: Int, frameCount: Int?, rate: Int) {
        guard let scan = OggScan(source, at: start), let page = OggPage(source, at: start), let frameCount,
            let last = OggPage.last(in: source, of: page.stream, before: size, reach: OggScan.reach)?.granule
        else { return nil }
        (self.scan, first) = (scan, start)
        unit = scan.isOpus && rate > 0 ? max(1, 48_000 / rate) : 1
        let found = last - frameCount * unit
        let missing = found - Self.silenceAtStart(scan, page, source)
        lead = missing > 0 && scan.beginsWithDamage(in: source) ? missing / unit : 0
        hasSilenceAtStart = scan.isOpus && missing > 0 && lead == 0
        origin = found - lead * unit
        self.frameCount = frameCount + lead
    }

    /// Returns the number of granules before the first frame. In the header of an Opus stream, the number of frames
    /// that are not played follows the magic, the version and the number of channels.
    private static func silenceAtStart(_ scan: OggScan, _ page: OggPage, _ source: some ByteSource) -> Int {
        let silence = scan.isOpus ? source.bytes(at: page.body.lowerBound + 10, count: 2) : []
        return silence.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the hole that contains a position before the first frame that libsndfile finds.
    func lead(at position: Int) -> Hole? {
        guard position < lead else { return nil }
        // When it decodes from the first page, libsndfile also delivers the frames that it treats as silence, but after
        // a search it does not.
        return scan.isOpus ? hole(0, lead, true) : Hole(frames: 0..<lead)
    }

    /// Returns the next hole that ends after a position.
    /// - Parameters:
    ///   - position: the position of the next frame.
    ///   - count: the number of frames that will be read.
    mutating func next(in source: some ByteSource, from position: Int, count: Int) -> Hole? {
        let end = origin + (position + count) * unit
        while let hole = scan.hole(in: source, until: end) {
            // In a recorded stream, the numbers of the pages need not continue the numbering of the header's pages.
            guard hole.start > 0, hole.start >= origin else { continue }
            let (start, end) = (frame(hole.start), frame(hole.end))
            if end > position, end > start { return self.hole(start, end, hole.hasRepetition) }
        }
        return nil
    }

    /// - Parameter hasRepetition: true if a search for the end of the hole must not find frames before it.
    private func hole(_ start: Int, _ end: Int, _ hasRepetition: Bool) -> Hole {
        if scan.isOpus, !hasRepetition { return Hole(frames: start..<end) }
        let entry = min(frameCount, hasRepetition ? end + Self.overlap : end)
        return Hole(frames: start..<min(frameCount, entry + Self.overlap), entry: entry)
    }

    /// The maximum number of frames before the target of a seek at which libsndfile begins to decode. This is the
    /// length of several pages.
    private static let approach = 1 << 18

    /// Returns the start of the first hole that is near a frame and begins before it.
    /// - Parameter offset: the offset up to which libsndfile has read.
    func start(before frame: Int, in source: some ByteSource, near offset: Int) -> Int? {
        var scan = scan
        scan.move(to: max(first, offset - Self.margin))
        while let hole = scan.hole(in: source, until: origin + frame * unit) {
            let (start, end) = (self.frame(hole.start), self.frame(hole.end))
            if hole.start > 0, hole.start >= origin, start < frame, end + Self.approach > frame { return start }
        }
        return nil
    }

    private func frame(_ granule: Int) -> Int { min(frameCount, max(0, (granule - origin + unit - 1) / unit)) }

    /// Continues at the offset up to which libsndfile has read after a search.
    mutating func move(to offset: Int) { scan.move(to: max(first, offset - Self.margin)) }
}
