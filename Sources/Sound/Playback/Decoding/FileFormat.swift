/// A kind of audio file that can be played. Each format is declared beside its reader, together with everything that
/// depends on the format.
struct FileFormat: Sendable {
    /// The human-readable name of the format.
    let name: String
    /// The file name extensions in lower case.
    let suffixes: [String]
    /// Returns true if a file begins like a file of this format.
    let matches: @Sendable (FileHead) -> Bool
    /// Reads a file's header.
    let open: @Sendable (_ path: String, FileHead, FileInput) throws(DecoderError) -> any AudioFileReader

    /// The formats, in the order in which they are tried. MPEG is the last one because such a file may begin with any
    /// bytes. Everything else that lists formats uses this list.
    static let all = [flac, oggFLAC, vorbis, opus, wave] + SampleContainer.all.map(FileFormat.init) + [mpeg]

    /// Opens a file in the format that its first bytes indicate. Its name is considered only for a stream without a
    /// header.
    static func open(_ path: String, _ input: FileInput) throws(DecoderError) -> any AudioFileReader {
        var first: UInt8 = 0
        if input.read(into: &first, count: 1) < 0, let failure = input.readingError(path) { throw failure }
        return try open(path, input, 0..<input.bytes)
    }

    /// Opens a part of a file.
    static func open(
        _ path: String, _ input: FileInput, _ part: Range<Int>
    ) throws(DecoderError) -> any AudioFileReader {
        input.begin(at: part.lowerBound, end: part.upperBound)
        let head = FileHead(
            suffix: pathExtension(path), input.source, at: part.lowerBound, size: part.upperBound)
        guard !head.bytes.isEmpty, let format = all.first(where: { $0.matches(head) }) else {
            throw head.unknown(path)
        }
        return try format.open(path, head, input)
    }
}

/// The file name extensions of tracks.
enum AudioExtension {
    private static let known = Set(FileFormat.all.flatMap(\.suffixes))

    static func matches(_ path: String) -> Bool {
        known.contains(pathExtension(path))
    }
}

extension Decoder {
    /// The names of the formats that can be played, with their file name extensions.
    public static var formats: [(name: String, suffixes: [String])] {
        FileFormat.all.map { ($0.name, $0.suffixes) }.sorted { $0.name < $1.name }
    }
}
