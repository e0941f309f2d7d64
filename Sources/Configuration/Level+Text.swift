import AudioSession

extension Level {
    /// A level as people write it: `-14dB`, `-10.5 dB`, `0dB` or `mute`.
    ///
    /// - Returns: nil for anything else, a number without its unit included, and outside −120…0 dB.
    public static func parse(_ text: String) -> Level? {
        if text == "mute" { return .mute }
        return Decibels.parse(text).flatMap { Level(decibels: $0) }
    }

    /// As `parse` reads it: `-14dB`, `mute`.
    public var text: String { self == .mute ? "mute" : "\(self)dB" }
}
