/// The pictures in FLAC's metadata blocks (RFC 9639, section 8).
enum FLACPictures {
    private static let pictureBlock = 6
    /// The maximum number of metadata blocks that are read, which is more than any real file contains.
    private static let mostBlocks = 512

    /// - Parameter offset: the offset of the first block.
    static func candidates(in source: some ByteSource, at offset: Int) -> [EmbeddedPicture.Candidate] {
        var offset = offset
        var found: [EmbeddedPicture.Candidate] = []
        var budget = EmbeddedPicture.longestTag
        for _ in 0..<mostBlocks {
            var header = ByteCursor(source.bytes(at: offset, count: 4)[...])
            guard let kind = header.byte(), let length = header.bigEndian(3) else { break }
            if Int(kind & 0x7f) == pictureBlock, length <= budget {
                budget -= length
                picture(source.bytes(at: offset + 4, count: length)[...]).map { found.append($0) }
            }
            if kind & 0x80 != 0 { break }
            offset += 4 + length
        }
        return found
    }

    /// Reads the contents of a picture block, which Vorbis comments also use.
    static func picture(_ block: ArraySlice<UInt8>) -> EmbeddedPicture.Candidate? {
        var block = ByteCursor(block)
        guard let type = block.bigEndian(4), let mime = block.bigEndian(4), block.take(mime) != nil,
            let description = block.bigEndian(4), block.take(description) != nil,
            // Skip the width, height, depth and number of colours.
            block.take(16) != nil,
            let length = block.bigEndian(4), let bytes = block.take(length)
        else { return nil }
        return EmbeddedPicture.Candidate(type: type, bytes)
    }
}
