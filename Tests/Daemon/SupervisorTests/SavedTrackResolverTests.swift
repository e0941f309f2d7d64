import Playback
import Testing

@testable import Supervisor

@Suite struct SavedTrackResolverTests {
    @Test(
        arguments: [
            // The track is at the same position, at another one, or at two positions in the list.
            ("/m/b.flac", 1, ["/m/a.flac", "/m/b.flac"], 1), ("/m/b.flac", 0, ["/m/a.flac", "/m/b.flac"], 1),
            ("/m/b.flac", 2, ["/m/b.flac", "/m/a.flac", "/m/b.flac"], 2),
            ("/m/b.flac", 1, ["/m/b.flac", "/m/a.flac", "/m/b.flac"], 0),
            // The disk is mounted elsewhere, or a folder was renamed.
            ("/mnt/usb0/x/01.flac", 0, ["/mnt/usb1/y/01.flac", "/mnt/usb1/x/01.flac"], 1),
            ("/m/old/song.ogg", 0, ["/m/a.ogg", "/m/new/song.ogg"], 1),
            // One of several candidates is the best, or the same file occurs twice.
            ("/a/b/c/01.flac", 0, ["/x/c/01.flac", "/x/b/c/01.flac", "/x/01.flac"], 1),
            ("/a/1.wav", 0, ["/b/1.wav", "/c/2.wav", "/b/1.wav"], 0),
            // Two candidates are equally good, none matches, or the list is empty.
            ("/a/x/01.flac", 0, ["/b/y/01.flac", "/b/z/01.flac"], nil),
            ("/a/1.wav", 0, ["/a/01.wav", "/a/1.wav.ogg"], nil),
            ("/a/1.wav", 0, [], nil),
        ] as [(String, Int, [String], Int?)]) func findsTheTrackInAChangedLibrary(
            path: String, number: Int, tracks: [String], index: Int?
        )
    {
        #expect(SavedTrackResolver(path: path, number: number).index(in: tracks.map(Track.init)) == index)
    }
}
