import Files
import Foundation
import Testing

@Suite struct OpenFileTests {
    /// Returns an open file that has already been unlinked.
    private func temporary() throws -> OpenFile {
        var template = Array("/tmp/tacet-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        unlink(template)
        return OpenFile(owning: descriptor, "a file")
    }

    @Test func readsBackWhatWasWritten() throws {
        let file = try temporary()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        try file.write(bytes)
        #expect(try file.readAll().isEmpty)
        try file.rewind()
        #expect(try file.readAll() == bytes)
    }

    @Test func readingStopsSoonAfterItsLimit() throws {
        let file = try OpenFile.open("/dev/zero", O_RDONLY)
        let bytes = try file.readAll(limit: 100_000)
        #expect(bytes.count > 100_000 && bytes.count < 200_000)
    }

    @Test func readingAPieceReturnsTheAvailableBytes() throws {
        let file = try temporary()
        try file.write("ab".utf8)
        try file.rewind()
        #expect(try file.readPiece() == [97, 98])
        #expect(try file.readPiece() == [])
    }

    @Test(arguments: [
        ("open", "cannot open /nonexistent/file: No such file or directory"),
        ("read", "cannot read /: Is a directory"),
        ("write", "cannot write /dev/full: No space left on device"),
        ("rewind", "cannot rewind a pipe: Illegal seek"),
    ]) func errorsNameOperationFileAndCause(tried: String, words: String) throws {
        #expect {
            switch tried {
            case "open": _ = try OpenFile.open("/nonexistent/file", O_RDONLY)
            case "read": _ = try OpenFile.open("/", O_RDONLY).readAll()
            case "write": try OpenFile.open("/dev/full", O_WRONLY).write([0])
            default:
                var ends: [CInt] = [0, 0]
                pipe(&ends)
                close(ends[1])
                try OpenFile(owning: ends[0], "a pipe").rewind()
            }
        } throws: {
            "\($0)" == words
        }
    }

    @Test func readsTheFirstLineOfAShortFile() throws {
        let path = FileManager.default.temporaryDirectory.path + "/tacet-line-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (text, line) in [("one\ntwo\n", "one"), ("one", "one"), ("", nil), ("\ntwo", nil)] {
            try OpenFile.replace(path, with: Array(text.utf8), mode: 0o604)
            #expect(OpenFile.firstLine(of: path) == line)
        }
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o604)
        #expect(OpenFile.firstLine(of: path + "/none") == nil)
    }
}
