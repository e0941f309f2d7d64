extension FileFormat {
    static let mpeg = FileFormat(
        name: "MP3", suffixes: ["mp3"],
        matches: { head in
            head.suffix == "mp3" || head.start > 0 || MPEGHeader(head.bytes.prefix(MPEGHeader.size)) != nil
        },
        open: { path, head, input throws(DecoderError) in
            let mustBeginAtOnce = head.suffix != "mp3" || head.isForeign
            guard let outline = MPEGOutline(input.source, size: head.size, mustBeginAtOnce: mustBeginAtOnce) else {
                throw head.unknown(path)
            }
            return try MPEGReader.open(path, input, outline)
        })
}
