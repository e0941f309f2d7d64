import ALSA
import Playback

/// The loudest sample of each fiftieth of a second, for drawing.
struct PeakMeter {
    private static let bucketsPerSecond = 50
    /// 0…1.
    private(set) var peaks: [Double] = []
    private var frame = 0
    private var loudest: Int32 = 0

    mutating func add(_ samples: UnsafePointer<Int32>, frames: Int, of format: StreamFormat) {
        for offset in 0..<frames {
            for channel in 0..<format.channels {
                let sample = samples[offset * format.channels + channel]
                loudest = max(loudest, sample == .min ? .max : abs(sample))
            }
            frame += 1
            if frame * Self.bucketsPerSecond / format.rate > peaks.count {
                peaks.append(Double(loudest) / 2_147_483_648)
                loudest = 0
            }
        }
    }

    /// When the bucket of that number begins, in seconds.
    static func time(of bucket: Int) -> Double { Double(bucket) / Double(bucketsPerSecond) }
}
