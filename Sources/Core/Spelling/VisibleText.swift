extension StringProtocol {
    /// The text with every control character (C0, DEL, C1) escaped, for example as `\x1b`, so that a file name or a
    /// journal entry of another machine can neither control the terminal nor forge a line. Invalid UTF-8 has already
    /// become U+FFFD during decoding.
    public var visible: String {
        // Most text does not contain control characters, and this check is fast.
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

    /// Returns the same as `visible`, limited to this many bytes of UTF-8. An ellipsis replaces the end of a longer
    /// text.
    public func visible(limit: Int) -> String {
        guard utf8.count > limit else {
            let text = visible
            return text.utf8.count > limit ? text.cut(to: limit) : text
        }
        return cut(to: limit).visible.cut(to: limit)
    }

    /// Returns the longest beginning, followed by an ellipsis, that has at most this many bytes.
    private func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        let ellipsis = "…"
        // This counts scalars, because a character can consist of any number of them.
        var start = String.UnicodeScalarView()
        var room = limit - ellipsis.utf8.count
        for scalar in unicodeScalars {
            room -= UTF8.width(scalar)
            if room < 0 { break }
            start.append(scalar)
        }
        return String(start) + ellipsis
    }

    /// Returns the message with `visible` applied to each line.
    ///
    /// - Parameter lineBreak: the text that replaces each line break.
    public func visibleLines(joinedBy lineBreak: String = "\n") -> String {
        split(omittingEmptySubsequences: false) { $0 == "\n" }.map(\.visible).joined(separator: lineBreak)
    }
}

extension Unicode.Scalar {
    /// True for control characters, for characters that end a line or change the direction of the text that follows,
    /// and for the noncharacters of Unicode, which other programs reject.
    fileprivate var isControl: Bool {
        properties.generalCategory == .control || (0x2028...0x202E).contains(value) || (0x2066...0x2069).contains(value)
            || properties.isNoncharacterCodePoint
    }
}
