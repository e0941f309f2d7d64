extension TrackTags {
    /// Reads the tags of a file. The call blocks on the storage.
    /// - Throws: `DecoderError` if the file cannot be played.
    public static func read(_ file: Track) throws(DecoderError) -> TrackTags { try Decoder.open(file).tags }
}
