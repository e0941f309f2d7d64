import Testing

@testable import Appliance

/// What a person reads who has started the daemon by hand.
@Suite struct JournalWriterTests {
    @Test func entryIsALineWithItsFields() {
        let entry = JournalEntry(.started, "Tacet runs.").with(.track, "/srv/One.flac").with(.playing, true)
        #expect(
            JournalWriter.plainText(entry, showsPriority: false)
                == "Tacet runs. [started TRACK=/srv/One.flac PLAYING=yes]")
        #expect(JournalWriter.plainText(entry, showsPriority: true).hasPrefix("<6>Tacet runs. ["))
    }

    @Test func controlCharactersInAFileNameAreEscaped() {
        let name = "\u{1B}]0;owned\u{07}\u{9B}31m\r.flac"
        let entry = JournalEntry(.started, "plays ‘\(name)’").with(.track, name)
        let visible = "\\x1b]0;owned\\x07\\x9b31m\\x0d.flac"
        #expect(
            JournalWriter.plainText(entry, showsPriority: false) == "plays ‘\(visible)’ [started TRACK=\(visible)]")
    }

    /// Mistakes of a configuration have a line each; a file's name that looks like an entry is one in none.
    @Test func lineBreakInAFileNameCannotForgeAnEntry() {
        let name = "a\n<3>Tacet stops. [stopping]"
        let entry = JournalEntry(.started, "plays ‘\(name)’").with(.track, name)
        #expect(
            JournalWriter.plainText(entry, showsPriority: true)
                == "<6>plays ‘a\n    <3>Tacet stops. [stopping]’ [started TRACK=a\\x0a<3>Tacet stops. [stopping]]")
    }
}
