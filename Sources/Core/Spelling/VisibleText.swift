extension StringProtocol {
    /// The same text in which every control character (C0, DEL, C1) is spelled out, like `\x1b`: a file's name, or an
    /// entry of somebody else's journal, cannot steer the terminal or forge a line. Bytes that are no UTF-8 have become
    /// U+FFFD where the text was decoded.
    public var visible: String {
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

    /// Each line visible, for a message that has several.
    ///
    /// - Parameter lineBreak: is written for each line break.
    public func visibleLines(joinedBy lineBreak: String = "\n") -> String {
        split(omittingEmptySubsequences: false) { $0 == "\n" }.map(\.visible).joined(separator: lineBreak)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
