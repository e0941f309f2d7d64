/// Pictures in the comments of Ogg Vorbis and Ogg Opus: FLAC's blocks in base 64 (RFC 3533, RFC 7845).
enum OggPictures {
    private static let key = "METADATA_BLOCK_PICTURE="

    static func candidates(in source: some ByteSource) -> [EmbeddedPicture.Candidate] {
        // In base 64 a picture takes a third more.
        let start = source.bytes(at: 0, count: EmbeddedPicture.longestTag)
        guard let packet = secondPacket(of: start[...]), let comments = comments(in: packet) else { return [] }
        return comments.compactMap { comment in
            guard comment.count > key.utf8.count,
                zip(comment, key.utf8).allSatisfy({ $0 == $1 || $0 == $1 + 32 && (65...90).contains($1) })
            else { return nil }
            return Base64.decode(comment.dropFirst(key.utf8.count)).flatMap { FLACPictures.picture($0[...]) }
        }
    }

    /// The one with the comments, of the first stream. Pages of others are passed over.
    private static func secondPacket(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var cursor = ByteCursor(bytes)
        var stream: Int?
        var packets = 0
        var packet: [UInt8] = []
        while cursor.take(4)?.elementsEqual("OggS".utf8) == true {
            // Version, flags and position; then stream, number and checksum.
            guard cursor.take(10) != nil, let serial = cursor.littleEndian(4), cursor.take(8) != nil,
                let count = cursor.byte(), let lacing = cursor.take(Int(count))
            else { return nil }
            let isOurs = serial == stream ?? serial
            stream = stream ?? serial
            for length in lacing {
                guard let segment = cursor.take(Int(length)) else { return nil }
                guard isOurs else { continue }
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
