/// The beginning of a file, by which its format is recognised.
struct FileHead {
    /// The file name extension in lower case, or an empty text if the name does not have one.
    let suffix: String
    /// The number of bytes of the file.
    let size: Int
    /// The offset at which the file's format begins. It follows any ID3v2 tags, which programs put before files of
    /// every format, and the header of an Ogg stream that only describes other streams.
    let start: Int
    /// The bytes that begin at `start`.
    let bytes: [UInt8]

    static let length = 512

    init(suffix: String, _ source: some ByteSource, at offset: Int = 0, size: Int) {
        (self.suffix, self.size) = (suffix, size)
        let tagged = offset + MPEGTags.length(in: source, at: offset)
        let page = OggPage(source, at: tagged)
        let isSkeleton = page.map { source.bytes(at: $0.body.lowerBound, count: 7).elementsEqual("fishead".utf8) }
        start = isSkeleton == true ? page?.body.upperBound ?? tagged : tagged
        bytes = source.bytes(at: start, count: Self.length)
    }

    func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { self.bytes.dropFirst(offset).starts(with: bytes) }

    /// Returns true if the first packet of an Ogg stream begins with these bytes.
    func hasOggPacket(_ bytes: [UInt8]) -> Bool {
        guard has("OggS"), self.bytes.count > 26 else { return false }
        return has(bytes, at: 27 + Int(self.bytes[26]))
    }

    /// Creates the error for a file that no decoder reads.
    func unknown(_ path: String) -> DecoderError {
        if bytes.isEmpty {
            return DecoderError(
                .noAudio, "open", path,
                message: start == 0 ? "the file is empty (0 bytes)" : "it holds a tag, and no audio")
        }
        if let name = ForeignFormat.of(bytes)?.name {
            return DecoderError(
                .unsupported, "play", path, message: "it is \(name)",
                advice: "convert it to FLAC, Opus or MP3, for example with ffmpeg, or remove it")
        }
        let more = foreignContent.map { ": it is \($0)" } ?? ""
        return DecoderError(.notAudio, "play", path, message: "it is not audio\(more)")
    }

    /// True if the file certainly has another format and is not an MP3 that begins with other data.
    var isForeign: Bool { ForeignFormat.of(bytes) != nil || knownContent != nil }

    private var knownContent: String? { Self.content.first { $0.magic.matches(bytes) }?.name }

    private var foreignContent: String? {
        if let knownContent { return knownContent }
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
        return !isText ? nil : bytes.first { $0 > 0x20 } == UInt8(ascii: "<") ? "a web page, or XML" : "text"
    }

    private static let content: [(magic: Magic, name: String)] = [
        (Magic("PK\u{3}\u{4}"), "a ZIP archive"), (Magic("%PDF"), "a PDF"), (Magic([0xff, 0xd8, 0xff]), "a picture"),
        (Magic([0x89, 0x50, 0x4e, 0x47]), "a picture"), (Magic("GIF8"), "a picture"), (Magic("\u{7f}ELF"), "a program"),
        (Magic("#EXTM3U"), "a playlist"), (Magic("[playlist]"), "a playlist"), (Magic("Rar!"), "an archive"),
        (Magic([0x37, 0x7a, 0xbc, 0xaf]), "an archive"), (Magic([0x1f, 0x8b]), "a compressed file"),
    ]
}
