/// A chunk of a container such as RIFF. This type is pure.
struct Chunk {
    /// The way in which a container stores its chunks.
    struct Layout: Sendable {
        /// The lengths of the name field, which begins with four letters, and of the size field, in bytes.
        let name: Int
        let size: Int
        let isBigEndian: Bool
        /// True if a size includes the name and size fields.
        var countsHeader = false
        /// The unit to which chunks are padded, in bytes.
        var alignment = 2

        static let little = Layout(name: 4, size: 4, isBigEndian: false)
        static let big = Layout(name: 4, size: 4, isBigEndian: true)
        static let wave64 = Layout(name: 16, size: 8, isBigEndian: false, countsHeader: true, alignment: 8)
        static let coreAudio = Layout(name: 4, size: 8, isBigEndian: true, alignment: 1)
    }

    let name: String
    /// The offset of the content.
    let content: Int
    /// The length of the content according to the chunk's header, in bytes.
    let size: Int
    /// The offset of the next chunk.
    let end: Int

    static let most = 1024

    /// - Returns: nil if no chunk begins at that offset.
    init?(_ source: some ByteSource, at offset: Int, _ layout: Layout) {
        let length = layout.name + layout.size
        let bytes = source.bytes(at: offset, count: length)
        guard bytes.count == length, bytes[..<4].allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
        name = String(decoding: bytes[..<4], as: UTF8.self)
        let number = Number.of(bytes[layout.name...], isBigEndian: layout.isBigEndian)
        content = offset + length
        size = layout.countsHeader ? max(0, number - length) : number
        let used = layout.countsHeader ? length + size : size
        end = content + size + (layout.alignment - used % layout.alignment) % layout.alignment
    }

    /// Returns the first chunk with this name.
    static func named(_ name: String, in source: some ByteSource, from start: Int, _ layout: Layout) -> Chunk? {
        var offset = start
        for _ in 0..<most {
            guard let chunk = Chunk(source, at: offset, layout) else { return nil }
            if chunk.name == name { return chunk }
            offset = chunk.end
        }
        return nil
    }
}

/// Reads the numbers in the headers of containers.
enum Number {
    /// Returns the number that bytes represent.
    /// - Parameter bytes: at most 8 bytes. If there are 8, the most significant one is ignored.
    static func of(_ bytes: some BidirectionalCollection<UInt8>, isBigEndian: Bool) -> Int {
        let digits = isBigEndian ? Array(bytes) : bytes.reversed()
        return digits.suffix(7).reduce(0) { $0 << 8 | Int($1) }
    }

    static func bytes(_ number: Int, _ count: Int, isBigEndian: Bool) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }
}
