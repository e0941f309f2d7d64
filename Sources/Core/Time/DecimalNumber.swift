/// An unsigned decimal number without rounding, such as `5`, `5.25` or `.5`.
package struct DecimalNumber {
    let whole: Int
    /// The digits after the point, at most 18.
    let fraction: [Int]

    /// Parses a number.
    /// - Returns: nil for anything else, and for a whole part above 10¹².
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts.map { part in part.utf8.map { Int($0) - 0x30 } }
        guard digits.joined().allSatisfy({ (0...9).contains($0) }), !digits.joined().isEmpty,
            let first = digits.first, first.count <= 13
        else { return nil }
        let whole = first.reduce(0) { $0 * 10 + $1 }
        let fraction = digits.count == 2 ? digits[1] : []
        guard whole <= 1_000_000_000_000, fraction.count <= 18, digits.count == 1 || !fraction.isEmpty else {
            return nil
        }
        self.whole = whole
        self.fraction = fraction
    }

    /// Returns the number times a unit, truncated to attoseconds.
    func times(_ unit: Duration) -> Duration {
        var place = unit
        var result = unit * whole
        for digit in fraction {
            place /= 10
            result += place * digit
        }
        return result
    }
}
