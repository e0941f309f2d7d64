/// Determines the real block size of a FLAC file. This type is pure.
///
/// libFLAC computes the position of a frame from its number and the block size in STREAMINFO. Some programs write a
/// wrong size there, which would put all frames except the first at the wrong position.
enum FLACOutline {
    /// Returns STREAMINFO with the block size of the frames. The result is nil if STREAMINFO already contains this
    /// size, or if the frames have different sizes.
    /// - Parameter start: the offset at which the file begins, including its tags.
    static func patch(_ source: some ByteSource, at start: Int) -> FileInput.Patch? {
        guard let head = Self.head(source, taggedAt: start),
            let header = FLACHeader(source.bytes(at: head.frames, count: FLACHeader.longest)[...]),
            !header.isVariable, needsPatch(head, header, source)
        else { return nil }
        let size = [UInt8(truncatingIfNeeded: header.block >> 8), UInt8(truncatingIfNeeded: header.block)]
        guard let page = head.page else { return FileInput.Patch(offset: head.info, bytes: size + size) }
        return FileInput.Patch(
            offset: page.start, bytes: page.page.bytes(source, replacing: head.info, with: size + size))
    }

    private struct Head {
        /// The offset of the content of STREAMINFO.
        let info: Int
        /// The offset of the first frame.
        let frames: Int
        /// The page of STREAMINFO, in an Ogg container.
        var page: (start: Int, page: OggPage)?
    }

    /// Returns true if the block size must be corrected. If there is only one frame, it is at the right position and
    /// does not show the size of other frames. A frame that belongs to another file does not show it either.
    private static func needsPatch(_ head: Head, _ first: FLACHeader, _ source: some ByteSource) -> Bool {
        var info = ByteCursor(source.bytes(at: head.info, count: 4)[...])
        guard let least = info.bigEndian(2), let most = info.bigEndian(2), least != first.block || most != first.block
        else { return false }
        let next = FLACSearch.first(in: source, from: head.frames + 1) {
            let isNext = $0.number == first.number + 1 && $0.block <= first.block
            return !$0.isVariable && (isNext || $0.block == most && most != first.block)
        }
        return next.map { $0.block != most || most == first.block } ?? false
    }

    private static func head(_ source: some ByteSource, taggedAt offset: Int) -> Head? {
        let start = offset + MPEGTags.length(in: source, at: offset)
        return source.bytes(at: start, count: 4).elementsEqual("OggS".utf8)
            ? oggHead(source, at: start) : head(source, at: start)
    }

    private static let mostBlocks = 1024

    private static func head(_ source: some ByteSource, at start: Int) -> Head? {
        let info = start + 8
        guard source.bytes(at: start, count: 5).starts(with: "fLaC".utf8) else { return nil }
        var offset = start + 4
        for _ in 0..<mostBlocks {
            var block = ByteCursor(source.bytes(at: offset, count: 4)[...])
            guard let kind = block.byte(), let length = block.bigEndian(3) else { return nil }
            if offset == start + 4, kind & 0x7f != 0 { return nil }
            offset += 4 + length
            if kind & 0x80 != 0 { return Head(info: info, frames: offset) }
        }
        return nil
    }

    /// Returns the head of a stream in an Ogg container, in which the first frame begins a page.
    private static func oggHead(_ source: some ByteSource, at start: Int) -> Head? {
        guard let first = OggPage(source, at: start) else { return nil }
        var offset = first.body.upperBound
        for _ in 0..<mostBlocks {
            guard let page = OggPage(source, at: offset) else { return nil }
            let bytes = source.bytes(at: page.body.lowerBound, count: 2)
            if page.stream == first.stream, !page.isContinued, bytes.count == 2, bytes[0] == 0xff,
                bytes[1] & 0xfe == 0xf8
            {
                // The content follows the header of the Ogg mapping, "fLaC", and the header of the metadata block.
                return Head(
                    info: first.body.lowerBound + 17, frames: page.body.lowerBound, page: (start, first))
            }
            offset = page.body.upperBound
        }
        return nil
    }
}
