import ALSA
import AudioSession
import Playback
import Time

/// The sound device of a rehearsal. It plays every frame exactly on time. The scenario makes it disappear, return and
/// change its format.
struct VirtualDevice {
    var isThere = true
    var audibility = DeviceAudibility.audible
    /// The initial format, which is the most common one.
    var format = StreamFormat(rate: 48_000, channels: 2)
}

/// Converts between times and the frames of a device that has run at a constant rate since it was opened.
struct DeviceClock {
    let opened: Duration
    let rate: Int

    /// Returns the number of frames that have been played at this time, rounded to the nearest integer.
    func frames(at time: Duration) -> Int {
        let nanoseconds = Int128((time - opened).wholeNanoseconds) * Int128(rate)
        return Int((nanoseconds + 500_000_000) / 1_000_000_000)
    }

    /// Returns the time at which this many frames have been played, rounded to the nearest nanosecond.
    func time(of frames: Int) -> Duration {
        let nanoseconds = (Int128(frames) * 1_000_000_000 + Int128(rate) / 2) / Int128(rate)
        return opened + .nanoseconds(Int64(nanoseconds))
    }
}

extension Duration {
    /// The duration in seconds, for drawing.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
