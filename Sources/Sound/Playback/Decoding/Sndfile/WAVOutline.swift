/// The position of a WAV file's samples, and the correction that the file needs if its writer lost power before it
/// wrote the size of the samples. This type is pure.
struct WAVOutline {
    /// The offset of the first sample.
    let data: Int
    /// True if the samples are MP3, which libsndfile does not read.
    let isMPEG: Bool
    /// The correct size, which replaces the size in the file, or nil if the file contains the correct size.
    let patch: FileInput.Patch?
    /// The number of bytes of samples that the file should have beyond its end, or 0 if this number is unknown.
    let missing: Int

    /// - Parameters:
    ///   - start: the offset of "RIFF".
    ///   - size: the size of the file in bytes.
    /// - Returns: nil if the file does not contain samples.
    init?(_ source: some ByteSource, at start: Int, size: Int) {
        let isBigEndian = source.bytes(at: start, count: 4).elementsEqual("RIFX".utf8)
        let layout = isBigEndian ? Chunk.Layout.big : .little
        var (offset, tag, size64) = (start + 12, 0, (place: 0, value: 0))
        for _ in 0..<Chunk.most {
            guard let chunk = Chunk(source, at: offset, layout) else { return nil }
            switch chunk.name {
            case "fmt ": tag = Number.of(source.bytes(at: chunk.content, count: 2), isBigEndian: isBigEndian)
            // This chunk contains the size of the file, followed by the size of the samples.
            case "ds64":
                let place = chunk.content + 8
                size64 = (place, Number.of(source.bytes(at: place, count: 7), isBigEndian: false))
            case "data":
                data = chunk.content
                isMPEG = tag == 0x55
                let rest = size - chunk.content
                missing = SampleOutline.missing(
                    size64.place > 0 && chunk.size == UInt32.max ? size64.value : chunk.size, of: rest)
                let isUnknown = size64.place > 0 ? size64.value == 0 : chunk.size == 0
                guard isUnknown, rest > 0, !Self.chunksLead(from: chunk.content, to: size, source, layout) else {
                    patch = nil
                    return
                }
                patch =
                    size64.place > 0
                    ? FileInput.Patch(offset: size64.place, bytes: Number.bytes(rest, 8, isBigEndian: false))
                    : FileInput.Patch(
                        offset: chunk.content - 4,
                        bytes: Number.bytes(min(rest, Int(UInt32.max)), 4, isBigEndian: isBigEndian))
                return
            default: break
            }
            offset = chunk.end
        }
        return nil
    }

    /// Returns true if only other chunks follow, and not samples. In this case, the file really does not contain
    /// samples.
    private static func chunksLead(
        from start: Int, to end: Int, _ source: some ByteSource, _ layout: Chunk.Layout
    ) -> Bool {
        var offset = start
        for _ in 0..<Chunk.most where offset < end {
            guard let chunk = Chunk(source, at: offset, layout) else { return false }
            offset = chunk.end
        }
        return offset == end || offset == end + 1
    }
}
