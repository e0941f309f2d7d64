import Spelling
import Testing

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("One.flac", "One.flac"), ("Für Elise – ‘1’", "Für Elise – ‘1’"), ("\u{1B}[2J", "\\x1b[2J"),
        ("\u{202E}a\u{2069}", "\\x202ea\\x2069"), ("a\u{2028}b\u{2029}", "a\\x2028b\\x2029"),
        ("\u{5D0}\u{200F}", "\u{5D0}\u{200F}"),
        ("a\nb\tc\r", "a\\x0ab\\x09c\\x0d"), ("\u{7F}\u{80}\u{9B}31m", "\\x7f\\x80\\x9b31m"), ("e\u{301}", "e\u{301}"),
        ("\r\n", "\\x0d\\x0a"),
    ]) func controlCharactersAreEscaped(text: String, visible: String) {
        #expect(text.visible == visible)
    }

    @Test(arguments: [0xFFFE, 0x1FFFF, 0xFDD0, 0xFDEF] as [UInt32]) func noncharactersAreEscaped(value: UInt32) throws {
        let text = "a\(try #require(Unicode.Scalar(value)))"
        #expect(text.visible == "a\\x\(String(value, radix: 16))")
    }

    @Test func lineBreaksAreKeptOrReplaced() {
        #expect("a\u{1B}\n\nb\r\nc".visibleLines() == "a\\x1b\n\nb\\x0d\\x0ac")
        #expect("a\nb".visibleLines(joinedBy: "\n  ") == "a\n  b" && "".visibleLines() == "")
    }

    @Test func longTextsAreCut() {
        #expect("abc".visible(limit: 3) == "abc" && "abcd".visible(limit: 3) == "…")
        #expect("abcdefgh".visible(limit: 7) == "abcd…" && "aüüüüü".visible(limit: 7) == "aü…")
        // The limit applies to the text with its escapes, and an escape that is cut in half is still not a control
        // character.
        #expect("\r\r".visible(limit: 8) == "\\x0d\\x0d" && "\r\r\r".visible(limit: 9) == "\\x0d\\x…")
        #expect("e\u{301}\u{301}\u{301}".visible(limit: 6) == "e\u{301}…")
    }
}
