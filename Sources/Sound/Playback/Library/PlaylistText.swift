/// Splits a playlist into lines of bytes, in UTF-8 or in an encoding that extends ASCII. This type is pure.
enum PlaylistText {
    /// - Parameter text: a text in UTF-8 with or without a byte order mark, UTF-16, or another encoding with ASCII's
    ///   line ends.
    static func lines(of text: [UInt8]) -> PlaylistLines { PlaylistLines(body(of: text)) }

    private static func body(of text: [UInt8]) -> ArraySlice<UInt8> {
        if text.starts(with: [0xff, 0xfe]) { return utf16(text.dropFirst(2)) { $0 | $1 << 8 } }
        if text.starts(with: [0xfe, 0xff]) { return utf16(text.dropFirst(2)) { $0 << 8 | $1 } }
        if text.starts(with: [0xef, 0xbb, 0xbf]) { return text.dropFirst(3) }
        // Without a byte order mark, detect UTF-16 by its zero bytes. No path contains a zero byte, but ASCII text in
        // UTF-16 does.
        guard text.count >= 2, (text[0] == 0) != (text[1] == 0) else { return text[...] }
        return text[1] == 0 ? utf16(text[...]) { $0 | $1 << 8 } : utf16(text[...]) { $0 << 8 | $1 }
    }

    /// Decodes UTF-16. An odd byte at the end is ignored.
    private static func utf16(
        _ bytes: ArraySlice<UInt8>, _ unit: (_ first: UInt16, _ second: UInt16) -> UInt16
    ) -> ArraySlice<UInt8> {
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        let units = pairs.map { unit(UInt16(bytes[$0]), UInt16(bytes[$0 + 1])) }
        return Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }
}

/// The lines of a text, one by one, because a playlist may contain millions of short lines.
struct PlaylistLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// The next line that is not empty.
    mutating func next() -> ArraySlice<UInt8>? {
        rest = rest.drop(while: Self.isEnd)
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { !Self.isEnd($0) }
        rest = rest[line.endIndex...]
        return line
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}

/// Windows's code page for western Europe, which extends Latin-1.
enum CodePage1252 {
    /// The characters from 0x80 to 0x9f. The five bytes that the code page does not define have the same meaning as in
    /// Latin-1.
    private static let block: [UInt16] = [
        0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
        0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
        0x0153, 0x9d, 0x017e, 0x0178,
    ]

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let code = (0x80..<0xa0).contains(byte) ? block[Int(byte) - 0x80] : UInt16(byte)
            text.append(Unicode.Scalar(code) ?? "\u{fffd}")
        }
        return String(text)
    }

    /// Returns the text of a file name, which is decoded as UTF-8 if it is valid UTF-8.
    static func name(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? text(bytes)
    }
}
