extension Duration {
    /// Returns the duration in minutes and seconds, such as `2:31.250` with three decimals. Further decimals are
    /// dropped.
    public func clock(decimals: Int = 0) -> String {
        let (seconds, attoseconds) = components
        let fraction = decimals > 0 ? "." + attoseconds.padded(to: 18).prefix(decimals) : ""
        return "\(seconds / 60):\((seconds % 60).padded(to: 2))\(fraction)"
    }

    /// The duration in words, such as `64 seconds`, `2 minutes 30 seconds` or `1 hour 5 minutes`. It is exact to a tenth
    /// of a second below two minutes, and to a minute from one hour upwards. Further digits are dropped.
    public var words: String {
        func counted(_ count: Int64, _ unit: String) -> String? {
            count == 0 ? nil : "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        let (seconds, attoseconds) = components
        let tenths = attoseconds / 100_000_000_000_000_000
        if seconds < 120 {
            return tenths > 0 ? "\(seconds).\(tenths) seconds" : counted(seconds, "second") ?? "0 seconds"
        }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return [
            counted(hours, "hour"), counted(minutes, "minute"), hours > 0 ? nil : counted(seconds % 60, "second"),
        ].compactMap(\.self).joined(separator: " ")
    }
}

/// A duration in seconds, exact to the nanosecond, with at least one decimal and no further trailing zeros, such as
/// `2.0` or `6.03`.
package struct Seconds: CustomStringConvertible {
    package let description: String

    package init(_ duration: Duration) {
        var text = duration.wholeNanoseconds.decimal(places: 9)
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        description = text
    }
}

extension BinaryInteger {
    /// Returns the number in decimal with leading zeros, such as `07`.
    public func padded(to width: Int) -> String {
        let digits = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Returns the number in decimal with its last digits after a point. For example, 25 tenths are `2.5`.
    public func decimal(places: Int) -> String {
        let digits = magnitude.padded(to: places + 1)
        return "\(self < 0 ? "-" : "")\(digits.dropLast(places)).\(digits.suffix(places))"
    }
}
