import Foundation
import Testing

@testable import tacet

/// These tests use an account that does not exist on any machine, so that the mode of the file alone decides, whoever
/// runs the test.
@Suite struct AccessTests {
    private let folder: Folder
    private let stranger = Account(name: "stranger", user: 54_321, groups: [54_321])

    init() throws {
        // The folder is separate, because other users may not be able to enter the working directory.
        folder = try Folder(["music.flac": ""])
    }

    private func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.url.appendingPathComponent(name).path)
    }

    private var file: String { folder.url.appendingPathComponent("music.flac").path }

    @Test func worldReadableFileIsGranted() throws {
        try setMode(0o644, of: "music.flac")
        #expect(Access(of: stranger, to: file) == .granted)
        #expect(Access(of: stranger, to: folder.url.path) == .granted)
    }

    @Test func ownerOnlyFileIsDeniedToOthers() throws {
        try setMode(0o600, of: "music.flac")
        #expect(Access(of: stranger, to: file) == .denied(at: file, verb: "read"))
        let owner = Account(name: "me", user: geteuid(), groups: [])
        #expect(Access(of: owner, to: file) == .granted)
    }

    @Test func groupReadableFileIsGrantedToMembers() throws {
        try setMode(0o040, of: "music.flac")
        var status = stat()
        try #require(stat(file, &status) == 0)
        let member = Account(name: "member", user: 54_321, groups: [status.st_gid])
        #expect(Access(of: member, to: file) == .granted)
        #expect(Access(of: stranger, to: file) == .denied(at: file, verb: "read"))
    }

    @Test func namesTheParentFolderThatCannotBeEntered() throws {
        try setMode(0o700, of: "")
        defer { try? setMode(0o755, of: "") }
        let path = folder.url.path
        #expect(Access(of: stranger, to: file) == .denied(at: path, verb: "enter"))
        #expect(Access(of: stranger, to: path) == .denied(at: path, verb: "list"))
    }

    @Test func followsSymbolicLinks() throws {
        try setMode(0o700, of: "")
        defer { try? setMode(0o755, of: "") }
        let outside = try Folder()
        let link = outside.url.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(Access(of: stranger, to: link) == .denied(at: folder.url.path, verb: "enter"))
    }

    @Test func rootCanReadEverything() throws {
        try setMode(0o000, of: "music.flac")
        #expect(Access(of: Account(name: "root", user: 0, groups: []), to: file) == .granted)
    }

    @Test func missingFileIsUnknown() {
        #expect(Access(of: stranger, to: "/nonexistent/file") == .unknown(at: "/nonexistent"))
    }
}
