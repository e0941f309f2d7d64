/// Finds the positions at which pages of an Ogg stream are missing or damaged, which libsndfile does not report. This
/// type is pure.
///
/// Each page is read once, a little ahead of libsndfile. Positions are in granules, whose meaning the codec defines.
struct OggScan {
    /// Sound that is missing or whose position is not certain.
    struct Hole: Equatable {
        /// The end of the last page before the hole.
        let start: Int
        /// The end of the first whole page after the hole. For Opus, whose packets contain their length, this is the
        /// start of that page, unless repeated pages precede it.
        let end: Int
        /// True if the hole contains pages that have occurred before.
        let hasRepetition: Bool
    }

    private let stream: Int
    /// True if the codec is Opus.
    let isOpus: Bool
    private var offset: Int
    private var number: Int?
    private var granule: Int?
    private var isDamaged = false
    private var hasRepetition = false
    private(set) var isAtEnd = false

    /// - Parameter start: the offset of the stream's first page.
    init?(_ source: some ByteSource, at start: Int) {
        guard let page = OggPage(source, at: start) else { return nil }
        (stream, offset) = (page.stream, start)
        isOpus = source.bytes(at: page.body.lowerBound, count: 8).elementsEqual("OpusHead".utf8)
    }

    /// Continues at another offset, with the first page that begins there or later.
    mutating func move(to start: Int) {
        (offset, number, granule, isAtEnd) = (start, nil, nil, false)
        (isDamaged, hasRepetition) = (false, false)
    }

    /// Reads pages up to the next hole.
    /// - Parameter end: the position after which to return.
    /// - Returns: the next hole, or nil if there is none before `end` or the end of the stream.
    mutating func hole(in source: some ByteSource, until end: Int) -> Hole? {
        while !isAtEnd, granule ?? 0 < end {
            guard let page = nextPage(in: source) else {
                isAtEnd = true
                return nil
            }
            if let hole = take(page, source) { return hole }
        }
        return nil
    }

    private mutating func take(_ page: OggPage, _ source: some ByteSource) -> Hole? {
        if page.isFirst, granule ?? 0 > 0 {
            isAtEnd = true
            return nil
        }
        if isRepetition(page) {
            hasRepetition = true
            return nil
        }
        if let number, page.number != Self.next(number) { isDamaged = true }
        number = page.number
        guard let last = granule else {
            goOn(at: page, page.granule)
            return nil
        }
        guard let next = page.granule, next >= last else { return nil }
        defer { goOn(at: page, next) }
        guard isDamaged || hasRepetition, next > last else { return nil }
        let isExact = isOpus && !hasRepetition
        let end = isExact ? max(last, next - OpusPackets.length(of: page, in: source)) : next
        return Hole(start: last, end: end, hasRepetition: hasRepetition)
    }

    private mutating func goOn(at page: OggPage, _ granule: Int?) {
        (self.granule, isAtEnd) = (granule, page.isLast)
        (isDamaged, hasRepetition) = (false, false)
    }

    /// Returns true if this page or a later one has occurred before.
    private func isRepetition(_ page: OggPage) -> Bool {
        guard let number, let granule else { return false }
        let distance = Int32(truncatingIfNeeded: page.number - number)
        return distance <= 0 && page.granule ?? granule <= granule
    }

    private static func next(_ number: Int) -> Int { (number + 1) & Int(UInt32.max) }

    /// Returns true if there are bytes between the header and the first page of sound that may be the remains of
    /// missing pages. A recorder that begins in the middle of a stream omits pages, but it does not leave other bytes
    /// in their place.
    func beginsWithDamage(in source: some ByteSource) -> Bool {
        var scan = self
        var (end, last) = (offset, 0)
        while let page = scan.nextPage(in: source) {
            guard page.granule ?? 0 > 0 else {
                (end, last) = (page.body.upperBound, page.number)
                continue
            }
            let missing = page.number - last - 1
            return missing > 0 && (page.start - end) / missing >= Self.shortestPage
        }
        return false
    }

    /// Returns true if the pages before the first page of sound are longer than any reasonable tags with pictures.
    func hasLongHeader(in source: some ByteSource) -> Bool {
        var (scan, length) = (self, 0)
        while length <= Self.longestHeader, let page = scan.nextPage(in: source), page.granule ?? 0 <= 0 {
            length += max(page.body.upperBound - page.start, OggPage.longestHeader)
        }
        return length > Self.longestHeader
    }

    /// The maximum length of a header, in bytes.
    static let longestHeader = 16 << 20

    /// The assumed minimum length of a page of sound, in bytes.
    private static let shortestPage = 128

    /// Returns the next whole page of the stream.
    private mutating func nextPage(in source: some ByteSource) -> OggPage? {
        while let page = OggPage.first(in: source, from: offset) {
            if page.start != offset { isDamaged = true }
            offset = page.body.upperBound
            if page.stream == stream { return page }
        }
        return nil
    }

    /// The maximum length of the search for the last page, in bytes. It is large because a copy that was interrupted
    /// may end with zeros.
    static let reach = 64 << 20
    /// The maximum number of other bytes after the last page. libsndfile finds the last page only if no more bytes
    /// follow it.
    private static let longestTail = 32_768

    /// Returns the end of the last page if so many bytes follow it that libsndfile does not find it. Otherwise, returns
    /// the end of the file.
    static func end(of source: some ByteSource, from start: Int, size: Int) -> Int {
        guard let page = OggPage(source, at: start),
            let last = OggPage.last(in: source, of: page.stream, before: size, reach: reach),
            size - last.body.upperBound > longestTail
        else { return size }
        return last.body.upperBound
    }
}

extension OggScan {
    /// Returns true if a stream ends inside a page, as in a copy that was cut short. A recording of a radio station
    /// does not contain a page that is marked as the last one either, but it ends at the end of a page.
    static func breaksOff(_ source: some ByteSource, from start: Int, size: Int) -> Bool {
        guard let stream = OggPage(source, at: start)?.stream,
            var last = OggPage.last(in: source, of: stream, before: size, reach: reach)
        else { return false }
        var end = last.body.upperBound
        // Examine the following pages one by one, because it is possible that no packet ends on them.
        while let page = OggPage(source, at: end), page.isWhole(in: source) {
            if page.stream == stream { last = page }
            end = page.body.upperBound
        }
        let rest = source.bytes(at: end, count: OggPage.capture.count)
        return !last.isLast && !rest.isEmpty && OggPage.capture.starts(with: rest)
    }
}

/// The lengths of Opus packets (RFC 6716, section 3.1). This type is pure.
enum OpusPackets {
    /// Returns the number of frames (at 48 kHz) in the packets that end on a page, except for a packet that begins on
    /// an earlier page.
    static func length(of page: OggPage, in source: some ByteSource) -> Int {
        let bytes = source.bytes(at: page.body.lowerBound, count: page.body.count)
        var (start, end, isPart, length) = (0, 0, page.isContinued, 0)
        for segment in page.lacing {
            end += Int(segment)
            guard segment < 255 else { continue }
            if !isPart, end <= bytes.count { length += self.length(of: bytes[start..<end]) }
            (start, isPart) = (end, false)
        }
        return length
    }

    private static func length(of packet: ArraySlice<UInt8>) -> Int {
        guard let head = packet.first else { return 0 }
        let count = head & 3 == 0 ? 1 : head & 3 < 3 ? 2 : Int((packet.dropFirst().first ?? 0) & 63)
        return count * frames[Int(head >> 3)]
    }

    /// The number of frames (at 48 kHz) for each configuration.
    private static let frames: [Int] = (0..<32).map { configuration in
        switch configuration {
        case 0..<12: [480, 960, 1920, 2880][configuration & 3]
        case 12..<16: [480, 960][configuration & 1]
        default: [120, 240, 480, 960][configuration & 3]
        }
    }
}

/// The rate in the header of an Opus stream (RFC 7845, section 5.1), which is the rate of the encoder's source, or 0.
/// This type is pure.
///
/// libsndfile decodes at that rate, or at 8 kHz if it is 0, and loses all frequencies above half of the rate.
enum OpusRate {
    private static let offset = 12
    private static let rate: [UInt8] = [0x80, 0xbb, 0, 0]

    /// Returns the stream's first page with a rate of 48 kHz. The result is nil if the page already has this rate or
    /// belongs to another stream.
    static func patch(_ source: some ByteSource, at start: Int) -> FileInput.Patch? {
        guard let page = OggPage(source, at: start), page.isWhole(in: source),
            case let head = source.bytes(at: page.body.lowerBound, count: offset + rate.count),
            head.starts(with: "OpusHead".utf8), head.count == offset + rate.count, !head[offset...].elementsEqual(rate)
        else { return nil }
        return FileInput.Patch(
            offset: start, bytes: page.bytes(source, replacing: page.body.lowerBound + offset, with: rate))
    }
}
