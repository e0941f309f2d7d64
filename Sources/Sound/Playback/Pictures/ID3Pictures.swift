/// The pictures in an ID3v2 tag at the start of a file. Versions 2.2, 2.3 and 2.4 (id3.org) are supported.
struct ID3Pictures {
    private(set) var candidates: [EmbeddedPicture.Candidate] = []
    /// The length of the whole tag in bytes, or 0 if there is none.
    private(set) var length = 0

    private struct Frame {
        let type: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>
    }

    init(_ source: some ByteSource) {
        var header = ByteCursor(source.bytes(at: 0, count: 10)[...])
        guard header.take(3)?.elementsEqual("ID3".utf8) == true, let version = header.byte(), header.byte() != nil,
            let flags = header.byte(), let size = header.synchsafe(), (2...4).contains(version)
        else { return }
        // A footer repeats the header.
        length = 10 + size + (flags & 0x10 != 0 ? 10 : 0)
        var tag = source.bytes(at: 10, count: min(size, EmbeddedPicture.longestTag))
        let isUnsynchronised = flags & 0x80 != 0
        if isUnsynchronised, version < 4 { tag = tag[...].synchronised }
        var cursor = ByteCursor(tag[...])
        if flags & 0x40 != 0, !ID3Pictures.skipExtendedHeader(&cursor, version: version) { return }
        while let frame = ID3Pictures.frame(&cursor, version: version) {
            if let candidate = ID3Pictures.picture(frame, version: version) { candidates.append(candidate) }
        }
    }

    private static func skipExtendedHeader(_ cursor: inout ByteCursor, version: UInt8) -> Bool {
        switch version {
        case 3: cursor.bigEndian(4).flatMap { cursor.take($0) } != nil
        // In this version, the length of the extended header includes the length field itself.
        case 4: cursor.synchsafe().flatMap { cursor.take($0 - 4) } != nil
        default: false
        }
    }

    /// - Returns: nil at the end, or if the frame is malformed.
    private static func frame(_ cursor: inout ByteCursor, version: UInt8) -> Frame? {
        let width = version == 2 ? 3 : 4
        guard let type = cursor.take(width), type.allSatisfy({ $0 != 0 }),
            let size = version == 4 ? cursor.synchsafe() : cursor.bigEndian(width)
        else { return nil }
        guard version > 2 else { return cursor.take(size).map { Frame(type: type, content: $0) } }
        guard let flags = cursor.bigEndian(2), var content = cursor.take(size) else { return nil }
        // Compressed or encrypted frames are not supported.
        if flags & (version == 3 ? 0xc0 : 0x0c) != 0 { return Frame(type: type, content: []) }
        // Skip the group's byte and then the field that contains the length that the content had before
        // unsynchronisation.
        if flags & (version == 3 ? 0x20 : 0x40) != 0 { content = content.dropFirst() }
        if version == 4, flags & 0x01 != 0 { content = content.dropFirst(4) }
        if version == 4, flags & 0x02 != 0 { content = content.synchronised[...] }
        return Frame(type: type, content: content)
    }

    private static func picture(_ frame: Frame, version: UInt8) -> EmbeddedPicture.Candidate? {
        guard frame.type.elementsEqual((version == 2 ? "PIC" : "APIC").utf8) else { return nil }
        var content = ByteCursor(frame.content)
        guard let encoding = content.byte(),
            version == 2 ? content.take(3) != nil : content.skipText(width: 1),
            let type = content.byte(),
            // UTF-16 has two bytes per character.
            content.skipText(width: encoding == 1 || encoding == 2 ? 2 : 1)
        else { return nil }
        return EmbeddedPicture.Candidate(type: Int(type), content.remaining)
    }
}
