/// A level of the programme relative to full, in decibels: from `mute` (−120 dB, which is silence) to 0 dB.
public struct Level: Hashable, Comparable, Sendable, CustomStringConvertible {
    public static let range = -120.0...0.0
    public static let full = Level(clamping: 0)
    public static let mute = Level(clamping: range.lowerBound)

    /// −120…0; −120 stands for silence.
    public let decibels: Double

    /// - Returns: nil outside −120…0 dB: Tacet turns programme down, never up, so that nothing clips.
    public init?(decibels: Double) {
        guard Level.range.contains(decibels) else { return nil }
        self.decibels = decibels
    }

    private init(clamping decibels: Double) { self.decibels = decibels }

    /// This level turned down by another: decibels add up, down to `mute`.
    public func attenuated(by other: Level) -> Level {
        Level(clamping: max(decibels + other.decibels, Level.range.lowerBound))
    }

    public static func < (a: Level, b: Level) -> Bool { a.decibels < b.decibels }

    /// `mute`, `-14`, `-10.5`: decibels as notifications write them.
    public var description: String { self == .mute ? "mute" : Level.number(decibels) }

    /// Decibels to a hundredth, which nobody hears, and without a needless fraction: `-14`, `-10.5`, `-6.02`.
    package static func number(_ decibels: Double) -> String {
        let rounded = (decibels * 100).rounded() / 100
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
