import CVorbisfile
import Playback

/// Decodes Ogg Vorbis with libvorbisfile, including streams that follow each other.
final class VorbisStreamDecoder: StreamDecoder {
    private let file: UnsafeMutablePointer<OggVorbis_File>
    private let input: DecoderInput
    /// The number of the stream among those that follow each other.
    private var section: Int32 = -1

    init(_ input: DecoderInput) throws(StreamError) {
        self.input = input
        file = .allocate(capacity: 1)
        let callbacks = ov_callbacks(
            read_func: { buffer, size, count, pointer in
                guard let buffer, let input = DecoderInput.of(pointer) else { return 0 }
                return input.read(into: buffer, limit: size * count) / max(1, size)
            }, seek_func: nil, close_func: nil, tell_func: nil)
        // In the case of an error, the structure is empty afterwards, and `deinit` still runs.
        guard ov_open_callbacks(input.pointer, file, nil, 0, callbacks) == 0 else {
            throw input.fail("the stream is not valid Ogg Vorbis")
        }
    }

    deinit {
        ov_clear(file)
        file.deallocate()
    }

    func next() throws(StreamError) -> DecodedAudio? {
        while true {
            var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
            var section: Int32 = 0
            let frames = ov_read_float(file, &planes, 4096, &section)
            if frames == 0 {
                if let failure = input.failure { throw failure }
                return nil
            }
            // A hole is not an error.
            if frames == Int(OV_HOLE) { continue }
            guard frames > 0, let planes, let info = ov_info(file, -1)?.pointee else {
                throw input.fail("the stream is not valid Ogg Vorbis")
            }
            let (rate, channels) = (Int(info.rate), Int(info.channels))
            try DecodedAudio.check(rate: rate, channels: channels)
            var samples = [Float](repeating: 0, count: frames * channels)
            for channel in 0..<channels {
                guard let plane = planes[channel] else { continue }
                for frame in 0..<frames { samples[frame * channels + channel] = plane[frame] }
            }
            var audio = DecodedAudio(rate: rate, channels: channels, order: .vorbis, samples: samples)
            if section != self.section { audio.description = description() }
            self.section = section
            return audio
        }
    }

    private func description() -> StreamDescription? {
        guard let comment = ov_comment(file, -1)?.pointee else { return nil }
        return DecodedAudio.description(
            of: comments(comment.user_comments, comment.comment_lengths, comment.comments))
    }
}
