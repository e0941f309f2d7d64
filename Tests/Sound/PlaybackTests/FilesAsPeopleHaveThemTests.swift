import Foundation
import Testing

@testable import Playback

/// USB sticks and playlists from other systems.
@Suite struct FilesAsPeopleHaveThemTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ library: Library) -> [String] {
        library.tracks.map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    private func load(list text: String) throws -> Library {
        try Library.load(try folder.write(text, to: "list.m3u8"))
    }

    // MARK: Playlists

    private let composed = "Gr\u{fc}\u{df}e.ogg"
    private let decomposed = "Gru\u{308}\u{df}e.ogg"

    @Test func findsNamesInAnotherNormalisation() throws {
        for (entry, file) in [(composed, decomposed), (decomposed, composed)] {
            try folder.write("", to: file)
            let library = try load(list: entry + "\n")
            #expect(library.tracks.map(\.pathBytes) == [Array(folder.path(file).utf8)])
            try FileManager.default.removeItem(atPath: folder.path(file))
        }
    }

    @Test func prefersTheNameAsWrittenToOtherNormalisations() throws {
        for name in [composed, decomposed] { try folder.write("", to: name) }
        for name in [composed, decomposed] {
            #expect(try load(list: name + "\n").tracks.map(\.pathBytes) == [Array(folder.path(name).utf8)])
        }
    }

    /// Swift's strings are equal, but the files have different names.
    @Test func tracksInDifferentNormalisationsDiffer() {
        let tracks = [composed, decomposed].map { Track(path: $0) }
        #expect(tracks[0] != tracks[1] && Set(tracks).count == 2)
        var skipped: [Int] = []
        let order = TrackOrder(
            successor: { $0 + 1 }, next: { $0 < 1 ? $0 + 1 : nil }, previous: { $0 > 0 ? $0 - 1 : nil })
        let finder = TrackFinder(tracks: TrackList(tracks), order: order) { track, _ in skipped.append(track) }
        #expect(finder.source(for: 0, at: .zero, searching: .forward) == nil && skipped == [0, 1])
    }

    @Test func findsPercentEncodedNamesInAnotherNormalisation() throws {
        try folder.makeFolder("Mo\u{308}tley")
        try folder.write("", to: "Mo\u{308}tley/a b.ogg")
        let library = try load(list: "M%C3%B6tley/a%20b.ogg\n")
        #expect(library.tracks.map(\.pathBytes) == [Array(folder.path("Mo\u{308}tley/a b.ogg").utf8)])
        let url = try load(list: "file://\(folder.path)/M%C3%B6tley/a%20b.ogg\n")
        #expect(url.tracks == library.tracks)
    }

    @Test func findsNamesInAnotherCaseIfOnlyOneMatches() throws {
        try folder.makeFolder("Album")
        try folder.write("", to: "Album/Song.OGG")
        #expect(names(try load(list: "ALBUM\\song.ogg\n")) == ["Album/Song.OGG"])
        try folder.makeFolder("album")
        #expect(names(try load(list: "ALBUM/song.ogg\n")) == ["Album/Song.OGG"])
        try folder.write("", to: "album/song.ogg")
        let ambiguous = try load(list: "ALBUM/song.ogg\n")
        #expect(names(ambiguous) == ["ALBUM/song.ogg"])
        #expect(ambiguous.missing == 1)
    }

    /// A path that becomes absolute only when it is decoded does not begin with the playlist's folder.
    @Test func findsAbsolutePathsInAnotherCaseHoweverTheyAreEncoded() throws {
        try folder.makeFolder("lists")
        try folder.write("", to: "Song.ogg")
        let path = folder.path + "/song.ogg"
        let backslashes = path.split(separator: "/").map { "\\" + $0 }.joined()
        for entry in [backslashes, "%2F" + path.dropFirst()] {
            let list = try folder.write(entry + "\n", to: "lists/list.m3u")
            let library = try Library.load(list)
            #expect(names(library) == ["Song.ogg"])
            #expect(library.missing == 0)
        }
    }

    @Test func findsFilesWhoseNamesAreInCodePage1252() throws {
        let file = Track(bytes: Array(folder.path.utf8) + Array("/f".utf8) + [0xfc] + Array("r.ogg".utf8))
        let created = file.withPath { open($0, O_CREAT | O_WRONLY, 0o600) }
        try #require(created >= 0)
        close(created)
        #expect(try load(list: "für.ogg\n").tracks == [file])
        #expect(file.withPath { unlink($0) } == 0)
    }

    @Test func expandsFoldersAndPlaylistsInAPlaylist() throws {
        for name in ["album", "lists"] { try folder.makeFolder(name) }
        for name in ["album/2.ogg", "album/10.ogg", "lists/a.ogg", "z.ogg"] { try folder.write("", to: name) }
        try folder.write("a.ogg\n", to: "lists/inner.m3u")
        let library = try load(list: "z.ogg\nalbum\nlists/inner.m3u\nz.ogg\n")
        #expect(names(library) == ["z.ogg", "album/2.ogg", "album/10.ogg", "lists/a.ogg", "z.ogg"])
    }

    @Test func namesOtherPlaylistsAsWhatTheyAre() throws {
        try folder.write("[playlist]\n", to: "radio.pls")
        let library = try load(list: "radio.pls\nhttp://host/x.mp3\ngone.ogg\n")
        #expect(library.unreadable.map(\.message) == ["it is a PLS playlist, and only M3U playlists are read"])
        #expect(library.unreadable.map(\.kind) == [.playlist])
        #expect(library.addresses == 1 && library.missing == 1 && library.tracks.count == 2)
        let error = thrown(LibraryError.self) { try Library.load(folder.path("radio.pls")) }
        #expect(error?.message == "it is a PLS playlist, and only M3U playlists are read")
    }

    @Test(arguments: ["http://host/stream.mp3", "/etc/tacet/http://host/stream.mp3", "/etc/tacet/smb://host/music"])
    func namesANetworkAddressAsWhatItIs(library: String) {
        let error = thrown(LibraryError.self) { try Library.load(library) }
        #expect(error?.message == "it is a network address")
    }

    // MARK: Sticks

    @Test func leavesOutSystemFolders() throws {
        for name in ["$RECYCLE.BIN/S-1-5", "System Volume Information", ".Trash-1000/files", "@eaDir", "Deleted"] {
            try folder.makeFolder(name)
            try folder.write("", to: name + "/$R8AB12C.ogg")
        }
        try folder.write("", to: "1-good.ogg")
        let library = try Library.load(folder.path)
        #expect(names(library) == ["1-good.ogg", "Deleted/$R8AB12C.ogg"])
        #expect(library.unreadable.isEmpty)
    }

    @Test(.enabled(if: geteuid() != 0, "root can read everything"))
    func leavesOutAnUnreadableLostAndFound() throws {
        try folder.makeFolder("lost+found")
        try folder.write("", to: "lost+found/x.ogg")
        try folder.write("", to: "a.ogg")
        #expect(names(try Library.load(folder.path)) == ["a.ogg", "lost+found/x.ogg"])
        chmod(folder.path("lost+found"), 0)
        defer { chmod(folder.path("lost+found"), 0o700) }
        let library = try Library.load(folder.path)
        #expect(names(library) == ["a.ogg"])
        #expect(library.unreadable.isEmpty)
    }

    /// Like the test above, but it also works as root.
    @Test func expectsOnlyLostAndFoundToBeUnreadable() {
        func error(_ name: String) -> LibraryError {
            .system(EACCES, .folder, operation: "read folder", Track(path: "/music/" + name))
        }
        #expect(Omission.isExpected(error("lost+found"), at: Track(path: "/music/lost+found")))
        #expect(!Omission.isExpected(error("found"), at: Track(path: "/music/found")))
        let broken = LibraryError.system(ENOENT, .folder, operation: "read folder", Track(path: "/music/lost+found"))
        #expect(!Omission.isExpected(broken, at: Track(path: "/music/lost+found")))
    }

    @Test func countsFilesThatCannotBePlayedByTheirSuffix() throws {
        for name in ["a.m4a", "B.M4A", "c.m4a", "film.mkv", "cover.jpg", "notes.txt"] { try folder.write("", to: name) }
        let library = try Library.load(folder.path)
        #expect(library.tracks.isEmpty)
        #expect(
            "\(library.unplayable)"
                == "3 files .m4a and 1 file .mkv cannot be played, so convert them, for example with ffmpeg")
        for name in ["a.m4a", "B.M4A", "c.m4a"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
        let film = try Library.load(folder.path)
        #expect("\(film.unplayable)" == "1 file .mkv cannot be played, so convert it, for example with ffmpeg")
        try folder.write("", to: "a.wma")
        #expect("\(try load(list: "a.wma\n").unplayable)".hasPrefix("1 file .wma"))
        let error = thrown(LibraryError.self) { try Library.load(folder.path("a.wma")) }
        #expect(error?.message == "files of the kind .wma cannot be played")
    }
}
