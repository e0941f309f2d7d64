extension FileFormat {
    static let flac = FileFormat(
        name: "FLAC", suffixes: ["flac"],
        matches: { head in
            // A file without a header begins with the sync code of a frame.
            head.has("fLaC")
                || head.suffix == "flac" && head.bytes.count > 2 && head.bytes[0] == 0xff
                    && head.bytes[1] & 0xfe == 0xf8
        },
        open: { path, _, input throws(DecoderError) in try FLACReader.open(path, input, isOgg: false) })

    static let oggFLAC = FileFormat(
        name: "FLAC in Ogg", suffixes: ["oga", "ogg"], matches: { $0.hasOggPacket([0x7f] + Array("FLAC".utf8)) },
        open: { path, head, input throws(DecoderError) in
            try openOgg(path, head, input) { path, _, input throws(DecoderError) in
                try FLACReader.open(path, input, isOgg: true)
            }
        })
}
