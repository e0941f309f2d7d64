import AudioSession
import Spelling
import Time

/// Decibels as people write them, such as `-14dB`, `+3 dB` or `-10.5dB`.
enum Decibels {
    /// - Returns: nil for anything but a decimal number followed by `dB`.
    static func parse(_ text: some StringProtocol) -> Double? {
        guard text.hasSuffix("dB") else { return nil }
        return number(text.dropLast(2).trimmed)
    }

    /// Parses a decimal number, which consists of an optional sign, digits, and an optional fraction.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits =
            text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
            ? text.dropFirst() : text[...]
        guard DecimalNumber(digits) != nil else { return nil }
        return Double(text)
    }
}

extension Level {
    /// Parses a level as people write it, such as `-14dB`, `-10.5 dB`, `0dB` or `mute`.
    ///
    /// - Returns: nil for anything else, including a number without its unit, and for levels outside −120…0 dB.
    public static func parse(_ text: String) -> Level? {
        if text == "mute" { return .mute }
        return Decibels.parse(text).flatMap { Level(decibels: $0) }
    }

    /// The level as `parse` reads it, such as `-14dB` or `mute`.
    public var text: String { self == .mute ? "mute" : "\(self)dB" }
}
