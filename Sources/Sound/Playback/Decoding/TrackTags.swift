/// The tags of an audio file.
public struct TrackTags: Hashable, Sendable {
    public var title: String?
    public var artist: String?
    public var album: String?
    public var genre: String?
    public var comment: String?
    public var trackNumber: Int?
    /// Nil if the header does not contain it; an estimate for some MP3s.
    public var length: Duration?

    public init() {}

    /// Reads the tags of a file. Blocks on the storage.
    /// - Throws: `DecoderError` if the file cannot be played.
    public static func read(_ file: Track) throws(DecoderError) -> TrackTags { try Decoder.open(file).tags }

    /// "3", or "3/12"
    static func number(_ text: String) -> Int? { Int(text.prefix { $0.isNumber }) }
}
