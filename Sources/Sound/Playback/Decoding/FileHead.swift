/// The beginning of a file, by which its format is recognised.
struct FileHead {
    /// In lower case; empty if the name has none.
    let suffix: String
    /// The number of bytes of the file.
    let size: Int
    /// The length of the ID3v2 tags at its start, which programs put before any format.
    let tags: Int
    /// The bytes after these tags.
    let bytes: [UInt8]

    static let length = 512

    init(suffix: String, _ source: some ByteSource, size: Int) {
        self.suffix = suffix
        self.size = size
        tags = MPEGTags.lengthAtStart(of: source)
        bytes = source.bytes(at: tags, count: Self.length)
    }

    func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { self.bytes.dropFirst(offset).starts(with: bytes) }

    /// Whether the first packet of an Ogg stream begins with these bytes.
    func hasOggPacket(_ bytes: [UInt8]) -> Bool {
        guard has("OggS"), self.bytes.count > 26 else { return false }
        return has(bytes, at: 27 + Int(self.bytes[26]))
    }

    /// The error of a file that no decoder reads.
    func unknown(_ path: String) -> DecoderError {
        if bytes.isEmpty {
            return DecoderError(
                .noAudio, "open", path,
                message: tags == 0 ? "the file is empty (0 bytes)" : "it holds a tag, and no audio")
        }
        if let name = foreignAudio {
            return DecoderError(
                .unsupported, "play", path, message: "it is \(name)",
                advice: "convert it to FLAC, Opus or MP3, for example with ffmpeg, or remove it")
        }
        let more = foreignContent.map { ": it is \($0)" } ?? ""
        return DecoderError(.notAudio, "play", path, message: "it is not audio\(more)")
    }

    /// Whether it is certainly something else, and no MP3 that begins with other bytes.
    var isForeign: Bool { foreignAudio != nil || knownContent != nil }

    /// The name of a format of audio that Tacet does not play; nil if it is none.
    private var foreignAudio: String? {
        if has([0x56]), bytes.count > 2, bytes[1] & 0xe0 == 0xe0 { return "AAC" }
        if has([0xff]), bytes.count > 2, bytes[1] & 0xf6 == 0xf0 { return "AAC" }
        if has("ftyp", at: 4) { return "AAC, ALAC or a film in an MP4 container (.m4a, .mp4)" }
        return Self.audio.first { has($0.bytes, at: $0.offset) }?.name
    }

    private var knownContent: String? { Self.content.first { has($0.bytes, at: $0.offset) }?.name }

    private var foreignContent: String? {
        if let knownContent { return knownContent }
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
        return !isText ? nil : bytes.first { $0 > 0x20 } == UInt8(ascii: "<") ? "a web page, or XML" : "text"
    }

    private typealias Magic = (offset: Int, bytes: [UInt8], name: String)

    private static let audio: [Magic] = [
        (0, Array("ADIF".utf8), "AAC"), (0, [0x30, 0x26, 0xb2, 0x75], "Windows Media (.wma)"),
        (0, [0x1a, 0x45, 0xdf, 0xa3], "Matroska or WebM"), (0, Array("MAC ".utf8), "Monkey's Audio (.ape)"),
        (0, Array("wvpk".utf8), "WavPack (.wv)"), (0, Array("MPCK".utf8), "Musepack (.mpc)"),
        (0, Array("MP+".utf8), "Musepack (.mpc)"), (0, Array("TTA1".utf8), "True Audio (.tta)"),
        (0, Array("DSD ".utf8), "DSD (.dsf)"), (0, Array("FRM8".utf8), "DSD (.dff)"), (0, Array("#!AMR".utf8), "AMR"),
        (0, Array("OFR ".utf8), "OptimFROG"), (0, Array("MThd".utf8), "MIDI"), (0, Array(".RMF".utf8), "RealAudio"),
        (0, [0x0b, 0x77], "AC-3"), (0, Array("Creative Voice File".utf8), "VOC"), (8, Array("8SVX".utf8), "IFF 8SVX"),
        (8, Array("16SV".utf8), "IFF 16SV"), (0, Array("NIST_1A".utf8), "NIST SPHERE"), (0, Array(" paf".utf8), "PAF"),
        (0, Array("fap ".utf8), "PAF"), (0, Array("2BIT".utf8), "AVR"), (0, Array("PVF1".utf8), "PVF"),
        (0, Array("Extended Instrument".utf8), "an instrument (.xi)"), (0, Array("MATLAB".utf8), "MATLAB"),
        (0, [0x64, 0xa3], "IRCAM"), (0, [0, 0, 1, 0xba], "a film (MPEG)"), (8, Array("AVI ".utf8), "a film (AVI)"),
        (28, [1] + Array("Speex".utf8), "Speex"), (28, Array("Speex".utf8), "Speex"),
        (29, Array("theora".utf8), "a film (Ogg Theora)"),
    ]

    private static let content: [Magic] = [
        (0, Array("PK".utf8) + [3, 4], "a ZIP archive"), (0, Array("%PDF".utf8), "a PDF"),
        (0, [0xff, 0xd8, 0xff], "a picture"), (0, [0x89] + Array("PNG".utf8), "a picture"),
        (0, Array("GIF8".utf8), "a picture"), (0, [0x7f] + Array("ELF".utf8), "a program"),
        (0, Array("#EXTM3U".utf8), "a playlist"), (0, Array("[playlist]".utf8), "a playlist"),
        (0, Array("Rar!".utf8), "an archive"), (0, [0x37, 0x7a, 0xbc, 0xaf], "an archive"),
        (0, [0x1f, 0x8b], "a compressed file"),
    ]
}
