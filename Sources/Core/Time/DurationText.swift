extension Duration {
    /// Returns the duration in minutes and seconds, such as `2:31.250` with three decimals. Further decimals are
    /// dropped.
    public func clock(decimals: Int = 0) -> String {
        let (seconds, attoseconds) = components
        let fraction = decimals > 0 ? "." + attoseconds.padded(to: 18).prefix(decimals) : ""
        return "\(seconds / 60):\((seconds % 60).padded(to: 2))\(fraction)"
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
