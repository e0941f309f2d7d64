import Foundation
import Testing

@testable import Playback

/// The limits of a library. The person who writes a disk determines its contents, so they must not exhaust the memory
/// or the stack.
@Suite struct LibraryLimitTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ library: Library) -> [String] {
        library.tracks.map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    private func limits(_ change: (inout LibraryLimits) -> Void) -> LibraryLimits {
        var limits = LibraryLimits()
        change(&limits)
        return limits
    }

    /// Creates nested folders. The names are relative, because the whole path would be longer than the system allows.
    private func nest(_ depth: Int) {
        let start = open(".", O_RDONLY | O_DIRECTORY)
        defer { close(start) }
        var last = open(folder.path, O_RDONLY | O_DIRECTORY)
        for _ in 0..<depth {
            mkdirat(last, "d", 0o700)
            let next = openat(last, "d", O_RDONLY | O_DIRECTORY)
            close(last)
            last = next
        }
        close(openat(last, "deep.wav", O_CREAT | O_WRONLY, 0o600))
        close(last)
    }

    @Test func leavesOutFoldersNestedTooDeeply() throws {
        nest(800)
        try folder.write("", to: "a.wav")
        try folder.write("", to: "d/b.wav")
        let library = try Library.load(folder.path)
        #expect(names(library) == ["a.wav", "d/b.wav"])
        #expect(library.unreadable.map(\.reason) == [.tooLarge])
        #expect(library.unreadable.first?.message == "it is nested in more than 64 folders")
    }

    @Test func walksAThousandFoldersWithoutRecursion() throws {
        nest(1000)
        let library = try Library.load(folder.path, limits: limits { $0.depth = 2000 })
        #expect(names(library) == [String(repeating: "d/", count: 1000) + "deep.wav"])
    }

    @Test(arguments: ["/proc", "/sys"])
    func doesNotFollowALinkIntoTheKernelsFileSystems(target: String) throws {
        try folder.write("", to: "a.wav")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: target)
        let library = try Library.load(folder.path, limits: limits { $0.names = 1000 })
        #expect(names(library) == ["a.wav"])
        #expect(library.unreadable.isEmpty)
        let error = thrown(LibraryError.self) { try Library.load(target) }
        #expect(error?.reason == .notALibrary)
    }

    @Test func limitsTheNumberOfFilesAndNames() throws {
        for name in ["1.wav", "2.wav", "3.wav"] { try folder.write("", to: name) }
        let files = try Library.load(folder.path, limits: limits { $0.files = 2 })
        #expect(names(files) == ["1.wav", "2.wav"])
        #expect(files.unreadable.map(\.message) == ["the library has more than 2 files"])
        let found = try Library.load(folder.path, limits: limits { $0.names = 2 })
        #expect(found.tracks.count <= 2)
        #expect(found.unreadable.map(\.message) == ["the library has more than 2 names"])
        let all = try Library.load(folder.path, limits: limits { $0.files = 3 })
        #expect(all.tracks.count == 3 && all.unreadable.isEmpty)
        let list = try folder.write("1.wav\n2.wav\n3.wav\n", to: "list.m3u")
        #expect(names(try Library.load(list, limits: limits { $0.files = 2 })) == ["1.wav", "2.wav"])
    }

    @Test func textsAndPicturesTakeNoMemory() throws {
        for number in 0..<100 { try folder.write("", to: "\(number).txt") }
        for name in ["1.wav", "2.wav"] { try folder.write("", to: name) }
        let length = folder.path.utf8.count + 6
        let found = try Library.load(folder.path, limits: limits { $0.paths = 2 * length })
        #expect(names(found) == ["1.wav", "2.wav"])
        #expect(found.unreadable.isEmpty)
    }

    @Test func boundsTheLengthOfAllPaths() throws {
        for name in ["1.wav", "2.wav", "3.wav"] { try folder.write("", to: name) }
        let list = try folder.write(String(repeating: "1.wav\n", count: 1000), to: "list.m3u")
        let message = "the paths of its files are longer than 0 MiB together"
        let length = folder.path.utf8.count + 6
        for path in [folder.path, list] {
            let library = try Library.load(path, limits: limits { $0.paths = 2 * length })
            #expect((2...3).contains(library.tracks.count))
            #expect(library.unreadable.map(\.message) == [message])
        }
    }

    /// The limits apply to everything that is read, even if no tracks come from it.
    @Test func aFullFolderEndsThePlaylistThatNamesIt() throws {
        try folder.makeFolder("album")
        for number in 1...3 { try folder.write("", to: "album/\(number).wav") }
        let list = try folder.write("a.wav\nalbum\nz.wav\n", to: "list.m3u")
        let files = try Library.load(list, limits: limits { $0.files = 3 })
        #expect(names(files) == ["a.wav", "album/1.wav", "album/2.wav"])
        #expect(files.unreadable.map(\.message) == ["the library has more than 3 files"])
        let found = try Library.load(list, limits: limits { $0.names = 3 })
        #expect(found.unreadable.map(\.message) == ["the library has more than 3 names"])
        #expect(!names(found).contains("z.wav"))
        try folder.write(String(repeating: "#\n", count: 1 << 19), to: "inner.m3u")
        let lists = try folder.write("inner.m3u\ninner.m3u\nz.wav\n", to: "lists.m3u")
        let total = try Library.load(lists, limits: limits { ($0.playlist, $0.playlists) = (3 << 19, 3 << 19) })
        #expect(total.unreadable.map(\.message) == ["all playlists together are longer than 1 MiB"])
        #expect(total.tracks.isEmpty)
    }

    /// However its name is written, a folder is listed only once.
    @Test func listsEachFolderOnceForAPlaylist() throws {
        try folder.makeFolder("Album")
        try folder.write("", to: "Album/Song.ogg")
        let lines = (1...20).map { String(repeating: "album/../", count: $0) + "album/song.ogg\n" }
        let list = try folder.write(lines.joined(), to: "list.m3u")
        let library = try Library.load(list, limits: limits { $0.searched = 8 })
        #expect(library.missing == 0 && library.tracks.count == 20)
        #expect(library.unreadable.isEmpty)
        let few = try Library.load(list, limits: limits { $0.searched = 1 })
        #expect(few.missing == 20)
        #expect(few.unreadable.map(\.reason) == [.tooLarge])
        #expect(few.unreadable.first?.message.hasPrefix("the folders that it names have more than 1 names") == true)
    }

    /// Each component of an entry's path is a folder to search.
    @Test func comparesOnlyAsManyFoldersAsTheLimitAllows() throws {
        try folder.makeFolder("Album")
        try folder.write("", to: "Album/Song.ogg")
        let line = String(repeating: "album/../", count: 100) + "album/song.ogg\n"
        let list = try folder.write(String(repeating: line, count: 50), to: "list.m3u")
        let library = try Library.load(list, limits: limits { $0.searchedPaths = 10_000 })
        #expect(library.tracks.count == 50 && library.missing > 0)
        #expect(library.unreadable.map(\.reason) == [.tooLarge])
        #expect(library.unreadable.first?.message.contains("longer than 10000 bytes together") == true)
        #expect(try Library.load(list).missing == 0)
    }

    @Test func rejectsAPlaylistLongerThanFourMebibytes() throws {
        let line = Array("a.wav\n".utf8)
        let text = Array(repeatElement(line, count: (4 << 20) / line.count + 1).joined())
        let list = try folder.write(text, to: "list.m3u")
        let error = thrown(LibraryError.self) { try Library.load(list) }
        #expect(error?.reason == .tooLarge)
        #expect(error?.message == "it is longer than 4 MiB")
    }

    @Test func leavesOutLinesLongerThanAPath() throws {
        let long = String(repeating: "x", count: 4097)
        let list = try folder.write("a.wav\n\(long)\n#\(long)\n" + long.dropFirst() + "\n", to: "list.m3u")
        let library = try Library.load(list)
        #expect(library.tracks.count == 2)
        #expect(library.unreadable.count == 1)
        #expect(library.unreadable.first?.message.hasPrefix("1 of its lines have more than 4096 bytes") == true)
    }

    @Test func rejectsAPlaylistThatIsNotARegularFile() throws {
        let list = folder.path("list.m3u")
        #expect(mkfifo(list, 0o600) == 0)
        #expect(thrown(LibraryError.self) { try Library.load(list) }?.reason == .notALibrary)
    }

    @Test func endsListsThatNameEachOther() throws {
        try folder.write("b.m3u\na.wav\n", to: "a.m3u")
        try folder.write("a.m3u\nb.wav\n", to: "b.m3u")
        let library = try Library.load(folder.path("a.m3u"))
        #expect(names(library) == ["b.wav", "a.wav"])
        #expect(library.unreadable.map(\.message) == ["it names itself"])
        for number in 0..<12 { try folder.write("\(number + 1).m3u\n\(number).wav\n", to: "\(number).m3u") }
        let nested = try Library.load(folder.path("0.m3u"))
        #expect(nested.unreadable.map(\.message) == ["it is nested in 8 others"])
        let total = try Library.load(folder.path("0.m3u"), limits: limits { $0.playlists = 30 })
        #expect(total.unreadable.first?.reason == .tooLarge)
    }

    @Test func limitsTheNumberOfErrors() throws {
        for number in 0..<5 { try folder.makeFolder("\(number)/deep") }
        let library = try Library.load(folder.path, limits: limits { ($0.depth, $0.errors) = (0, 3) })
        #expect(library.unreadable.count == 3)
    }

    // MARK: Texts

    @Test func showsNamesWithoutControlCharacters() throws {
        let track = Track(path: "/music/a\rMAINPID=1\n\u{1b}[2J\u{85}.wav")
        #expect(track.path == "/music/a\\x0dMAINPID=1\\x0a\\x1b[2J\\x85.wav")
        #expect(track.name == "a\\x0dMAINPID=1\\x0a\\x1b[2J\\x85.wav")
        #expect(track.pathBytes == Array("/music/a\rMAINPID=1\n\u{1b}[2J\u{85}.wav".utf8))
        #expect(track == Track(bytes: track.pathBytes))
        #expect(track != Track(path: track.path))
        let file = try folder.write("x", to: "a\rb.wav")
        let library = try Library.load(folder.path)
        #expect(names(library) == ["a\\x0db.wav"])
        #expect(library.tracks == [Track(path: file)])
        // The file is found under its real name.
        #expect(library.tracks.first?.exists == true)
        let error = thrown(DecoderError.self) { try Decoder.open(Track(path: file)) }
        #expect(error?.path == library.tracks.first?.path)
        #expect(error?.description.contains("\r") == false)
    }

    @Test func boundsNamesAndTags() {
        let long = String(repeating: "ü\r", count: 5000)
        #expect(Track(path: "/music/" + long).name.utf8.count <= 1024)
        var tags = TrackTags()
        tags.title = long
        tags.artist = long
        tags.album = long
        tags.genre = long
        tags.comment = long
        for text in [tags.title, tags.artist, tags.album, tags.genre, tags.comment] {
            #expect(text.map { $0.utf8.count } ?? 0 <= 1024)
            #expect(text?.hasPrefix("ü\\x0dü") == true)
            #expect(text?.hasSuffix("…") == true)
        }
        for number in 0..<100 { tags.add(artist: "\(number)") }
        #expect(tags.artists.count == 32)
    }
}
