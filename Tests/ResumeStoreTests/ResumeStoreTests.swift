import Glibc
import ResumeStore
import Testing

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

@Suite struct ResumeStoreTests {
    @Test func whatWasSavedLastIsRead() throws {
        let folder = try Folder()
        let store = ResumeStore(directory: folder.path)
        #expect(try store.load() == nil)
        try store.save(SavedStateTests.state)
        var newer = SavedStateTests.state
        newer.intent = "paused"
        try store.save(newer)
        #expect(try store.load() == newer)
        #expect(access(folder.path + "/state.new", F_OK) != 0)
    }

    @Test func aDamagedStateIsKeptForDiagnosis() throws {
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

    @Test func aFolderThatIsNotThere() {
        let store = ResumeStore(directory: "/nonexistent/tacet")
        #expect {
            try store.save(SavedStateTests.state)
        } throws: {
            "\($0)" == "cannot open /nonexistent/tacet/state.new: No such file or directory"
        }
    }
}
