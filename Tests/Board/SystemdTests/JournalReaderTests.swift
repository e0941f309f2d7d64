import Foundation
import ServiceLab
import Systemd
import Testing

@Suite struct JournalReaderTests {
    private let folder: TemporaryFolder

    /// Writes a journal with two boots in the way that systemd-journal-remote writes entries from other machines.
    init() throws {
        folder = try TemporaryFolder()
        var export = ""
        func entry(_ time: Int, _ boot: String, _ fields: String...) {
            export += "__REALTIME_TIMESTAMP=\(time)\n__MONOTONIC_TIMESTAMP=\(time % 1000)\n"
            export += "_BOOT_ID=\(String(repeating: boot, count: 16))\n" + fields.joined(separator: "\n") + "\n\n"
        }
        entry(1_000_000_000_000_001, "01", "MESSAGE=one", "SYSLOG_IDENTIFIER=a", "TAG=x", "TAG=y=z")
        entry(1_000_000_000_000_002, "01", "MESSAGE=other", "SYSLOG_IDENTIFIER=b")
        entry(
            1_000_000_000_000_103, "af", "MESSAGE=two", "SYSLOG_IDENTIFIER=a",
            "TAG=\(String(repeating: "t", count: 99))"
        )
        let file = folder.path + "/export"
        try export.write(toFile: file, atomically: true, encoding: .utf8)
        try JournalFile.write(file, to: folder.path + "/test.journal")
    }

    private func read(_ reader: JournalReader, longest: Int = 98) throws -> [JournalReader.Entry] {
        var entries: [JournalReader.Entry] = []
        while case .entry(let entry) = try reader.next(longest: longest, fields: { ["MESSAGE", "TAG"].contains($0) }) {
            entries.append(entry)
        }
        return entries
    }

    @Test func entriesAreReadInTheirOrderWithTheRequestedFields() throws {
        let entries = try read(JournalReader(directory: folder.path))
        #expect(entries.map { $0.fields["MESSAGE"] } == [["one"], ["other"], ["two"]])
        #expect(entries.map(\.realtime) == [1_000_000_000_000_001, 1_000_000_000_000_002, 1_000_000_000_000_103])
        #expect(entries.map(\.monotonic) == [1, 2, 103])
        #expect(entries.map(\.boot) == ["01", "01", "af"].map { String(repeating: $0, count: 16) })
        #expect(entries.first?.fields["TAG"]?.sorted() == ["x", "y=z"])
        #expect(entries.first?.fields.keys.sorted() == ["MESSAGE", "TAG"])
    }

    @Test func valueThatIsTooLongIsLeftOut() throws {
        #expect(try read(JournalReader(directory: folder.path)).last?.fields["TAG"] == nil)
        #expect(try read(JournalReader(directory: folder.path), longest: 99).last?.fields["TAG"]?.first?.count == 99)
    }

    @Test func onlySelectedEntriesAreRead() throws {
        let reader = try JournalReader(directory: folder.path)
        try reader.select("SYSLOG_IDENTIFIER", "a")
        #expect(try read(reader).map { $0.fields["MESSAGE"] } == [["one"], ["two"]])
    }

    @Test func missingFolderIsAnError() {
        #expect(throws: SystemdError("open the journal in /nowhere/at/all", code: ENOENT)) {
            _ = try JournalReader(directory: "/nowhere/at/all")
        }
    }
}
