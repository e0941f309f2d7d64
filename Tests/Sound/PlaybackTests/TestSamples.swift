import ALSA
import Foundation

@testable import Playback

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
