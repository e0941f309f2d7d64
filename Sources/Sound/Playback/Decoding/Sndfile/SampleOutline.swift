/// The error in the size that a container's header gives for its samples, if its writer or a copy was interrupted. This
/// type is pure.
struct SampleOutline {
    /// The correct size, which replaces that in the file, or nil if libsndfile can read the file unchanged.
    var patch: FileInput.Patch?
    /// The number of bytes of samples that the file should have beyond its end, or 0 if that is not known.
    var missing = 0

    /// - Parameters:
    ///   - start: the offset of the container.
    ///   - size: the size of the file in bytes.
    static func aiff(_ source: some ByteSource, at start: Int, size: Int) -> SampleOutline {
        SampleOutline(of: Chunk.named("SSND", in: source, from: start + 12, .big), size: size)
    }

    static func wave64(_ source: some ByteSource, at start: Int, size: Int) -> SampleOutline {
        SampleOutline(of: Chunk.named("data", in: source, from: start + 40, .wave64), size: size)
    }

    /// Creates an outline of a CAF file. libsndfile rejects a size beyond the end of the file, so this outline corrects
    /// it.
    static func coreAudio(_ source: some ByteSource, at start: Int, size: Int) -> SampleOutline {
        guard let chunk = Chunk.named("data", in: source, from: start + 8, .coreAudio) else { return SampleOutline() }
        var outline = SampleOutline(of: chunk, size: size)
        let rest = size - chunk.content
        if chunk.size > rest {
            outline.patch = FileInput.Patch(
                offset: chunk.content - 8, bytes: Number.bytes(rest, 8, isBigEndian: true))
        }
        return outline
    }

    static func sun(_ source: some ByteSource, at start: Int, size: Int) -> SampleOutline {
        let header = source.bytes(at: start, count: 12)
        guard header.count == 12 else { return SampleOutline() }
        let isBigEndian = header[0] == UInt8(ascii: ".")
        let declared = Number.of(header[8...], isBigEndian: isBigEndian)
        let rest = size - start - Number.of(header[4..<8], isBigEndian: isBigEndian)
        return SampleOutline(missing: missing(declared, of: rest))
    }

    private init(patch: FileInput.Patch? = nil, missing: Int = 0) { (self.patch, self.missing) = (patch, missing) }

    private init(of chunk: Chunk?, size: Int) {
        missing = chunk.map { Self.missing($0.size, of: size - $0.content) } ?? 0
    }

    /// Returns the number of declared bytes that are missing, or 0 if the number is not valid. Some writers also count
    /// the header, in which case nothing is missing.
    static func missing(_ declared: Int, of rest: Int) -> Int {
        isUnknown(declared) || declared - rest <= 512 ? 0 : declared - rest
    }

    /// Returns true if a size indicates that its writer did not know it because it wrote a stream. Such a size is 0 or
    /// close to the largest possible number. Some writers use a signed number, and some leave room for the header.
    private static func isUnknown(_ size: Int) -> Bool {
        let room = 0x1_0000
        let mosts = [Int(UInt32.max), Int(Int32.max) + 1]
        return size == 0 || size > 1 << 47 || mosts.contains { ($0 - room...$0).contains(size) }
    }
}
