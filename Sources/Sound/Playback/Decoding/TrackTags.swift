import CSndfile

/// What a file says of itself.
public struct TrackTags: Hashable, Sendable {
    public var title: String?
    public var artist: String?
    public var album: String?
    public var genre: String?
    public var comment: String?
    public var trackNumber: Int?
    /// nil where the header does not say; an estimate for some MP3s.
    public var length: Duration?

    public init() {}

    /// Reads them: blocking, as the storage may take its time.
    /// - Throws: `DecoderError` where the file cannot be played.
    public static func read(_ file: Track) throws(DecoderError) -> TrackTags { try Decoder.open(file).tags }
}

extension Decoder {
    /// What the file says of itself.
    public var tags: TrackTags {
        var tags = TrackTags()
        tags.title = text(SF_STR_TITLE)
        tags.artist = text(SF_STR_ARTIST)
        tags.album = text(SF_STR_ALBUM)
        tags.genre = text(SF_STR_GENRE)
        tags.comment = text(SF_STR_COMMENT)
        // "3", or "3/12"
        tags.trackNumber = text(SF_STR_TRACKNUMBER).flatMap { Int($0.prefix { $0.isNumber }) }
        tags.length = likelyFrameCount.map { Duration(frames: $0, rate: format.rate) }
        return tags
    }

    /// Made valid, as files lie about their encoding.
    private func text(_ kind: Int) -> String? {
        guard let text = sf_get_string(file, Int32(kind)).map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        return text
    }
}
