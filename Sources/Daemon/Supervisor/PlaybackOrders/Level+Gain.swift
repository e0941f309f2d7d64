import AudioSession
import Glibc

extension Level {
    /// The linear gain, 0…1. It is exactly 1 at 0 dB and exactly 0 at `mute`.
    package var gain: Float { self == .mute ? 0 : Float(pow(10, decibels / 20)) }
}
