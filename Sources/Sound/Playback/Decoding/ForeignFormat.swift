/// A format of music or films that cannot be played. Messages about such files contain the name of the format, and
/// libraries count these files.
struct ForeignFormat: Sendable {
    /// The human-readable name, which completes the sentence "it is …".
    let name: String
    /// The file name extensions in lower case.
    let suffixes: [String]
    let magic: [Magic]

    private init(_ name: String, _ suffixes: [String] = [], _ magic: Magic...) {
        (self.name, self.suffixes, self.magic) = (name, suffixes, magic)
    }

    private init(_ name: String, _ suffixes: [String], anyOf magic: [Magic]) {
        (self.name, self.suffixes, self.magic) = (name, suffixes, magic)
    }

    static let suffixes = Set(all.flatMap(\.suffixes))

    /// Returns the format of a file that begins with these bytes, or nil if it has none of these formats.
    static func of(_ head: [UInt8]) -> ForeignFormat? {
        all.first { $0.magic.contains { $0.matches(head) } }
    }

    /// The formats, in the order in which they are tried.
    static let all: [ForeignFormat] = [
        ForeignFormat("AAC", ["aac"], anyOf: aac),
        ForeignFormat(
            "AAC, ALAC or a film in an MP4 container (.m4a, .mp4)",
            ["3ga", "3gp", "alac", "m4a", "m4b", "m4p", "m4r", "m4v", "mov", "mp4"], Magic("ftyp", at: 4)),
        ForeignFormat("Windows Media (.wma)", ["asf", "wma", "wmv"], Magic([0x30, 0x26, 0xb2, 0x75])),
        ForeignFormat("Matroska or WebM", ["mka", "mkv", "webm"], Magic([0x1a, 0x45, 0xdf, 0xa3])),
        ForeignFormat("Monkey's Audio (.ape)", ["ape"], Magic("MAC ")),
        ForeignFormat("WavPack (.wv)", ["wv"], Magic("wvpk")),
        ForeignFormat("Musepack (.mpc)", ["mpc"], Magic("MPCK"), Magic("MP+")),
        ForeignFormat("True Audio (.tta)", ["tta"], Magic("TTA1")),
        ForeignFormat("DSD (.dsf)", ["dsf"], Magic("DSD ")), ForeignFormat("DSD (.dff)", ["dff"], Magic("FRM8")),
        ForeignFormat("AMR", ["amr"], Magic("#!AMR")), ForeignFormat("OptimFROG", ["ofr"], Magic("OFR ")),
        ForeignFormat("MIDI", ["mid", "midi"], Magic("MThd")),
        ForeignFormat("RealAudio", ["ra", "ram", "rm"], Magic(".RMF")),
        ForeignFormat("AC-3", ["ac3", "eac3"], Magic([0x0b, 0x77])),
        ForeignFormat("VOC", [], Magic("Creative Voice File")), ForeignFormat("IFF 8SVX", [], Magic("8SVX", at: 8)),
        ForeignFormat("IFF 16SV", [], Magic("16SV", at: 8)), ForeignFormat("NIST SPHERE", [], Magic("NIST_1A")),
        ForeignFormat("PAF", [], Magic(" paf"), Magic("fap ")), ForeignFormat("AVR", [], Magic("2BIT")),
        ForeignFormat("PVF", [], Magic("PVF1")),
        ForeignFormat("an instrument (.xi)", [], Magic("Extended Instrument")),
        ForeignFormat("MATLAB", [], Magic("MATLAB")), ForeignFormat("IRCAM", [], Magic([0x64, 0xa3])),
        ForeignFormat("a film (MPEG)", ["mpeg", "mpg"], Magic([0, 0, 1, 0xba])),
        ForeignFormat("a film (AVI)", ["avi"], Magic("AVI ", at: 8)),
        ForeignFormat("Speex", ["spx"], Magic("\u{1}Speex", at: 28), Magic("Speex", at: 28)),
        ForeignFormat("a film (Ogg Theora)", [], Magic("theora", at: 29)),
        ForeignFormat("DTS", ["dts"]), ForeignFormat("MPEG Layer II", ["mp2"]),
        ForeignFormat("a tracker's module", ["it", "mod", "s3m", "xm"]), ForeignFormat("Shorten", ["shn"]),
        ForeignFormat("TAK", ["tak"]),
    ]

    /// The first bits of the frames of an AAC stream.
    private static let aac =
        (0xe0...0xff).map { Magic([0x56, $0]) } + [0xf0, 0xf1, 0xf8, 0xf9].map { Magic([0xff, $0]) } + [Magic("ADIF")]
}

/// The bytes at the beginning of a file that identify its format.
struct Magic: Sendable {
    private let offset: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], at offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

    init(_ text: String, at offset: Int = 0) { self.init(Array(text.utf8), at: offset) }

    func matches(_ head: [UInt8]) -> Bool { head.dropFirst(offset).starts(with: bytes) }
}
