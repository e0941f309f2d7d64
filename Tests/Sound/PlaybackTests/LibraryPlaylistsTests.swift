import Glibc
import Testing

@testable import Playback

@Suite struct LibraryPlaylistsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func playlists(of library: String? = nil) throws -> LibraryPlaylists {
        let library = library ?? folder.path
        return LibraryPlaylists(of: library, try Library.load(library).tracks)
    }

    @Test func playlistsAreTheM3UFilesAndTheFoldersWithTracks() throws {
        for name in ["stories", "Part 10", "part 2", "empty", ".hidden", "stories/deep"] { try folder.makeFolder(name) }
        for name in [
            "stories/a.wav", "stories/deep/b.wav", "Part 10/a.wav", "part 2/a.wav", ".hidden/a.wav", "top.wav",
        ] {
            try folder.write("", to: name)
        }
        for name in ["Calm.m3u", "party.M3U8", ".hidden.m3u", "stories/inner.m3u", "notes.txt"] {
            try folder.write("top.wav\n", to: name)
        }
        #expect(try playlists().names == ["Calm.m3u", "part 2", "Part 10", "party.M3U8", "stories"])
        #expect(try playlists(of: folder.path + "/").names == playlists().names)
        // From a library that is a playlist, only a folder can be chosen.
        try folder.write("stories/a.wav\ntop.wav\n", to: "all.m3u")
        #expect(try playlists(of: folder.path("all.m3u")).names == ["stories"])
        #expect(try playlists(of: folder.path("top.wav")).names == [])
    }

    @Test func namesThatCannotBeShownAreOmitted() throws {
        for name in ["line\nbreak.m3u", "Zwei Stücke.m3u"] { try folder.write("", to: name) }
        let path = folder.path.utf8.map { CChar(bitPattern: $0) } + "/".utf8.map { CChar(bitPattern: $0) }
        let name: [UInt8] = [0xff] + Array(".m3u".utf8) + [0]
        let descriptor = open(path + name.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0 && close(descriptor) == 0)
        #expect(try playlists().names == ["Zwei Stücke.m3u"])
    }

    @Test func atMostAThousandPlaylistsAreListed() throws {
        let many = (0..<100_000).map { Track(path: "\(folder.path)/\($0)/a.wav") }
        for number in 0..<5 { try folder.write("", to: "\(number).m3u") }
        let playlists = LibraryPlaylists(of: folder.path, many)
        #expect(playlists.names.count == LibraryPlaylists.most)
        #expect(playlists.names.prefix(3) == ["0", "0.m3u", "1"])
    }

    @Test func missingLibraryHasNoPlaylists() {
        #expect(LibraryPlaylists(of: folder.path("absent"), []).names == [])
        #expect(LibraryPlaylists(of: "", []).names == [])
    }

    @Test func requestNamesItsPlaylistInAnySpelling() {
        let playlists = LibraryPlaylists(["calm.m3u", "stories"], in: "/srv/music")
        for request in ["stories", "stories/", "./stories", "/srv/music/stories", "/srv//music/./stories/"] {
            #expect(playlists.name(of: request) == "stories", "\(request)")
        }
        let others = [
            "", "/", ".", "stories/owl.wav", "/srv/music", "/srv/stories", "/a/b/stories", "Stories",
            "../music/stories",
        ]
        for request in others {
            #expect(playlists.name(of: request) == nil, "\(request)")
        }
    }
}
