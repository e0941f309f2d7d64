import Files
import Foundation
import Testing

@testable import ResumeStore

@Suite struct StateLockTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-lock-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test func rejectsALockedFolderAndNamesItsOwner() throws {
        defer { clean() }
        let lock = try #require(try StateLock.take(folder.path))
        #expect(throws: StateError.inUse(folder.path, by: Int(getpid()))) { try StateLock.take(folder.path) }
        let words = StateError.inUse(folder.path, by: 812).description
        #expect(words.contains("\(folder.path) is in use by another Tacet (process 812): stop it"))
        withExtendedLifetime(lock) {}
    }

    @Test func releasedFolderCanBeLockedAgain() throws {
        defer { clean() }
        for _ in 0..<3 { #expect(try StateLock.take(folder.path) != nil) }
    }

    @Test func waitingProcessLocksTheFolderAfterItsRelease() async throws {
        defer { clean() }
        let path = folder.path
        // A separate function is used, so that its return releases the lock.
        func hold() throws -> Task<Bool, any Error> {
            let lock = try StateLock.take(path)
            defer { withExtendedLifetime(lock) {} }
            let waiting = Task { try StateLock.take(path, timeout: .seconds(60)) != nil }
            do throws(StateError) {
                _ = try StateLock.take(path)
                Issue.record("a locked folder was locked again")
            } catch {}
            return waiting
        }
        #expect(try await hold().value)
    }

    /// Otherwise, any user could hold the lock and prevent the next start. Earlier versions created a lock that
    /// everybody could open.
    @Test func onlyTheFoldersOwnerCanOpenTheLock() throws {
        defer { clean() }
        let path = folder.path + "/lock"
        for _ in 0..<2 {
            withExtendedLifetime(try StateLock.take(folder.path)) {}
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            chmod(path, 0o666)
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func lockMadeByRootBelongsToTheFoldersOwner() throws {
        defer { clean() }
        chown(folder.path, 1, 1)
        withExtendedLifetime(try StateLock.take(folder.path)) {}
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/lock")
        #expect(attributes[.ownerAccountID] as? Int == 1 && attributes[.groupOwnerAccountID] as? Int == 1)
    }

    @Test(.enabled(if: geteuid() == 0)) func lockOfAnotherUserKeepsItsOwner() throws {
        defer { clean() }
        let path = folder.path + "/lock"
        chown(folder.path, 1, 1)
        try Data().write(to: URL(fileURLWithPath: path))
        chown(path, 2, 2)
        withExtendedLifetime(try StateLock.take(folder.path)) {}
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.ownerAccountID] as? Int == 2 && attributes[.groupOwnerAccountID] as? Int == 2)
    }

    /// Otherwise, the owner of the folder could make root overwrite any file, or become its owner.
    @Test(arguments: [true, false]) func fileOutsideOfTheFolderIsNotChanged(isSymbolic: Bool) throws {
        defer { clean() }
        let (path, other) = (folder.path + "/lock", folder.path + "/other")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
        chmod(other, 0o644)
        #expect((isSymbolic ? symlink(other, path) : link(other, path)) == 0)
        if isSymbolic {
            let reason = StateError.file(FileError("open", path, code: ELOOP))
            #expect(throws: reason) { try StateLock.take(folder.path) }
        } else {
            let lock = try #require(try StateLock.take(folder.path))
            #expect(throws: StateError.inUse(folder.path, by: nil)) { try StateLock.take(folder.path) }
            withExtendedLifetime(lock) {}
        }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        #expect(try FileManager.default.attributesOfItem(atPath: other)[.posixPermissions] as? Int == 0o644)
    }

    /// No process can write to such a folder, so starting must not fail because of the missing lock.
    @Test func doesNotLockAFolderThatCannotBeWritten() throws {
        defer { clean() }
        #expect(try StateLock.take(folder.path + "/missing") == nil)
        #expect(try StateLock.take("/proc/self") == nil)
    }
}
