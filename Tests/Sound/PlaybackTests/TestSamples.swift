import ALSA
import Foundation

@testable import Playback

/// Returns frames whose left sample is their own number plus `base`, in 24 bits, and whose right sample is its
/// negation.
func counter(frames: Int, from base: Int = 0) -> [Int32] {
    (0..<frames).flatMap { frame -> [Int32] in
        let value = Int32(base + frame) << 8
        return [value, -value]
    }
}

/// Returns the frame numbers of a recorded counter.
func numbers(_ samples: some Collection<Int32>) -> [Int] {
    samples.enumerated().filter { $0.offset % 2 == 0 }.map { Int($0.element >> 8) }
}

/// Returns a sine on every channel, with 32 bits.
func sine(
    frames: Int, frequency: Double, rate: Int = 48_000, channels: Int = 2, level: Double = 1
) -> [Int32] {
    (0..<frames).flatMap { frame -> [Int32] in
        let value = level * sin(2 * .pi * frequency * Double(frame) / Double(rate))
        return [Int32](repeating: Int32(max(-0x1p31, min(0x1p31 - 1, value * 0x1p31))), count: channels)
    }
}

/// Returns tones and coloured noise, which are demanding for codecs. The result is always the same.
func music(frames: Int, seed: UInt32 = 1) -> [Int32] {
    var state = seed
    var low = 0.0
    return (0..<frames).flatMap { frame -> [Int32] in
        state = state &* 1_664_525 &+ 1_013_904_223
        low = low * 0.9 + 0.1 * (Double(state >> 8) / 8_388_608 - 1)
        let left = 0.4 * sin(Double(frame) * 0.05) + 0.5 * low
        let right = 0.4 * sin(Double(frame) * 0.031) - 0.4 * low
        return [Int32(left * 0x1p31), Int32(right * 0x1p31)]
    }
}

/// An output that keeps everything written to it.
final class FrameCollector: PCMOutput {
    let format: StreamFormat
    var samples: [Int32] = []
    /// True if the next write must fail without accepting any frames.
    var failsNext = false

    init(rate: Int = 48_000, channels: Int = 2) {
        format = StreamFormat(rate: rate, channels: channels)
    }

    func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError) {
        if failsNext {
            failsNext = false
            throw .system(ENODEV, operation: "write to", device: "recorder")
        }
        self.samples.append(
            contentsOf: UnsafeBufferPointer(start: samples, count: frames * format.channels))
    }

    var frames: Int {
        samples.count / format.channels
    }
}

/// Decodes a file to its end, in blocks of an odd size.
func decodeAll(_ decoder: Decoder) throws -> [Float] {
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 1000 * decoder.format.channels)
    while true {
        let count = try decoder.read(into: &block, frames: 1000)
        if count == 0 { return samples }
        samples.append(contentsOf: block[..<(count * decoder.format.channels)])
    }
}

func decodeAll(_ path: String) throws -> [Float] {
    try decodeAll(Decoder.open(path))
}

/// Creates an engine that plays tracks in order.
func makeEngine(_ paths: [String], repeating: Bool = false, jumpFade: Duration = .milliseconds(20)) -> OfflineEngine {
    let count = paths.count
    return OfflineEngine(
        tracks: paths.map(Track.init),
        successor: { $0 + 1 < count ? $0 + 1 : repeating ? 0 : nil },
        predecessor: { $0 > 0 ? $0 - 1 : repeating ? count - 1 : nil },
        jumpFade: jumpFade)
}

extension OfflineEngine {
    /// Renders this many frames, ignoring events.
    func run(_ frames: Int) throws {
        var done = 0
        while done < frames { done += try render(frames: frames - done) }
    }
}

/// Returns the largest difference between neighbouring samples of a channel, as a fraction of full scale.
func largestStep(_ samples: some RandomAccessCollection<Int32>, channels: Int = 2) -> Double {
    let values = Array(samples)
    guard values.count > channels else { return 0 }
    let steps = (channels..<values.count).map { abs(Int(values[$0]) - Int(values[$0 - channels])) }
    return Double(steps.max() ?? 0) / 0x1p31
}
