/// A picture in an audio file's tags. libsndfile does not support pictures.
///
/// Because files are not trusted, every length is checked and the limits below apply. `read` blocks on the storage.
/// Everything else is pure.
public struct EmbeddedPicture: Hashable, Sendable {
    /// The format of the bytes, regardless of the type that the tag specifies.
    public enum Format: String, Hashable, Sendable {
        case jpeg = "jpg"
        case png, gif, webp
    }

    /// The maximum size of a picture, in bytes. Larger pictures are ignored.
    static let longest = 4 << 20
    /// The maximum number of bytes read from a file's tags.
    static let longestTag = 8 << 20

    public let format: Format
    public let bytes: [UInt8]

    /// - Returns: the front cover or, if there is none, the first picture. The result is nil if there is no picture in
    ///   a supported format.
    public static func read(_ track: Track) -> EmbeddedPicture? {
        FileBytes(track).flatMap { find(in: $0) }
    }

    /// Searches the tags of FLAC and Ogg (Vorbis or Opus) files, and ID3v2 tags, with which MP3 files and any other
    /// files may start.
    static func find(in source: some ByteSource) -> EmbeddedPicture? {
        let start = source.bytes(at: 0, count: 10)
        var candidates: [Candidate] = []
        var audio = 0
        if start.starts(with: Array("ID3".utf8)) {
            let tag = ID3Pictures(source)
            candidates = tag.candidates
            audio = tag.length
        }
        let magic = audio == 0 ? start : source.bytes(at: audio, count: 4)
        if magic.starts(with: Array("fLaC".utf8)) {
            candidates += FLACPictures.candidates(in: source, at: audio + 4)
        } else if magic.starts(with: Array("OggS".utf8)) {
            candidates += OggPictures.candidates(in: source)
        }
        let pictures = candidates.lazy.compactMap { candidate in
            EmbeddedPicture(candidate.bytes).map { (candidate.isFrontCover, $0) }
        }
        return (pictures.first { $0.0 } ?? pictures.first)?.1
    }

    /// The contents of a tag's picture field.
    struct Candidate {
        var isFrontCover: Bool
        var bytes: ArraySlice<UInt8>

        /// - Parameter type: ID3's picture type, which FLAC also uses.
        init(type: Int, _ bytes: ArraySlice<UInt8>) {
            isFrontCover = type == 3
            self.bytes = bytes
        }
    }

    /// - Returns: nil if the picture is too large or has a format that clients cannot display.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.longest, let format = Format(bytes) else { return nil }
        self.format = format
        self.bytes = Array(bytes)
    }
}

extension EmbeddedPicture.Format {
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.starts(with: Array("GIF8".utf8)) {
            self = .gif
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else {
            return nil
        }
    }
}
