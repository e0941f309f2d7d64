/// A duration in seconds, in as many digits as it needs (to the nanosecond) and at least one after the point: `2.0`,
/// `6.03`.
package struct Seconds: CustomStringConvertible {
    package let description: String

    package init(_ duration: Duration) {
        let nanoseconds = abs(duration.nanoseconds)
        var fraction = String(nanoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        description = "\(duration < .zero ? "-" : "")\(nanoseconds / 1_000_000_000).\(fraction)"
    }
}

extension Duration {
    /// Whole ones, rounded towards zero.
    package var nanoseconds: Int128 {
        Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000)
    }
}
