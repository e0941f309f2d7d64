extension FileFormat {
    static let vorbis = FileFormat(
        name: "Ogg Vorbis", suffixes: ["ogg", "oga"], matches: { $0.hasOggPacket([1] + Array("vorbis".utf8)) },
        open: { path, head, input throws(DecoderError) in try openOgg(path, head, input, openSndfile) })

    static let opus = FileFormat(
        name: "Opus", suffixes: ["opus", "ogg", "oga"], matches: { $0.hasOggPacket(Array("OpusHead".utf8)) },
        open: { path, head, input throws(DecoderError) in try openOgg(path, head, input, openSndfile) })

    private static func openSndfile(
        _ path: String, _ head: FileHead, _ input: FileInput
    ) throws(DecoderError) -> any AudioFileReader {
        input.patch = OpusRate.patch(input.source, at: head.start)
        // A stream that does not extend to the end of the file is followed by another one.
        let isCut = head.size >= input.bytes && OggScan.breaksOff(input.file, from: head.start, size: head.size)
        return try SndfileReader.open(path, input, loss: isCut ? "its last page breaks off" : nil)
    }

    /// Opens a stream and the streams that follow it in the file.
    static func openOgg(
        _ path: String, _ head: FileHead, _ input: FileInput,
        _ open: (String, FileHead, FileInput) throws(DecoderError) -> any AudioFileReader
    ) throws(DecoderError) -> any AudioFileReader {
        // The libraries keep two copies of the tags in memory.
        if OggScan(input.source, at: head.start)?.hasLongHeader(in: input.source) ?? false {
            throw DecoderError(
                .unsupported, "play", path, message: "its tags are longer than \(OggScan.longestHeader >> 20) MiB",
                advice: "remove pictures from its tags")
        }
        // The libraries also keep a whole packet in memory, even if it does not end.
        input.mostEffort = 2 * OggScan.longestHeader
        let isPart = input.part.count < input.bytes
        let links = isPart ? [] : OggChain.links(in: input.source, from: head.start, size: head.size)
        let end =
            links.count > 1
            ? links[0].upperBound : OggScan.end(of: input.source, from: head.start, size: head.size)
        input.begin(at: head.start, end: end)
        let reader = try open(path, head, input)
        return links.count > 1 ? try OggChainReader(path, input, reader, links) : reader
    }
}
