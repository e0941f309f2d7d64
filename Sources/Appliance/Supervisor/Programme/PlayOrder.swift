import AudioSession
import Glibc
import Playback

/// The order in which tracks are played: the library's, or a shuffled one that a seed determines.
enum PlayOrder {
    static func order(_ tracks: [Track], shuffledBy seed: UInt64?) -> [Track] {
        guard let seed else { return tracks }
        var generator = SplitMix64(state: seed)
        return tracks.shuffled(using: &generator)
    }
}

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014). Unlike `SystemRandomNumberGenerator`,
/// it gives the same numbers in every version and on every machine.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

extension Level {
    /// The linear gain, 0…1: exactly 1 at 0 dB and exactly 0 when mute.
    package var gain: Float { self == .mute ? 0 : Float(pow(10, decibels / 20)) }
}
