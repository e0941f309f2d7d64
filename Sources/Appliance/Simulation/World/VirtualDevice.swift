import ALSA
import AudioSession
import Playback

/// The sound device of a rehearsal: it plays every frame at its exact time, and comes, goes and changes as the
/// scenario says.
struct VirtualDevice {
    var isThere = true
    /// What most boards have.
    var format = StreamFormat(rate: 48_000, channels: 2)
}

/// Frames of a device that was opened at some instant, and has run at its rate since.
struct DeviceClock {
    let opened: Duration
    let rate: Int

    /// How many frames were played by then: the nearest whole number.
    func frames(at time: Duration) -> Int {
        let nanoseconds = (time - opened).nanoseconds * Int128(rate)
        return Int((nanoseconds + 500_000_000) / 1_000_000_000)
    }

    /// When this many frames have been played, to the nearest nanosecond.
    func time(of frames: Int) -> Duration {
        let nanoseconds = (Int128(frames) * 1_000_000_000 + Int128(rate) / 2) / Int128(rate)
        return opened + .nanoseconds(Int64(nanoseconds))
    }
}

extension Duration {
    /// For drawing.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
