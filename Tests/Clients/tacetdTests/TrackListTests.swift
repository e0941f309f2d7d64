import BusLab
import Foundation
import ServiceLab
import Testing

/// The track list and the playlists over a real message bus.
@Suite(.serialized, .timeLimit(.minutes(2))) struct TrackListTests {
    private let trackList = "org.mpris.MediaPlayer2.TrackList"
    private let playlists = "org.mpris.MediaPlayer2.Playlists"
    private let player = "org.mpris.MediaPlayer2.Player"

    @Test func clientsListAndPlayTracksAndPlaylists() throws {
        let bus = try MessageBus()
        let folder = try Service.makeFolder(tracks: 3)
        let library = folder.appendingPathComponent("music")
        let stories = library.appendingPathComponent("stories")
        try FileManager.default.createDirectory(at: stories, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: library.appendingPathComponent("0.wav"), to: stories.appendingPathComponent("owl.wav"))
        try "2.wav\n1.wav\n".write(to: library.appendingPathComponent("calm.m3u"), atomically: true, encoding: .utf8)
        let service = try Service("", in: folder, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        func heard(_ title: String) throws {
            try service.wait(title) { (try? bus.property(player, "Metadata"))?.contains("\"\(title)\"") == true }
        }
        try heard("0.wav")
        let file = folder.appendingPathComponent("signals").path
        let listener = try bus.listen(into: file)
        func emitted(_ words: String) throws {
            try service.wait("‘\(words)’") {
                (try? String(contentsOfFile: file, encoding: .utf8))?.contains(words) == true
            }
        }
        try emitted("is owned by")

        let tracks = (0..<4).map { "\"/org/tacet/track/\($0)\"" }.joined(separator: " ")
        #expect(try bus.property(trackList, "Tracks") == "v ao 4 \(tracks)\n")
        _ = try bus.call(trackList, "GoTo", ["o", "/org/tacet/track/2"])
        try heard("2.wav")
        // The same track again is a jump.
        _ = try bus.call(trackList, "GoTo", ["o", "/org/tacet/track/2"])
        try emitted("org.mpris.MediaPlayer2.Player.Seeked")
        // The list continues from there.
        _ = try bus.call(player, "Next")
        try heard("owl.wav")
        let described = try bus.call(trackList, "GetTracksMetadata", ["ao", "2", "/org/tacet/track/1", "/no/track"])
        #expect(described.text.hasPrefix("aa{sv} 1 3 \"mpris:trackid\" o \"/org/tacet/track/1\""), "\(described.text)")
        _ = try bus.call(trackList, "GoTo", ["o", "/org/tacet/track/9"])
        try heard("owl.wav")

        #expect(try bus.property(playlists, "PlaylistCount") == "v u 2\n")
        let listed = try bus.call(playlists, "GetPlaylists", ["uusb", "0", "10", "Alphabetical", "true"]).text
        #expect(
            listed == "a(oss) 2 \"/org/tacet/playlist/stories\" \"stories\" \"\" \"/org/tacet/playlist/calm_2em3u\" "
                + "\"calm.m3u\" \"\"\n")
        _ = try bus.call(playlists, "ActivatePlaylist", ["o", "/org/tacet/playlist/calm_2em3u"])
        try heard("2.wav")
        #expect(try bus.property(playlists, "ActivePlaylist").hasPrefix("v (b(oss)) true "))
        try emitted(
            "org.mpris.MediaPlayer2.TrackList.TrackListReplaced ([objectpath '/org/tacet/track/1152921504606846976'")
        try emitted("('org.mpris.MediaPlayer2.TrackList', @a{sv} {}, ['Tracks'])")
        try emitted("'ActivePlaylist': <(true, (objectpath '/org/tacet/playlist/calm_2em3u', 'calm.m3u', ''))>")
        _ = try bus.call(player, "Next")
        try heard("1.wav")
        // The playlist is over, and the library continues where it was left.
        _ = try bus.call(player, "Next")
        try heard("owl.wav")
        #expect(try bus.property(playlists, "ActivePlaylist").hasPrefix("v (b(oss)) false "))
        #expect(try bus.call(playlists, "ActivatePlaylist", ["o", "/org/tacet/playlist/absent"]).code != 0)
        listener.end()

        // A new playlist is found while the music plays.
        #expect(try bus.call(player, "Pause").code == 0)
        try "0.wav\n".write(to: library.appendingPathComponent("new.m3u"), atomically: true, encoding: .utf8)
        try service.wait("new playlist") { (try? bus.property(playlists, "PlaylistCount")) == "v u 3\n" }
    }
}
