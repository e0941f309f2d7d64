/// The level of the music in decibels relative to full scale, from `mute` (−120 dB, treated as silence) to 0 dB.
public struct Level: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The valid range, in decibels.
    public static let range = -120.0...0.0
    /// The full level, which is 0 dB.
    public static let full = Level(clamping: 0)
    /// Silence, which is −120 dB.
    public static let mute = Level(clamping: range.lowerBound)
    /// The default level of a duck, which is −14 dB as on Android.
    public static let defaultDuck = Level(clamping: -14)

    /// The decibels, from −120 to 0, where −120 means silence.
    public let decibels: Double

    /// Creates a level. A level only attenuates, so that nothing clips.
    /// - Returns: nil outside −120…0 dB.
    public init?(decibels: Double) {
        guard Level.range.contains(decibels) else { return nil }
        self.decibels = decibels
    }

    private init(clamping decibels: Double) { self.decibels = decibels }

    /// Returns this level attenuated by another, which is the sum of both in decibels, but not below `mute`.
    public func attenuated(by other: Level) -> Level {
        Level(clamping: max(decibels + other.decibels, Level.range.lowerBound))
    }

    public static func < (a: Level, b: Level) -> Bool { a.decibels < b.decibels }

    /// The text of the level in a notification's description, such as `mute`, `-14` or `-10.5`.
    public var description: String { self == .mute ? "mute" : Level.number(decibels) }

    /// Returns the decibels without trailing zeros, rounded to hundredths because smaller differences are inaudible,
    /// such as `-14`, `-10.5` or `-6.02`.
    package static func number(_ decibels: Double) -> String {
        let rounded = (decibels * 100).rounded() / 100
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
