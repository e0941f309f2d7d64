import CFLAC
import Playback

/// Decodes FLAC and Ogg FLAC with libFLAC.
final class FLACStreamDecoder: StreamDecoder {
    /// What the callbacks use.
    private final class Context {
        let input: DecoderInput
        var audio: [DecodedAudio] = []
        var description: StreamDescription?
        var failure: StreamError?

        init(_ input: DecoderInput) { self.input = input }

        static func of(_ pointer: UnsafeMutableRawPointer?) -> Context? {
            pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
        }

        func take(_ frame: FLAC__Frame, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>) {
            let (rate, channels) = (Int(frame.header.sample_rate), Int(frame.header.channels))
            do throws(StreamError) { try DecodedAudio.check(rate: rate, channels: channels) } catch {
                failure = error
                return
            }
            let (frames, bits) = (Int(frame.header.blocksize), frame.header.bits_per_sample)
            let scale = 1 / Float(UInt64(1) << UInt64(max(1, bits) - 1))
            var samples = [Float](repeating: 0, count: frames * channels)
            for channel in 0..<channels {
                guard let plane = planes[channel] else { continue }
                for index in 0..<frames { samples[index * channels + channel] = Float(plane[index]) * scale }
            }
            audio.append(DecodedAudio(rate: rate, channels: channels, samples: samples, description: description))
            description = nil
        }

        func take(_ metadata: FLAC__StreamMetadata) {
            guard metadata.type == FLAC__METADATA_TYPE_VORBIS_COMMENT else { return }
            let block = metadata.data.vorbis_comment
            let texts = (0..<min(Int(block.num_comments), 64)).compactMap { index -> String? in
                guard let entry = block.comments?[index], let bytes = entry.entry else { return nil }
                return StreamText.decode(UnsafeRawBufferPointer(start: bytes, count: min(Int(entry.length), 1024)))
            }
            description = DecodedAudio.description(of: texts)
        }
    }

    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let context: Context

    init(_ input: DecoderInput, isOgg: Bool) throws(StreamError) {
        guard let decoder = FLAC__stream_decoder_new() else {
            throw StreamError("the decoder for FLAC cannot be started")
        }
        self.decoder = decoder
        context = Context(input)
        FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
        let read: FLAC__StreamDecoderReadCallback = { _, buffer, count, pointer in
            guard let buffer, let count, let context = Context.of(pointer) else {
                return FLAC__STREAM_DECODER_READ_STATUS_ABORT
            }
            count.pointee = context.input.read(into: buffer, limit: count.pointee)
            return count.pointee > 0
                ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
        }
        let write: FLAC__StreamDecoderWriteCallback = { _, frame, planes, pointer in
            guard let frame, let planes, let context = Context.of(pointer) else {
                return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
            }
            context.take(frame.pointee, planes)
            return context.failure == nil
                ? FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE : FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let metadata: FLAC__StreamDecoderMetadataCallback = { _, metadata, pointer in
            if let metadata { Context.of(pointer)?.take(metadata.pointee) }
        }
        // Damaged frames are skipped.
        let error: FLAC__StreamDecoderErrorCallback = { _, _, _ in }
        let pointer = Unmanaged.passUnretained(context).toOpaque()
        let status =
            isOgg
            ? FLAC__stream_decoder_init_ogg_stream(
                decoder, read, nil, nil, nil, nil, write, metadata, error, pointer)
            : FLAC__stream_decoder_init_stream(decoder, read, nil, nil, nil, nil, write, metadata, error, pointer)
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
            throw StreamError("the decoder for FLAC cannot be started")
        }
    }

    deinit { FLAC__stream_decoder_delete(decoder) }

    func next() throws(StreamError) -> DecodedAudio? {
        while context.audio.isEmpty {
            let isValid = FLAC__stream_decoder_process_single(decoder) != 0
            if let failure = context.failure ?? context.input.failure { throw failure }
            if !context.audio.isEmpty { break }
            if FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM { return nil }
            guard isValid else { throw StreamError("the stream is not valid FLAC") }
        }
        return context.audio.removeFirst()
    }
}
