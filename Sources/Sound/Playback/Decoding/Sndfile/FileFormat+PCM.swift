/// The containers of uncompressed samples, which libsndfile reads.
extension FileFormat {
    static let wave = FileFormat(
        name: "WAV", suffixes: ["wav", "wave", "rf64"],
        matches: { head in
            (head.has("RIFF") || head.has("RIFX") || head.has("RF64")) && head.has("WAVE", at: 8)
        },
        open: { path, head, input throws(DecoderError) in
            input.begin(at: head.start)
            guard let outline = WAVOutline(input.source, at: head.start, size: head.size) else {
                return try SndfileReader.open(path, input)
            }
            if outline.isMPEG, let frames = MPEGOutline(input.source, from: outline.data, size: head.size) {
                return try MPEGReader.open(path, input, frames)
            }
            input.patch = outline.patch
            return try SndfileReader.open(path, input, loss: SampleOutline.loss(outline.missing))
        })

    /// Creates a format that libsndfile reads without further help.
    init(_ container: SampleContainer) {
        self.init(
            name: container.name, suffixes: container.suffixes, matches: container.matches,
            open: { path, head, input throws(DecoderError) in
                let outline = container.outline(input.source, head.start, head.size)
                input.begin(at: head.start)
                input.patch = outline.patch
                return try SndfileReader.open(path, input, loss: SampleOutline.loss(outline.missing))
            })
    }
}
