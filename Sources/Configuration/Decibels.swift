/// Decibels as people write them: `-14dB`, `+3 dB`, `-10.5dB`.
enum Decibels {
    /// - Returns: nil for anything but a decimal number followed by `dB`.
    static func parse(_ text: some StringProtocol) -> Double? {
        guard text.hasSuffix("dB") else { return nil }
        return number(text.dropLast(2).trimmed)
    }

    /// A decimal number: a sign or none, digits, and a fraction or none.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits =
            text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
            ? text.dropFirst() : text[...]
        guard DecimalNumber(digits) != nil else { return nil }
        return Double(text)
    }
}
