import ALSA
import Playback

/// Programmes to play, as files.
public enum Programme {
    /// A track whose frames carry their own numbers, from 1 on, in 24 bits.
    public static func writeNumbers(to path: String, frames: Int, rate: Int = 48_000) throws {
        try write(path, frames: frames, rate: rate) { Int32(($0 + 1) << 8) }
    }

    public static func write(_ path: String, frames: Int, rate: Int, _ sample: (Int) -> Int32) throws {
        let writer = try AudioFileWriter.create(path, format: StreamFormat(rate: rate, channels: 2))
        let block = 48_000
        for start in stride(from: 0, to: frames, by: block) {
            let count = min(block, frames - start)
            let samples = (start..<start + count).flatMap { frame in [sample(frame), sample(frame)] }
            try samples.withUnsafeBufferPointer {
                if let base = $0.baseAddress { try writer.write(base, frames: count) }
            }
        }
        try writer.finish()
    }
}
