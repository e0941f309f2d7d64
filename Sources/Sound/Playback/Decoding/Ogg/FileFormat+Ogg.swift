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
        input.begin(at: head.tags)
        input.end = OggScan.end(of: input.source, from: head.tags, size: head.size)
        return try SndfileReader.open(path, input)
    }
}
