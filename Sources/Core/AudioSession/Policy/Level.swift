/// The music's level in decibels relative to full scale: from `mute` (−120 dB, treated as silence) to 0 dB.
public struct Level: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The valid decibels.
    public static let range = -120.0...0.0
    /// 0 dB.
    public static let full = Level(clamping: 0)
    /// Silence: −120 dB.
    public static let mute = Level(clamping: range.lowerBound)
    /// The default of ducks, as on Android: −14 dB.
    public static let defaultDuck = Level(clamping: -14)

    /// −120…0; −120 means silence.
    public let decibels: Double

    /// - Returns: nil outside −120…0 dB: a level only attenuates, so that nothing clips.
    public init?(decibels: Double) {
        guard Level.range.contains(decibels) else { return nil }
        self.decibels = decibels
    }

    private init(clamping decibels: Double) { self.decibels = decibels }

    /// This level attenuated by another: the sum of both in decibels, but not below `mute`.
    public func attenuated(by other: Level) -> Level {
        Level(clamping: max(decibels + other.decibels, Level.range.lowerBound))
    }

    public static func < (a: Level, b: Level) -> Bool { a.decibels < b.decibels }

    /// The level in a notification's description: `mute`, `-14`, `-10.5`.
    public var description: String { self == .mute ? "mute" : Level.number(decibels) }

    /// Decibels rounded to an inaudible hundredth, without trailing zeros: `-14`, `-10.5`, `-6.02`.
    package static func number(_ decibels: Double) -> String {
        let rounded = (decibels * 100).rounded() / 100
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
