import Testing

@testable import Appliance

/// The output for a person who has started the daemon by hand.
@Suite struct JournalWriterTests {
    @Test func entryIsALineWithItsFields() {
        let entry = JournalEntry(.started, "Tacet runs.").with(.track, "/srv/One.flac").with(.playing, true)
        #expect(
            JournalWriter.plainText(entry, showsPriority: false)
                == "Tacet runs. [started TRACK=/srv/One.flac PLAYING=yes]")
        #expect(JournalWriter.plainText(entry, showsPriority: true).hasPrefix("<6>Tacet runs. ["))
    }

    /// The journal dates such an entry too late.
    @Test func delayedEntryStatesItsDelay() {
        let entry = JournalEntry(.started, "Tacet runs.").with(.playing, true)
        #expect(entry.written(after: .milliseconds(999)).fields == entry.fields)
        let late = entry.written(after: .milliseconds(1500))
        #expect(late.fields.dropLast() == entry.fields[...] && late[.delay] == ["1500000"])
        #expect(late.message == entry.message)
    }

    @Test func entryOfLostEntriesCountsThem() {
        let one = JournalEntry.entriesLost(1)
        #expect(one.event == .entriesLost && one.priority == .warning && one[.count] == ["1"])
        #expect(one.message.hasSuffix("in time, and 1 of them is lost."))
        let many = JournalEntry.entriesLost(1977)
        #expect(many[.count] == ["1977"] && many.message.hasSuffix("and 1977 of them are lost."))
    }

    @Test func controlCharactersInAFileNameAreEscaped() {
        let name = "\u{1B}]0;owned\u{07}\u{9B}31m\r.flac"
        let entry = JournalEntry(.started, "plays ‘\(name)’").with(.track, name)
        let visible = "\\x1b]0;owned\\x07\\x9b31m\\x0d.flac"
        #expect(
            JournalWriter.plainText(entry, showsPriority: false) == "plays ‘\(visible)’ [started TRACK=\(visible)]")
    }

    /// Each mistake of a configuration has its own line. A file name that looks like an entry must not become one.
    @Test func lineBreakInAFileNameCannotForgeAnEntry() {
        let name = "a\n<3>Tacet stops. [stopping]"
        let entry = JournalEntry(.started, "plays ‘\(name)’").with(.track, name)
        #expect(
            JournalWriter.plainText(entry, showsPriority: true)
                == "<6>plays ‘a\n    <3>Tacet stops. [stopping]’ [started TRACK=a\\x0a<3>Tacet stops. [stopping]]")
    }
}
