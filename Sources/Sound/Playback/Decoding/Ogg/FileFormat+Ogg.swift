extension FileFormat {
    static let vorbis = FileFormat(
        name: "Ogg Vorbis", suffixes: ["ogg", "oga"],
        matches: { head in
            // A skeleton can come first.
            head.hasOggPacket([1] + Array("vorbis".utf8)) || head.hasOggPacket(Array("fishead".utf8))
        },
        open: { path, head, input throws(DecoderError) in try openOgg(path, head, input) })

    static let opus = FileFormat(
        name: "Opus", suffixes: ["opus", "ogg", "oga"], matches: { $0.hasOggPacket(Array("OpusHead".utf8)) },
        open: { path, head, input throws(DecoderError) in
            input.patch = OpusRate.patch(input.source, at: head.tags)
            return try openOgg(path, head, input)
        })

    private static func openOgg(
        _ path: String, _ head: FileHead, _ input: FileInput
    ) throws(DecoderError) -> SndfileReader {
        try checkOggHeader(path, head, input)
        input.begin(at: head.tags)
        input.end = OggScan.end(of: input.source, from: head.tags, size: head.size)
        return try SndfileReader.open(path, input)
    }

    /// Rejects a file whose tags are too long: the libraries keep them in memory, twice.
    static func checkOggHeader(_ path: String, _ head: FileHead, _ input: FileInput) throws(DecoderError) {
        guard OggScan(input.source, at: head.tags)?.hasLongHeader(in: input.source) ?? false else { return }
        throw DecoderError(
            .unsupported, "play", path, message: "its tags are longer than \(OggScan.longestHeader >> 20) MiB",
            advice: "remove pictures from its tags")
    }
}
