/// The containers of unencoded samples, which libsndfile reads.
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
            return try SndfileReader.open(path, input, missing: outline.missing)
        })

    static let wave64 = sndfile("Wave64", ["w64"], { SampleOutline.wave64($0, at: $1, size: $2) }) { head in
        head.has(Array("riff".utf8) + [0x2e, 0x91, 0xcf, 0x11])
    }

    static let aiff = sndfile("AIFF", ["aif", "aiff", "aifc"], { SampleOutline.aiff($0, at: $1, size: $2) }) { head in
        head.has("FORM") && (head.has("AIFF", at: 8) || head.has("AIFC", at: 8))
    }

    static let coreAudio = sndfile("CAF", ["caf"], { SampleOutline.coreAudio($0, at: $1, size: $2) }) { head in
        head.has("caff")
    }

    static let sun = sndfile("AU", ["au"], { SampleOutline.sun($0, at: $1, size: $2) }) { head in
        head.has(".snd") || head.has("dns.")
    }

    /// Creates a format that libsndfile reads.
    private static func sndfile(
        _ name: String, _ suffixes: [String],
        _ outline: @escaping @Sendable (_ source: DescriptorBytes, _ start: Int, _ size: Int) -> SampleOutline,
        _ matches: @escaping @Sendable (FileHead) -> Bool
    ) -> FileFormat {
        FileFormat(
            name: name, suffixes: suffixes, matches: matches,
            open: { path, head, input throws(DecoderError) in
                let outline = outline(input.source, head.start, head.size)
                input.begin(at: head.start)
                input.patch = outline.patch
                return try SndfileReader.open(path, input, missing: outline.missing)
            })
    }
}
