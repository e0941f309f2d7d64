extension StringProtocol {
    /// The same text in which every control character (C0, DEL, C1) is spelled out, like `\x1b`: a file's name, or an
    /// entry of somebody else's journal, cannot steer the terminal or forge a line. Bytes that are no UTF-8 have become
    /// U+FFFD where the text was decoded.
    var visible: String {
        // Most text has none, and ASCII is looked at fastest.
        guard unicodeScalars.contains(where: \.isControl) else { return String(self) }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl {
                let digits = String(scalar.value, radix: 16)
                result.append(contentsOf: ("\\x" + (digits.count < 2 ? "0" : "") + digits).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
