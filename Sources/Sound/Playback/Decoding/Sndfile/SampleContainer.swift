/// A container of uncompressed samples that libsndfile reads without further help. This type is pure.
struct SampleContainer: Sendable {
    /// The human-readable name.
    let name: String
    /// The file name extensions in lower case.
    let suffixes: [String]
    /// Returns true if a file begins like a file with this container.
    let matches: @Sendable (FileHead) -> Bool
    /// Compares the size that the header specifies for the samples with the size of the rest of the file.
    /// - Parameters:
    ///   - start: the offset of the container.
    ///   - size: the size of the file in bytes.
    let outline: @Sendable (_ source: any ByteSource, _ start: Int, _ size: Int) -> SampleOutline

    /// The containers, in the order in which they are tried.
    static let all = [
        SampleContainer(
            name: "Wave64", suffixes: ["w64"], matches: { $0.has(Array("riff".utf8) + [0x2e, 0x91, 0xcf, 0x11]) },
            outline: { source, start, size in
                SampleOutline(of: Chunk.named("data", in: source, from: start + 40, .wave64), size: size)
            }),
        SampleContainer(
            name: "AIFF", suffixes: ["aif", "aiff", "aifc"],
            matches: { $0.has("FORM") && ($0.has("AIFF", at: 8) || $0.has("AIFC", at: 8)) },
            outline: { source, start, size in
                SampleOutline(of: Chunk.named("SSND", in: source, from: start + 12, .big), size: size)
            }),
        SampleContainer(name: "CAF", suffixes: ["caf"], matches: { $0.has("caff") }, outline: coreAudio),
        SampleContainer(
            name: "AU", suffixes: ["au"], matches: { $0.has(".snd") || $0.has("dns.") }, outline: sun),
    ]

    /// Creates an outline of a CAF file. libsndfile rejects a size that extends beyond the end of the file, so the
    /// outline corrects it.
    @Sendable private static func coreAudio(_ source: any ByteSource, _ start: Int, _ size: Int) -> SampleOutline {
        guard let chunk = Chunk.named("data", in: source, from: start + 8, .coreAudio) else { return SampleOutline() }
        var outline = SampleOutline(of: chunk, size: size)
        let rest = size - chunk.content
        if chunk.size > rest {
            outline.patch = FileInput.Patch(
                offset: chunk.content - 8, bytes: Number.bytes(rest, 8, isBigEndian: true))
        }
        return outline
    }

    @Sendable private static func sun(_ source: any ByteSource, _ start: Int, _ size: Int) -> SampleOutline {
        let header = source.bytes(at: start, count: 12)
        guard header.count == 12 else { return SampleOutline() }
        let isBigEndian = header[0] == UInt8(ascii: ".")
        let declared = Number.of(header[8...], isBigEndian: isBigEndian)
        let rest = size - start - Number.of(header[4..<8], isBigEndian: isBigEndian)
        return SampleOutline(missing: SampleOutline.missing(declared, of: rest))
    }
}
