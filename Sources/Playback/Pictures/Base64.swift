/// RFC 4648, section 4.
enum Base64 {
    /// - Returns: nil for anything else; the padding at the end may be missing.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = text
        while digits.last == UInt8(ascii: "="), text.count - digits.count < 2 { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count * 3 / 4)
        var (bits, count) = (0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xffff
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return result
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
