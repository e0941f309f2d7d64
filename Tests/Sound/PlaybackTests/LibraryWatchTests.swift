import Foundation
import Testing

@testable import Playback

@Suite struct LibraryWatchTests {
    private func hasChanged(_ watch: LibraryWatch) -> Bool {
        var entry = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        defer { watch.forget() }
        return poll(&entry, 1, 0) == 1
    }

    /// inotify reports at once, so the test need not wait.
    @Test func noticesChangesInTheFoldersOfTheLibraryOnly() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("music/album")
        try folder.makeFolder("other")
        try folder.write("", to: "music/album/1.wav")
        let watch = LibraryWatch()
        let library = try Library.load(folder.path("music"))
        #expect(!watch.follow(library))
        #expect(!hasChanged(watch))
        try folder.write("", to: "other/2.wav")
        _ = try folder.bytes(of: "music/album/1.wav")
        #expect(!hasChanged(watch))
        try folder.write("", to: "music/album/2.wav")
        #expect(hasChanged(watch))
        try folder.makeFolder("music/second")
        #expect(hasChanged(watch))
        #expect(unlink(folder.path("music/album/2.wav")) == 0)
        #expect(hasChanged(watch))
        let list = try folder.write("../music/album/1.wav\n", to: "other/list.m3u")
        #expect(!watch.follow(try Library.load(list)))
        watch.forget()
        try folder.write("", to: "music/album/3.wav")
        #expect(!hasChanged(watch))
        try folder.write("", to: "other/list.m3u")
        #expect(hasChanged(watch))
    }

    /// A new folder is watched only once it has been read, and by then it may contain more files.
    @Test func noticesWhatAppearsBeforeAFolderIsWatched() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("music")
        let watch = LibraryWatch()
        #expect(!watch.follow(try Library.load(folder.path("music"))))
        try folder.makeFolder("music/album")
        #expect(hasChanged(watch))
        let library = try Library.load(folder.path("music"))
        // The file gets a later time, as if a person had written it a moment later, because file systems round times to
        // a tick.
        var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        try folder.write("", to: "music/album/1.wav")
        #expect(utimensat(AT_FDCWD, folder.path("music/album"), &times, 0) == 0)
        #expect(!hasChanged(watch))
        #expect(watch.follow(library))
        #expect(!watch.follow(try Library.load(folder.path("music"))))
    }
}
