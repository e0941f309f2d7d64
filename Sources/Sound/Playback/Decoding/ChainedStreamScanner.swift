/// Finds the audio in a file beyond the point at which a library stops. libsndfile and libFLAC read only the first of
/// several consecutive streams, which may differ in rate and channels. libFLAC also reads only as many frames as the
/// header specifies.
enum ChainedStreamScanner {
    private static let reach = 128 * 1024

    /// Returns true if another Ogg stream follows the first one.
    /// - Parameters:
    ///   - offset: the offset up to which the file has been read. libsndfile reads some bytes ahead.
    ///   - start: the offset at which the first stream begins.
    static func hasOggStream(_ file: some ByteSource, near offset: Int, from start: Int) -> Bool {
        let bytes = file.bytes(at: max(start, offset - reach), count: 2 * reach)
        var (index, isInStream) = (0, false)
        while index + 27 <= bytes.count {
            guard bytes[index..<index + 5].elementsEqual([0x4F, 0x67, 0x67, 0x53, 0]) else {  // OggS, version 0
                index += 1
                continue
            }
            // Streams that are played at the same time all begin before the first page of data.
            let isFirstPage = bytes[index + 5] & 2 != 0
            if isFirstPage, isInStream { return true }
            isInStream = !isFirstPage
            let table = bytes[(index + 27)...].prefix(Int(bytes[index + 26]))
            index += 27 + table.count + table.reduce(0) { $0 + Int($1) }
        }
        return false
    }

    enum FLACPart { case stream, streamOrFrame }

    /// Returns true if FLAC data begins at an offset, or after tags at this offset.
    static func hasFLAC(_ file: some ByteSource, at offset: Int, _ part: FLACPart) -> Bool {
        var start = offset
        if file.bytes(at: start, count: 3).elementsEqual("TAG".utf8) { start += 128 }
        start += MPEGTags.length(in: file, at: start)
        let bytes = file.bytes(at: start, count: FLACHeader.longest)
        return bytes.starts(with: "fLaC".utf8) || part == .streamOrFrame && FLACHeader(bytes[...]) != nil
    }

    /// Creates the error for a file in which another stream follows the first one.
    static func error(_ path: String, after position: Int) -> DecoderError {
        DecoderError(
            .unsupported, "play", path,
            message: "more audio follows after frame \(position), where its first stream ends",
            advice: "make it one stream with one rate and number of channels")
    }
}
