/// Where a WAV file's samples are, and how it must be corrected if its writer lost power before it wrote their size. Pure.
struct WAVOutline {
    /// The offset of the first sample.
    let data: Int
    /// Whether the samples are MP3, which libsndfile does not read.
    let isMPEG: Bool
    /// The right size, instead of that in the file; nil if it has one.
    let patch: FileInput.Patch?
    /// How many bytes of samples the file should have beyond its end; 0 if that is not known.
    let missing: Int

    private static let mostChunks = 1024

    /// - Parameters:
    ///   - start: the offset of "RIFF".
    ///   - size: of the file, in bytes.
    /// - Returns: nil if the file contains no samples.
    init?(_ source: some ByteSource, at start: Int, size: Int) {
        let isBigEndian = source.bytes(at: start, count: 4).elementsEqual("RIFX".utf8)
        var (offset, tag, size64) = (start + 12, 0, (place: 0, value: 0))
        for _ in 0..<Self.mostChunks {
            guard let chunk = Chunk(source, at: offset, isBigEndian: isBigEndian) else { return nil }
            let content = offset + Chunk.header
            switch chunk.name {
            case "fmt ": tag = Self.number(source.bytes(at: content, count: 2), isBigEndian)
            // The size of the file, and then that of the samples.
            case "ds64": size64 = (content + 8, Self.number(source.bytes(at: content + 8, count: 7), false))
            case "data":
                data = content
                isMPEG = tag == 0x55
                let declared = size64.place > 0 && chunk.size == UInt32.max ? size64.value : chunk.size
                missing = Self.isUnknown(declared) ? 0 : Self.missing(declared - (size - content))
                let isUnknown = size64.place > 0 ? size64.value == 0 : chunk.size == 0
                let rest = size - content
                guard isUnknown, rest > 0, !Self.chunksLead(from: content, to: size, source, isBigEndian) else {
                    patch = nil
                    return
                }
                patch =
                    size64.place > 0
                    ? FileInput.Patch(offset: size64.place, bytes: Self.bytes(rest, 8, false))
                    : FileInput.Patch(
                        offset: content - 4, bytes: Self.bytes(min(rest, Int(UInt32.max)), 4, isBigEndian))
                return
            default: break
            }
            offset = chunk.end
        }
        return nil
    }

    /// How many bytes of samples an AIFF file should have beyond its end; 0 if that is not known.
    /// - Parameters:
    ///   - start: the offset of "FORM".
    ///   - size: of the file, in bytes.
    static func missing(fromAIFF source: some ByteSource, at start: Int, size: Int) -> Int {
        var offset = start + 12
        for _ in 0..<mostChunks {
            guard let chunk = Chunk(source, at: offset, isBigEndian: true) else { return 0 }
            if chunk.name == "SSND" {
                return isUnknown(chunk.size) ? 0 : missing(chunk.size - (size - offset - Chunk.header))
            }
            offset = chunk.end
        }
        return 0
    }

    /// Whether a size stands for one that its writer did not know, in a stream: 0, or about as much as there can be. Some
    /// count with a sign, some leave room for the header.
    private static func isUnknown(_ size: Int) -> Bool {
        let room = 0x1_0000
        let mosts = [Int(UInt32.max), Int(Int32.max) + 1]
        return size == 0 || size > 1 << 47 || mosts.contains { ($0 - room...$0).contains(size) }
    }

    /// Some writers count the header, too, and nothing is missing.
    private static func missing(_ bytes: Int) -> Int { bytes > 512 ? bytes : 0 }

    /// Whether only chunks follow, and not samples: the file is really empty.
    private static func chunksLead(
        from start: Int, to end: Int, _ source: some ByteSource, _ isBigEndian: Bool
    ) -> Bool {
        var offset = start
        for _ in 0..<mostChunks where offset < end {
            guard let chunk = Chunk(source, at: offset, isBigEndian: isBigEndian) else { return false }
            offset = chunk.end
        }
        return offset == end || offset == end + 1
    }

    private static func number(_ bytes: [UInt8], _ isBigEndian: Bool) -> Int {
        (isBigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ number: Int, _ count: Int, _ isBigEndian: Bool) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }

    private struct Chunk {
        static let header = 8
        let name: String
        let size: Int
        /// The offset of the next one.
        let end: Int

        /// - Returns: nil if no chunk begins there.
        init?(_ source: some ByteSource, at offset: Int, isBigEndian: Bool) {
            let bytes = source.bytes(at: offset, count: Self.header)
            guard bytes.count == Self.header, bytes[..<4].allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
            name = String(decoding: bytes[..<4], as: UTF8.self)
            size = WAVOutline.number(Array(bytes[4...]), isBigEndian)
            end = offset + Self.header + size + size % 2
        }
    }
}
