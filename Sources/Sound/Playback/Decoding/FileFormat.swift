/// A kind of audio file that can be played. Each is declared beside its reader, together with everything that depends
/// on it.
struct FileFormat: Sendable {
    /// The name of the format, for people.
    let name: String
    /// The extensions of its files' names, in lower case.
    let suffixes: [String]
    /// Returns true if a file begins like one of this format.
    let matches: @Sendable (FileHead) -> Bool
    /// Reads a file's header.
    let open: @Sendable (_ path: String, FileHead, FileInput) throws(DecoderError) -> any AudioFileReader

    /// The formats, in the order in which they are tried. MPEG is the last because it may begin with any bytes.
    /// Everything else that lists formats uses this list.
    static let all = [flac, oggFLAC, vorbis, opus, wave] + SampleContainer.all.map(FileFormat.init) + [mpeg]

    /// Opens a file according to the bytes with which it begins. Its name is only considered for a stream without a
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
    /// The formats that can be played, for people. Each has a name and the extensions of its files' names.
    public static var formats: [(name: String, suffixes: [String])] {
        FileFormat.all.map { ($0.name, $0.suffixes) }.sorted { $0.name < $1.name }
    }
}
