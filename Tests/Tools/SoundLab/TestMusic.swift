import ALSA
import Playback

/// Writes audio files for tests.
public enum TestMusic {
    /// Writes a track whose frames carry their own numbers, from 1, in their upper 24 bits.
    public static func writeNumbers(to path: String, frames: Int, rate: Int = 48_000) throws {
        try write(path, frames: frames, rate: rate) { Int32(($0 + 1) << 8) }
    }

    public static func write(_ path: String, frames: Int, rate: Int, _ sample: (Int) -> Int32) throws {
        let writer = try AudioFileWriter.create(path, format: StreamFormat(rate: rate, channels: 2))
        let block = 48_000
        let samples = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * block)
        defer { samples.deallocate() }
        for start in stride(from: 0, to: frames, by: block) {
            let count = min(block, frames - start)
            for frame in 0..<count {
                samples[2 * frame] = sample(start + frame)
                samples[2 * frame + 1] = samples[2 * frame]
            }
            try writer.write(UnsafePointer(samples), frames: count)
        }
        try writer.finish()
    }
}
