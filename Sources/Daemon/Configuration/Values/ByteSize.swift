import Spelling

/// Numbers of bytes as systemd writes them, such as `500M` or `1.5G`. A number without a suffix is in bytes. Each
/// suffix is 1024 times the previous one.
public enum ByteSize {
    private static let suffixes: [Character] = ["K", "M", "G", "T"]

    /// - Returns: nil if the text is not a size or is more than 1024 T.
    public static func parse(_ text: String) -> Int64? {
        var digits = Substring(text).trimmed
        var unit: Int64 = 1
        if digits.last == "B" { digits = digits.dropLast() }
        if let suffix = digits.last, let power = suffixes.firstIndex(of: suffix) {
            unit <<= Int64(10 * (power + 1))
            digits = digits.dropLast().trimmed
        }
        guard digits.allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber }), let number = Double(digits), number >= 0,
            number * Double(unit) <= Double(1 << 50 as Int64)
        else { return nil }
        return Int64(number * Double(unit))
    }

    /// Returns the size as `parse` reads it, with the largest suffix that leaves a whole number, such as `1G` or
    /// `1536M`.
    public static func format(_ bytes: Int64) -> String {
        var number = bytes
        var suffix = ""
        for next in suffixes where number > 0 && number % 1024 == 0 {
            number /= 1024
            suffix = String(next)
        }
        return "\(number)\(suffix)"
    }
}
