import COpusfile

/// Decodes Ogg Opus with libopusfile, including streams that follow each other.
final class OpusStreamDecoder: StreamDecoder {
    private let file: OpaquePointer
    private let input: DecoderInput
    private var link: Int32 = -1
    private var buffer = [Float](repeating: 0, count: 2 * 5760)

    init(_ input: DecoderInput) throws(StreamError) {
        self.input = input
        var callbacks = OpusFileCallbacks(
            read: { pointer, buffer, count in
                guard let buffer, let input = DecoderInput.of(pointer) else { return -1 }
                return Int32(clamping: input.read(into: buffer, limit: Int(count)))
            }, seek: nil, tell: nil, close: nil)
        var code: Int32 = 0
        guard let file = op_open_callbacks(input.pointer, &callbacks, nil, 0, &code) else {
            throw input.fail("the stream is not valid Ogg Opus")
        }
        self.file = file
    }

    deinit { op_free(file) }

    func next() throws(StreamError) -> DecodedAudio? {
        while true {
            let frames = op_read_float_stereo(file, &buffer, Int32(buffer.count))
            if frames == 0 {
                if let failure = input.failure { throw failure }
                return nil
            }
            if frames == OP_HOLE { continue }
            guard frames > 0 else { throw input.fail("the stream is not valid Ogg Opus") }
            var audio = DecodedAudio(rate: 48_000, channels: 2, samples: Array(buffer.prefix(Int(frames) * 2)))
            let link = op_current_link(file)
            if link != self.link, let tags = op_tags(file, -1)?.pointee {
                audio.description = DecodedAudio.description(
                    of: comments(tags.user_comments, tags.comment_lengths, tags.comments))
            }
            self.link = link
            return audio
        }
    }
}
