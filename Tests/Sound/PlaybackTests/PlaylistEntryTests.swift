import Foundation
import Testing

@testable import Playback

/// Lines of M3U playlists, as written by players on several systems.
@Suite struct PlaylistEntryTests {
    private func paths(_ line: some Sequence<UInt8>) -> [String]? {
        PlaylistEntry(Array(line)[...], in: Array("/list/".utf8))?.candidates.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("a.flac", "/list/a.flac"), ("  /srv/a b.flac\t", "/srv/a b.flac"),
        ("file:///srv/My%20Music/%C3%BC.flac", "/srv/My Music/ü.flac"), ("FILE://LocalHost/a.flac", "/a.flac"),
        ("file:/a.flac", "/a.flac"), ("file:///100%.flac", "/100%.flac"), ("file:///%zz%4", "/%zz%4"),
        ("file://server/a.flac", "file://server/a.flac"), ("file:a.flac", "/list/file:a.flac"),
        ("http://host/x.mp3", "http://host/x.mp3"), ("C:\\Music\\a.mp3", "C:\\Music\\a.mp3"),
        ("d:/a.mp3", "d:/a.mp3"), ("12:30 train.mp3", "/list/12:30 train.mp3"), ("a%20b.mp3", "/list/a%20b.mp3"),
    ])
    func convertsALineToAPath(line: String, path: String) {
        #expect(paths(line.utf8) == [path])
    }

    @Test func ignoresCommentsAndBlankLines() {
        for line in ["", "  \t", "#EXTINF:1,b", "  # x"] { #expect(paths(line.utf8) == nil) }
    }

    @Test func backslashSeparatesFoldersUnlessSuchAFileExists() {
        let entry = PlaylistEntry(Array("Album\\1.mp3".utf8)[...], in: Array("/list/".utf8))
        #expect(entry?.path { _ in false } == Array("/list/Album/1.mp3".utf8))
        #expect(entry?.path { $0.contains(UInt8(ascii: "\\")) } == Array("/list/Album\\1.mp3".utf8))
    }

    @Test func readsInvalidUTF8AsLatin1UnlessSuchAFileExists() {
        let line = Array("f".utf8) + [0xFC] + Array("r.mp3".utf8)
        let entry = PlaylistEntry(line[...], in: [])
        #expect(entry?.path { _ in false } == Array("für.mp3".utf8))
        #expect(entry?.path { $0 == line } == line)
    }
}
