import Playback

/// The loudest sample of each fiftieth of a second, for drawing.
struct PeakMeter {
    private static let bucketsPerSecond = 50
    /// 0…1.
    private(set) var peaks: [Double] = []
    private var filled = 0
    private var loudest: Int32 = 0

    mutating func add(_ samples: UnsafePointer<Int32>, frames: Int, of format: StreamFormat) {
        let size = format.rate / Self.bucketsPerSecond
        for frame in 0..<frames {
            for channel in 0..<format.channels {
                let sample = samples[frame * format.channels + channel]
                loudest = max(loudest, sample == .min ? .max : abs(sample))
            }
            filled += 1
            if filled == size {
                peaks.append(Double(loudest) / 2_147_483_648)
                filled = 0
                loudest = 0
            }
        }
    }

    /// When the bucket of that number begins, in seconds.
    static func time(of bucket: Int) -> Double { Double(bucket) / Double(bucketsPerSecond) }
}
