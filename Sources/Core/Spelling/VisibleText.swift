extension StringProtocol {
    /// The text with every control character (C0, DEL, C1) escaped, like `\x1b`, so that a file name or another machine's
    /// journal entry can neither control the terminal nor forge a line. Invalid UTF-8 is U+FFFD already, from decoding.
    public var visible: String {
        // Most text has no control characters; this check is fast.
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

    /// `visible` for each line of a message.
    ///
    /// - Parameter lineBreak: replaces each line break.
    public func visibleLines(joinedBy lineBreak: String = "\n") -> String {
        split(omittingEmptySubsequences: false) { $0 == "\n" }.map(\.visible).joined(separator: lineBreak)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
