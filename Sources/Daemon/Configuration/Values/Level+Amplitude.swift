import AudioSession
import Glibc

extension Level {
    /// The level as a volume of MPRIS, which is a factor. 0 is silence, and 1 is full level. A percentage in a command
    /// is this factor, so 50% is −6 dB.
    public var amplitude: Double { self == .mute ? 0 : pow(10, decibels / 20) }

    /// Creates a level from a volume of MPRIS. Values outside 0…1 are clamped.
    public init(amplitude: Double) {
        let decibels = amplitude <= 0 ? Level.mute.decibels : 20 * log10(min(amplitude, 1))
        self = Level(decibels: max(decibels, Level.mute.decibels)) ?? .full
    }
}
