/// The pictures in the comments of Ogg Vorbis and Ogg Opus. They are FLAC picture blocks in base 64 (RFC 3533, RFC
/// 7845).
enum OggPictures {
    private static let key = "METADATA_BLOCK_PICTURE="

    static func candidates(in source: some ByteSource) -> [EmbeddedPicture.Candidate] {
        guard let packet = secondPacket(of: source), let comments = comments(in: packet) else { return [] }
        return comments.compactMap { comment in
            guard comment.count > key.utf8.count, zip(comment, key.utf8).allSatisfy(isLetter) else { return nil }
            return Base64.decode(comment.dropFirst(key.utf8.count)).flatMap { FLACPictures.picture($0[...]) }
        }
    }

    /// Whether a byte is this letter of the key, which may be in lower case, or another character of the key.
    private static func isLetter(_ byte: UInt8, _ letter: UInt8) -> Bool {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
        return byte == letter || isCapital && byte == letter + 32
    }

    /// Returns the comment packet of the first stream. The function does not read beyond this packet, and it skips
    /// other streams.
    private static func secondPacket(of source: some ByteSource) -> ArraySlice<UInt8>? {
        var offset = 0
        var budget = EmbeddedPicture.longestTag
        var stream: Int?
        var packets = 0
        var packet: [UInt8] = []
        while budget > 0, let page = OggPage(source, at: offset) {
            let body = page.body
            // Count also an empty page, because it takes a read.
            budget -= max(body.upperBound - offset, OggPage.longestHeader)
            offset = body.upperBound
            stream = stream ?? page.stream
            guard page.stream == stream else { continue }
            var segments = ByteCursor(source.bytes(at: body.lowerBound, count: body.count)[...])
            for length in page.lacing {
                guard let segment = segments.take(Int(length)) else { return nil }
                if packets == 1 { packet += segment }
                if length < 255 {
                    packets += 1
                    if packets == 2 { return packet[...] }
                }
            }
        }
        return nil
    }

    private static func comments(in packet: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var cursor = ByteCursor(packet)
        let magics = [[UInt8(3)] + Array("vorbis".utf8), Array("OpusTags".utf8)]
        guard let magic = magics.first(where: { packet.starts(with: $0) }), cursor.take(magic.count) != nil,
            let vendor = cursor.littleEndian(4), cursor.take(vendor) != nil, let count = cursor.littleEndian(4)
        else { return nil }
        var comments: [ArraySlice<UInt8>] = []
        while comments.count < count, let length = cursor.littleEndian(4), let comment = cursor.take(length) {
            comments.append(comment)
        }
        return comments
    }
}
