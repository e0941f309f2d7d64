import ALSA
import Playback

/// Converts the samples of a device to the format of the recording. Samples that already have that format are not
/// changed.
final class FormatConverter {
    typealias Sink = (UnsafePointer<Int32>, Int) throws(PCMError) -> Void

    private let input: StreamFormat
    private let output: StreamFormat
    private let map: ChannelMap
    private let resampler: Resampler?
    private static let block = 2048

    init(from input: StreamFormat, to output: StreamFormat) throws(PCMError) {
        self.input = input
        self.output = output
        map = ChannelMap(from: input.channels, to: output.channels)
        guard input.rate != output.rate else {
            resampler = nil
            return
        }
        resampler = try Self.failing { () throws(ResamplerError) in
            try Resampler(from: input.rate, to: output.rate, channels: output.channels)
        }
    }

    func convert(_ samples: UnsafePointer<Int32>, frames: Int, to sink: Sink) throws(PCMError) {
        guard resampler != nil || !map.isIdentity else { return try sink(samples, frames) }
        var done = 0
        while done < frames {
            let count = min(frames - done, Self.block)
            let source = (0..<count * input.channels).map {
                Float(samples[done * input.channels + $0]) / 2_147_483_648
            }
            var mapped = [Float](repeating: 0, count: count * output.channels)
            map.map(source, into: &mapped, frames: count)
            try resample(mapped, frames: count, to: sink)
            done += count
        }
    }

    /// Flushes the resampler.
    func finish(to sink: Sink) throws(PCMError) {
        guard let resampler else { return }
        var block = [Float](repeating: 0, count: Self.block * output.channels)
        while case let count = try Self.failing({ () throws(ResamplerError) in
            try resampler.flush(into: &block, frames: Self.block)
        }), count > 0 {
            try deliver(block, frames: count, to: sink)
        }
    }

    private func resample(_ samples: [Float], frames: Int, to sink: Sink) throws(PCMError) {
        guard let resampler else { return try deliver(samples, frames: frames, to: sink) }
        var block = [Float](repeating: 0, count: Self.block * output.channels)
        var rest = samples[...]
        while !rest.isEmpty {
            let progress = try Self.failing { () throws(ResamplerError) in
                try resampler.process(
                    Array(rest), frames: rest.count / output.channels, into: &block, frames: Self.block)
            }
            try deliver(block, frames: progress.produced, to: sink)
            rest = rest.dropFirst(progress.consumed * output.channels)
        }
    }

    private func deliver(_ samples: [Float], frames: Int, to sink: Sink) throws(PCMError) {
        var scaled = [Int32](repeating: 0, count: frames * output.channels)
        SampleFormat.s32.encode(samples, to: &scaled, count: scaled.count)
        if frames > 0 { try sink(scaled, frames) }
    }

    private static func failing<Result>(_ body: () throws(ResamplerError) -> Result) throws(PCMError) -> Result {
        do throws(ResamplerError) {
            return try body()
        } catch {
            throw PCMError(
                operation: error.operation, device: "the recording", code: 0, message: error.message,
                advice: "choose another rate")
        }
    }
}
