/// Numbers as text, the same on every machine.
enum NumberText {
    /// `value` with at most `places` decimals (0…6) and no trailing zeros; what is not a number becomes `0`.
    static func decimal(_ value: Double, places: Int = 2) -> String {
        guard value.isFinite else { return "0" }
        var unit = 1
        for _ in 0..<min(max(places, 0), 6) { unit *= 10 }
        let scaled = Int((min(max(value, -1e12), 1e12) * Double(unit)).rounded())
        let magnitude = scaled.magnitude
        var text = String(magnitude / UInt(unit))
        var fraction = String(magnitude % UInt(unit) + UInt(unit)).dropFirst()
        while fraction.hasSuffix("0") { fraction.removeLast() }
        if !fraction.isEmpty { text += "." + fraction }
        return scaled < 0 ? "-" + text : text
    }

    /// A linear gain in whole decibels, with a real minus sign: `−14 dB`. `off` at or below −100 dB.
    static func decibels(_ gain: Double) -> String {
        guard gain > 1e-5 else { return "off" }
        let level = 20 * log10(gain)
        let text = decimal(level.magnitude, places: level.magnitude < 10 ? 1 : 0)
        return (level < 0 && text != "0" ? "−" : "") + text + " dB"
    }

    /// The decimal logarithm of a positive number, to nine digits: the standard library alone has none.
    private static func log10(_ value: Double) -> Double {
        // ln m = 2 artanh((m − 1) / (m + 1)), which converges quickly for a significand in 1..<2.
        let ratio = (value.significand - 1) / (value.significand + 1)
        var power = ratio
        var sum = 0.0
        for odd in stride(from: 1.0, through: 17, by: 2) {
            sum += power / odd
            power *= ratio * ratio
        }
        return (2 * sum + Double(value.exponent) * 0.693_147_180_559_945) / 2.302_585_092_994_046
    }
}
