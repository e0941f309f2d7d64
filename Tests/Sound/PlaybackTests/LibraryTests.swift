import Foundation
import SoundLab
import Testing

@testable import Playback

@Suite struct LibraryTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func names(_ library: Library) -> [String] {
        library.tracks.map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    @Test func folderIsSortedNaturallyAndFiltered() throws {
        try folder.makeFolder("10 b")
        try folder.makeFolder("2 A")
        try folder.makeFolder(".hidden")
        for name in [
            "10 b/1.FLAC", "2 A/track10.wav", "2 A/track9.wav", "2 A/Track09.wav", "2 A/cover.jpg",
            "2 A/notes.txt", ".hidden/x.wav", "2 A/.y.wav", "z.Opus", "Alpha.mp3", "beta.mp3", "wav",
        ] {
            try folder.write("", to: name)
        }
        let library = try Library.load(folder.path)
        #expect(
            names(library) == [
                "2 A/Track09.wav", "2 A/track9.wav", "2 A/track10.wav", "10 b/1.FLAC", "Alpha.mp3", "beta.mp3",
                "z.Opus",
            ])
        #expect(library.tracks.first?.name == "Track09.wav")
        #expect(library.unreadable.isEmpty)
    }

    @Test func naturalOrderIsATotalOrder() {
        let names = [
            "a", "A", "a1", "a01", "a001", "a1b", "a/b", "a 2", "a 10", "", "10", "9", "09",
            "99999999999999999999", "ä",
        ]
        for one in names {
            for other in names {
                let left = NaturalOrder(Track(path: one))
                let right = NaturalOrder(Track(path: other))
                let relations = [left < right, right < left, left == right].filter { $0 }
                #expect(relations.count == 1, "\(one) | \(other)")
                for third in names.map({ NaturalOrder(Track(path: $0)) }) where left < right && right < third {
                    #expect(left < third, "\(one) | \(other) | \(third.track.path)")
                }
            }
        }
        #expect(NaturalOrder(Track(path: "9")) < NaturalOrder(Track(path: "99999999999999999999")))
    }

    @Test func followsLinksButVisitsEachFolderOnce() throws {
        try folder.makeFolder("a/b")
        try folder.write("", to: "a/b/1.wav")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a/b/up"), withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a/2.wav"), withDestinationPath: "b/1.wav")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a/gone.wav"), withDestinationPath: "nowhere")
        #expect(names(try Library.load(folder.path)) == ["a/2.wav", "a/b/1.wav", "a/gone.wav"])
    }

    @Test func playlistKeepsItsOrderAndItsMissingEntries() throws {
        let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:1,b\r\nb.wav\r\n\r\n  /abs/a.wav \r\nmissing/c.flac\r\nhttp://host/x.mp3"
        let path = try folder.write(text, to: "list.M3U8")
        let library = try Library.load(path)
        #expect(
            library.tracks.map(\.path) == [
                folder.path("b.wav"), "/abs/a.wav", folder.path("missing/c.flac"), "http://host/x.mp3",
            ])
    }

    @Test func readsAPlaylistInLatin1() throws {
        let path = try folder.write(Array("f".utf8) + [0xFC] + Array("r.wav\n".utf8), to: "old.m3u")
        #expect(try Library.load(path).tracks.map(\.path) == [folder.path("für.wav")])
    }

    /// The names contain `ü` in Latin-1, and a byte that does not occur in UTF-8.
    @Test func readsAndOpensFilesWhoseNamesAreNotUTF8() throws {
        let album = Track(bytes: Array(folder.path.utf8) + Array("/M".utf8) + [0xFC] + Array("ller".utf8))
        #expect(album.withPath { mkdir($0, 0o700) } == 0)
        defer { _ = album.withPath { rmdir($0) } }
        let song = Track(bytes: album.pathBytes + [0x2F, 0xFF] + Array(".wav".utf8))
        let written = try folder.encode(music(frames: 100), to: "x.wav", .wav16)
        #expect(song.withPath { rename(written, $0) } == 0)
        defer { _ = song.withPath { unlink($0) } }

        let library = try Library.load(folder.path)
        #expect(library.tracks == [song])
        #expect(names(library) == ["M\u{FFFD}ller/\u{FFFD}.wav"])
        #expect(library.tracks.first?.name == "\u{FFFD}.wav")
        #expect(try Decoder.open(song).frameCount == 100)

        // The same track comes from a playlist.
        let entry = song.pathBytes.dropFirst(folder.path.utf8.count + 1)
        let list = try folder.write(Array(entry) + Array("\n".utf8), to: "list.m3u")
        #expect(try Library.load(list).tracks == [song])
    }

    @Test func tracksWithEqualDisplayNamesButDifferentBytesDiffer() throws {
        let one = Track(bytes: [0xFE]), other = Track(bytes: [0xFF])
        #expect(one != other && one.path == other.path)
        #expect((NaturalOrder(one) < NaturalOrder(other)) != (NaturalOrder(other) < NaturalOrder(one)))
    }

    @Test func readsWindowsPathsAndFileURLsInAPlaylist() throws {
        try folder.makeFolder("My Album")
        let song = try folder.write("", to: "My Album/1.wav")
        let url = "file://\(folder.path)/My%20Album/1.wav"
        let list = try folder.write("My Album\\1.wav\r\n\(url)\r\nC:\\Music\\1.wav\r\n", to: "list.m3u")
        let library = try Library.load(list)
        #expect(library.tracks.map(\.path) == [song, song, "C:\\Music\\1.wav"])
        let error = try #require(
            library.tracks.last.flatMap { track in thrown(DecoderError.self) { try Decoder.open(track) } })
        #expect(error.description.contains("which can contain only files on this board"))
    }

    @Test func reportsASubfolderThatCannotBeRead() throws {
        try folder.write("", to: "a.wav")
        let unreadable = UnreadableFolder(in: folder.path)
        defer { withExtendedLifetime(unreadable) {} }
        let library = try Library.load(folder.path)
        #expect(names(library) == ["a.wav"])
        #expect(library.unreadable.count == 1)
        #expect(library.unreadable.first?.message == "File name too long")
    }

    @Test func loadsASingleFileAndAnEmptyFolder() throws {
        #expect(try Library.load(folder.path).tracks.isEmpty)
        let path = try folder.write("", to: "one.flac")
        #expect(try Library.load(path).tracks == [Track(path: path)])
    }

    @Test func reportsAMissingPathAndAFileThatIsNotAudio() throws {
        let missing = thrown(LibraryError.self) { try Library.load(folder.path("missing")) }
        #expect(missing?.reason == .notFound)
        #expect(missing?.description.contains("No such file or directory") == true)
        let text = try folder.write("hello", to: "a.txt")
        let other = thrown(LibraryError.self) { try Library.load(text) }
        #expect(other?.reason == .notALibrary)
        #expect(other?.description.contains(text) == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root can read everything"))
    func reportsFoldersWithoutReadPermission() throws {
        try folder.makeFolder("closed")
        try folder.write("", to: "a.wav")
        chmod(folder.path("closed"), 0)
        defer { chmod(folder.path("closed"), 0o700) }
        let library = try Library.load(folder.path)
        #expect(names(library) == ["a.wav"])
        #expect(library.unreadable.map(\.reason) == [.notReadable])
        let error = thrown(LibraryError.self) { try Library.load(folder.path("closed")) }
        #expect(error?.reason == .notReadable)
    }
}
