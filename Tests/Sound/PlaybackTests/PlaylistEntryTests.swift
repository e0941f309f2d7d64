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
        ("d:/a.mp3", "d:/a.mp3"), ("12:30 train.mp3", "/list/12:30 train.mp3"), ("100% a.mp3", "/list/100% a.mp3"),
        ("a%00b.mp3", "/list/a%00b.mp3"),
    ])
    func convertsALineToAPath(line: String, path: String) {
        #expect(paths(line.utf8) == [path])
    }

    @Test func ignoresCommentsAndBlankLines() {
        for line in ["", "  \t", "#EXTINF:1,b", "  # x"] { #expect(paths(line.utf8) == nil) }
    }

    /// A disk with some files that does not list folders.
    private struct Disk: PathLookup {
        let files: [String]

        func exists(_ path: [UInt8]) -> Bool { files.contains { $0.utf8.elementsEqual(path) } }
        func paths(like path: [UInt8], after base: Int, ignoringCase: Bool) -> [[UInt8]] { [] }
    }

    private func path(_ line: some Sequence<UInt8>, on files: String...) -> String? {
        var disk = Disk(files: files)
        return PlaylistEntry(Array(line)[...], in: Array("/list/".utf8)).map {
            String(decoding: $0.path(in: &disk), as: UTF8.self)
        }
    }

    @Test func removesPercentEncodingUnlessSuchAFileExists() {
        #expect(path("My%20Caf%C3%A9.mp3".utf8, on: "/list/My Café.mp3") == "/list/My Café.mp3")
        #expect(path("a%20b.mp3".utf8, on: "/list/a%20b.mp3", "/list/a b.mp3") == "/list/a%20b.mp3")
        #expect(path("Album%5C1.mp3".utf8, on: "/list/Album/1.mp3") == "/list/Album/1.mp3")
    }

    @Test func backslashSeparatesFoldersUnlessSuchAFileExists() {
        #expect(path("Album\\1.mp3".utf8) == "/list/Album/1.mp3")
        #expect(path("Album\\1.mp3".utf8, on: "/list/Album\\1.mp3", "/list/Album/1.mp3") == "/list/Album\\1.mp3")
    }

    @Test func readsInvalidUTF8AsCodePage1252UnlessSuchAFileExists() {
        let line = joined(text("f"), [0xFC], text("r "), [0x80], text("5.mp3"))
        #expect(path(line) == "/list/für €5.mp3")
        let entry = PlaylistEntry(line[...], in: [])
        #expect(entry?.candidates == [line, Array("für €5.mp3".utf8)])
        // VLC also percent-encodes the bytes of names that are not UTF-8.
        #expect(path("f%FCr.mp3".utf8, on: "/list/für.mp3") == "/list/für.mp3")
        #expect(path("file:///list/f%FCr.mp3".utf8, on: "/list/für.mp3") == "/list/für.mp3")
    }

    @Test func readsUTF16WithAndWithoutAByteOrderMark() {
        let text = "#EXTM3U\r\nGrüße 𝄞.mp3\r\n"
        let little = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        for bytes in [[0xff, 0xfe] + little, [0xfe, 0xff] + big, little, big, little + [0]] {
            let lines = PlaylistText.lines(of: bytes).map { String(decoding: $0, as: UTF8.self) }
            #expect(lines.prefix(2) == ["#EXTM3U", "Grüße 𝄞.mp3"])
        }
    }
}
