import CSndfile

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
}

extension Decoder {
    /// The tags of the file.
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

    /// Replaces invalid UTF-8, because tags are not always in the encoding they claim.
    private func text(_ kind: Int) -> String? {
        guard let text = sf_get_string(file, Int32(kind)).map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        return text
    }
}
