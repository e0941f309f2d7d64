import Glibc
import Testing

@testable import ResumeStore

/// A folder that lives as long as a test.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/tacet-test-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for name in ["state", "state.new", "state.damaged"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}

/// The store on a real file system.
@Suite struct ResumeStoreTests {
    @Test func loadsTheStateSavedLast() throws {
        let folder = try Folder()
        let store = ResumeStore(directory: folder.path)
        #expect(try store.load() == nil)
        let file = StateFile(store)
        var state = SavedStateTests.state
        for position in 0..<10 {
            state.position = .seconds(position)
            try file.write(state)
            #expect(try store.load() == state)
        }
        #expect(try store.read()?.place == .slot(1, sequence: 10, other: .older(sequence: 9)))
        #expect(access(folder.path + "/state.new", F_OK) != 0)
        var status = stat()
        #expect(stat(store.path, &status) == 0 && Int(status.st_size) == StateImage.longest)
        #expect(Int(status.st_blocks) * 512 >= StateImage.longest)
    }

    @Test func setsADamagedStateAsideForDiagnosis() throws {
        let folder = try Folder()
        let store = ResumeStore(directory: folder.path)
        let file = try #require(fopen(store.path, "w"))
        fputs("rubbish\n", file)
        fclose(file)
        #expect(throws: StateError.self) { try store.load() }
        try store.setAside()
        #expect(access(store.damagedPath, F_OK) == 0)
        #expect(try store.load() == nil)
    }

    @Test func writingReportsAMissingFolder() {
        let store = ResumeStore(directory: "/nonexistent/tacet")
        #expect {
            try StateFile(store).write(SavedStateTests.state)
        } throws: {
            "\($0)" == "cannot create /nonexistent/tacet/state.new: No such file or directory"
        }
    }

    @Test func reportsAFolderAtThePathOfTheFile() throws {
        let folder = try Folder()
        let store = ResumeStore(directory: folder.path)
        mkdir(store.path, 0o755)
        defer { rmdir(store.path) }
        #expect { try store.load() } throws: { "\($0)" == "cannot read \(store.path): Is a directory" }
        #expect(throws: StateError.self) { try StateFile(store).write(SavedStateTests.state) }
    }
}
