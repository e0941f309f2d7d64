/// The header of an Ogg page (RFC 3533, section 6).
struct OggPage {
    private static let shortestHeader = 27
    static let longestHeader = shortestHeader + 255

    /// The stream's serial number.
    let stream: Int
    /// The lengths of its segments. One below 255 ends a packet.
    let lacing: ArraySlice<UInt8>
    private let start: Int

    /// - Returns: nil if there is no whole header at that place.
    init?(_ source: some ByteSource, at start: Int) {
        var header = ByteCursor(source.bytes(at: start, count: Self.longestHeader)[...])
        guard header.take(4)?.elementsEqual("OggS".utf8) == true,
            // Version, flags and position; then stream, number and checksum.
            header.take(10) != nil, let stream = header.littleEndian(4), header.take(8) != nil,
            let count = header.byte(), let lacing = header.take(Int(count))
        else { return nil }
        (self.stream, self.lacing, self.start) = (stream, lacing, start)
    }

    var body: Range<Int> {
        let first = start + Self.shortestHeader + lacing.count
        return first..<(first + lacing.reduce(0) { $0 + Int($1) })
    }
}
