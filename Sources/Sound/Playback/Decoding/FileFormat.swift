/// A kind of audio file that can be played: everything that depends on the format begins here.
struct FileFormat: Sendable {
    /// For people.
    let name: String
    /// The endings of its files' names, in lower case.
    let suffixes: [String]
    /// Whether a file begins as one of this format.
    let matches: @Sendable (FileHead) -> Bool
    /// Reads a file's header.
    let open: @Sendable (_ path: String, FileHead, FileInput) throws(DecoderError) -> any AudioFileReader

    /// In the order in which they are tried: MPEG is the last, because it can begin with anything. tacet.conf(5) has the
    /// same list.
    static let all = [flac, oggFLAC, ogg, wave, wave64, aiff, coreAudio, sun, mpeg]

    /// Opens a file by the bytes with which it begins. Its name only counts for a stream without a header.
    static func open(_ path: String, _ input: FileInput) throws(DecoderError) -> any AudioFileReader {
        var first: UInt8 = 0
        if input.read(into: &first, count: 1) < 0, let failure = input.readingError(path) { throw failure }
        input.begin(at: 0)
        let head = FileHead(suffix: pathExtension(path), input.source, size: input.bytes)
        guard !head.bytes.isEmpty, let format = all.first(where: { $0.matches(head) }) else {
            throw head.unknown(path)
        }
        return try format.open(path, head, input)
    }

    private static let flac = FileFormat(
        name: "FLAC", suffixes: ["flac"],
        matches: { head in
            // Without a header, a frame begins with this.
            head.has("fLaC")
                || head.suffix == "flac" && head.bytes.count > 2 && head.bytes[0] == 0xff
                    && head.bytes[1] & 0xfe == 0xf8
        },
        open: { path, _, input throws(DecoderError) in try FLACReader.open(path, input, isOgg: false) })

    private static let oggFLAC = FileFormat(
        name: "Ogg FLAC", suffixes: ["oga", "ogg"], matches: { $0.hasOggPacket([0x7f] + Array("FLAC".utf8)) },
        open: { path, _, input throws(DecoderError) in try FLACReader.open(path, input, isOgg: true) })

    private static let ogg = FileFormat(
        name: "Ogg Vorbis or Opus", suffixes: ["ogg", "oga", "opus"],
        matches: { head in
            head.hasOggPacket([1] + Array("vorbis".utf8)) || head.hasOggPacket(Array("OpusHead".utf8))
                || head.hasOggPacket(Array("fishead".utf8))
        },
        open: { path, head, input throws(DecoderError) in
            input.begin(at: head.tags)
            input.patch = OpusRate.patch(input.source, at: head.tags)
            input.end = OggScan.end(of: input.source, from: head.tags, size: head.size)
            return try SndfileReader.open(path, input)
        })

    private static let wave = FileFormat(
        name: "WAV", suffixes: ["wav", "wave", "rf64"],
        matches: { head in
            (head.has("RIFF") || head.has("RIFX") || head.has("RF64")) && head.has("WAVE", at: 8)
        },
        open: { path, head, input throws(DecoderError) in
            input.begin(at: head.tags)
            guard let outline = WAVOutline(input.source, at: head.tags, size: head.size) else {
                return try SndfileReader.open(path, input)
            }
            if outline.isMPEG, let frames = MPEGOutline(input.source, from: outline.data, size: head.size) {
                return try MPEGReader.open(path, input, frames)
            }
            input.patch = outline.patch
            return try SndfileReader.open(path, input, missing: outline.missing)
        })

    private static let wave64 = sndfile("Wave64", ["w64"]) { head in
        head.has(Array("riff".utf8) + [0x2e, 0x91, 0xcf, 0x11])
    }

    private static let aiff = FileFormat(
        name: "AIFF", suffixes: ["aif", "aiff", "aifc"],
        matches: { head in head.has("FORM") && (head.has("AIFF", at: 8) || head.has("AIFC", at: 8)) },
        open: { path, head, input throws(DecoderError) in
            input.begin(at: head.tags)
            let missing = WAVOutline.missing(fromAIFF: input.source, at: head.tags, size: head.size)
            return try SndfileReader.open(path, input, missing: missing)
        })

    private static let coreAudio = sndfile("CAF", ["caf"]) { $0.has("caff") }

    private static let sun = sndfile("AU", ["au"]) { $0.has(".snd") || $0.has("dns.") }

    private static let mpeg = FileFormat(
        name: "MP3", suffixes: ["mp3"],
        matches: { head in
            head.suffix == "mp3" || head.tags > 0 || MPEGHeader(head.bytes.prefix(MPEGHeader.size)) != nil
        },
        open: { path, head, input throws(DecoderError) in
            let mustBeginAtOnce = head.suffix != "mp3" || head.isForeign
            guard let outline = MPEGOutline(input.source, size: head.size, mustBeginAtOnce: mustBeginAtOnce) else {
                throw head.unknown(path)
            }
            return try MPEGReader.open(path, input, outline)
        })

    /// A format that libsndfile reads.
    private static func sndfile(
        _ name: String, _ suffixes: [String], _ matches: @escaping @Sendable (FileHead) -> Bool
    ) -> FileFormat {
        FileFormat(
            name: name, suffixes: suffixes, matches: matches,
            open: { path, head, input throws(DecoderError) in
                input.begin(at: head.tags)
                return try SndfileReader.open(path, input)
            })
    }
}

/// The file name extensions of tracks.
enum AudioExtension {
    private static let known = Set(FileFormat.all.flatMap(\.suffixes))

    static func matches(_ path: String) -> Bool {
        known.contains(pathExtension(path))
    }
}
