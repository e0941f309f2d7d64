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

    /// `visible`, and at most this many bytes of UTF-8: the end of a longer text is replaced by an ellipsis.
    public func visible(limit: Int) -> String {
        guard utf8.count > limit else {
            let text = visible
            return text.utf8.count > limit ? text.cut(to: limit) : text
        }
        return cut(to: limit).visible.cut(to: limit)
    }

    /// The longest start, with an ellipsis, that has at most this many bytes.
    private func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        let ellipsis = "…"
        // Scalars, because a character can have any number of them.
        var start = String.UnicodeScalarView()
        var room = limit - ellipsis.utf8.count
        for scalar in unicodeScalars {
            room -= UTF8.width(scalar)
            if room < 0 { break }
            start.append(scalar)
        }
        return String(start) + ellipsis
    }

    /// `visible` for each line of a message.
    ///
    /// - Parameter lineBreak: replaces each line break.
    public func visibleLines(joinedBy lineBreak: String = "\n") -> String {
        split(omittingEmptySubsequences: false) { $0 == "\n" }.map(\.visible).joined(separator: lineBreak)
    }
}

extension Unicode.Scalar {
    /// Control characters, those that end a line or change the direction of all that follows in it, and Unicode's
    /// noncharacters, which other programs refuse.
    fileprivate var isControl: Bool {
        properties.generalCategory == .control || (0x2028...0x202E).contains(value) || (0x2066...0x2069).contains(value)
            || properties.isNoncharacterCodePoint
    }
}
