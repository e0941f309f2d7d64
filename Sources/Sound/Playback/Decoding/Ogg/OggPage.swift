/// The header of an Ogg page (RFC 3533, section 6).
struct OggPage {
    static let capture = Array("OggS".utf8)
    private static let shortestHeader = 27
    static let longestHeader = shortestHeader + 255
    private static let checksumOffset = 22

    /// The stream's serial number.
    let stream: Int
    /// The number of the page in its stream.
    let number: Int
    /// The position at the end of the last packet that ends on the page, according to the rules of the codec, or nil if
    /// no packet ends on the page.
    let granule: Int?
    let isContinued: Bool
    let isFirst: Bool
    let isLast: Bool
    /// The lengths of the page's segments. A length below 255 ends a packet.
    let lacing: ArraySlice<UInt8>
    /// The offset at which the page begins.
    let start: Int
    private let checksum: Int

    /// - Returns: nil if there is no complete header at that offset.
    init?(_ source: some ByteSource, at start: Int) {
        var header = ByteCursor(source.bytes(at: start, count: Self.longestHeader)[...])
        guard header.take(4)?.elementsEqual("OggS".utf8) == true, header.byte() != nil, let flags = header.byte(),
            let low = header.littleEndian(4), let high = header.littleEndian(4), let stream = header.littleEndian(4),
            let number = header.littleEndian(4), let checksum = header.littleEndian(4),
            let count = header.byte(), let lacing = header.take(Int(count))
        else { return nil }
        (self.stream, self.number, self.checksum, self.lacing, self.start) = (stream, number, checksum, lacing, start)
        (isContinued, isFirst, isLast) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
        granule = high < 1 << 31 ? high << 32 | low : nil
    }

    /// Returns the first whole page that begins at or after an offset.
    /// - Parameter most: the maximum number of bytes to read. Bytes that are read more than once are counted each time.
    static func first(in source: some ByteSource, from start: Int, reading most: Int = .max) -> OggPage? {
        var (offset, done) = (start, 0)
        while done < most {
            if let page = OggPage(source, at: offset), page.isWhole(in: source) { return page }
            let bytes = source.bytes(at: offset + 1, count: window)
            guard bytes.count >= capture.count else { return nil }
            let place = bytes.indices.dropLast(3).first {
                bytes[$0] == capture[0] && bytes[$0...].starts(with: capture)
            }
            offset += 1 + (place ?? bytes.count - 3)
            done += 2 * bytes.count
        }
        return nil
    }

    /// Returns the last whole page before an offset on which a packet ends.
    /// - Parameters:
    ///   - stream: the stream to which the page must belong, or nil for any stream.
    ///   - reach: the maximum length of the search, in bytes.
    static func last(in source: some ByteSource, of stream: Int? = nil, before size: Int, reach: Int) -> OggPage? {
        for end in stride(from: size, to: max(0, size - reach), by: -window) {
            let start = max(0, end - window)
            let bytes = source.bytes(at: start, count: end - start + capture.count - 1)
            for index in bytes.indices.dropLast(capture.count - 1).reversed() where bytes[index] == capture[0] {
                guard bytes[index...].starts(with: capture) else { continue }
                if let page = OggPage(source, at: start + index), stream ?? page.stream == page.stream,
                    page.granule != nil, page.isWhole(in: source)
                {
                    return page
                }
            }
        }
        return nil
    }

    private static let window = 65_536

    var body: Range<Int> {
        let first = start + Self.shortestHeader + lacing.count
        return first..<(first + lacing.reduce(0) { $0 + Int($1) })
    }

    /// Returns true if the page is complete and intact, according to its checksum.
    func isWhole(in source: some ByteSource) -> Bool {
        let bytes = source.bytes(at: start, count: body.upperBound - start)
        return bytes.count == body.upperBound - start && Self.checksum(of: bytes) == checksum
    }

    /// Returns the bytes of the page with some bytes of its body replaced and the checksum corrected.
    func bytes(_ source: some ByteSource, replacing offset: Int, with new: [UInt8]) -> [UInt8] {
        var bytes = source.bytes(at: start, count: body.upperBound - start)
        let place = offset - start
        guard place >= 0, place + new.count <= bytes.count else { return bytes }
        bytes.replaceSubrange(place..<place + new.count, with: new)
        let sum = Self.checksum(of: bytes)
        for index in 0..<4 { bytes[Self.checksumOffset + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
        return bytes
    }

    /// Computes a checksum. The field with the checksum is treated as zero.
    private static func checksum(of bytes: [UInt8]) -> Int {
        var sum: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            let own = index >= checksumOffset && index < checksumOffset + 4 ? 0 : byte
            sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ own)]
        }
        return Int(sum)
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 1 << 31 != 0 ? sum << 1 ^ 0x04c1_1db7 : sum << 1 }
    }
}
