import Playback

/// Converts audio to the format of the pipe, which is 48 kHz, stereo and 16 bits.
struct PipeFormat {
    private struct Conversion {
        let rate: Int
        let channels: Int
        let map: ChannelMap
        let resampler: Resampler?
    }

    private var conversion: Conversion?

    /// - Returns: the interleaved samples. A resampler holds some of them back.
    mutating func convert(_ audio: DecodedAudio) throws(StreamError) -> [Int16] {
        let conversion = try conversion(for: audio)
        var stereo = [Float](repeating: 0, count: audio.frames * JitterBuffer.channels)
        if conversion.map.isIdentity {
            stereo = audio.samples
        } else {
            conversion.map.map(audio.samples, into: &stereo, frames: audio.frames)
        }
        if let resampler = conversion.resampler { stereo = try Self.resample(stereo, resampler) }
        return stereo.map { sample in
            // A decoder may return values beyond full scale, or none at all.
            sample.isFinite ? Int16(max(-32_768, min(32_767, (sample * 32_768).rounded()))) : 0
        }
    }

    private mutating func conversion(for audio: DecodedAudio) throws(StreamError) -> Conversion {
        if let conversion, conversion.rate == audio.rate, conversion.channels == audio.channels { return conversion }
        let resampler: Resampler?
        do throws(ResamplerError) {
            resampler =
                audio.rate == JitterBuffer.rate
                ? nil : try Resampler(from: audio.rate, to: JitterBuffer.rate, channels: JitterBuffer.channels)
        } catch { throw StreamError("\(error)") }
        let new = Conversion(
            rate: audio.rate, channels: audio.channels,
            map: ChannelMap(from: audio.channels, order: audio.order, to: JitterBuffer.channels), resampler: resampler)
        conversion = new
        return new
    }

    private static func resample(_ input: [Float], _ resampler: Resampler) throws(StreamError) -> [Float] {
        let channels = JitterBuffer.channels
        var output: [Float] = []
        var part = [Float](repeating: 0, count: 8192 * channels)
        var rest = input
        while true {
            do throws(ResamplerError) {
                let progress = try resampler.process(
                    rest, frames: rest.count / channels, into: &part, frames: part.count / channels)
                output += part.prefix(progress.produced * channels)
                rest.removeFirst(progress.consumed * channels)
                if rest.isEmpty || progress.consumed == 0 && progress.produced == 0 { return output }
            } catch { throw StreamError("\(error)") }
        }
    }
}
