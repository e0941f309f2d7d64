import AudioSession
import Configuration
import Testing

@Suite("Players, which are other programs that play by themselves")
struct PlayerTests {
    private func load(_ text: String) throws -> LoadedConfiguration {
        let folder = try TemporaryFolder()
        return try Configuration.load(.file(try folder.write("tacet.conf", text)), checksLibrary: false)
    }

    private func mistakes(_ text: String) -> [String] {
        do {
            return try load(text).warnings.map(\.message)
        } catch {
            return (error as? ConfigurationError)?.diagnostics.map(\.message) ?? ["\(error)"]
        }
    }

    @Test("Players have an address, in the order in which they are first named")
    func players() throws {
        let configuration = try load(
            """
            [Player radio]
            MPD=localhost:6600
            [Player vlc]
            Bus=vlc*
            [Player off]
            Bus=mpv
            Enabled=no
            [Input aux]
            From=pipe:/run/aux
            Player=radio
            """
        ).configuration
        #expect(
            configuration.players == [
                PlayerSettings("radio", at: .mpd("localhost:6600")), PlayerSettings("vlc", at: .bus("vlc*")),
            ])
        #expect(configuration.session.players == ["radio", "vlc"])
        var other = configuration
        other.players[0].address = .mpd("localhost:6601")
        #expect(!configuration.canAdopt(other))
    }

    @Test(
        "A wrong address is an error",
        arguments: [
            ("Bus=org.mpris.MediaPlayer2.vlc", "Bus=org.mpris.MediaPlayer2.vlc begins with org.mpris.MediaPlayer2."),
            ("Bus=playerctld", "Bus=playerctld is not a player that can be paused"),
            ("Bus=tacet", "Bus=tacet is not a player that can be paused"),
            ("Bus=a b", "Bus=a b is not the end of a bus name"),
            ("Bus=org.gnome.ShairportSync", "Bus=org.gnome.ShairportSync is not the MPRIS name of shairport-sync"),
            (
                "MPD=secret@/run/mpd/socket",
                "MPD=secret@/run/mpd/socket contains a password, which everybody on the bus could read"
            ),
            (
                "MPD=secret@localhost:6600",
                "MPD=secret@localhost:6600 contains a password, which everybody on the bus could read"
            ),
            ("MPD=run/mpd", "MPD=run/mpd is not the address of a Music Player Daemon"),
            ("MPD=host:0", "MPD=host:0 is not the address of a Music Player Daemon"),
        ])
    func wrongAddress(line: String, message: String) {
        #expect(mistakes("[Player p]\n\(line)\n") == [message])
    }

    @Test("A player has exactly one address")
    func oneAddress() {
        #expect(mistakes("[Player p]\n") == ["[Player p] names no program"])
        #expect(
            mistakes("[Player p]\nBus=vlc\nMPD=/run/mpd\n") == [
                "MPD= in [Player p] is ignored because Bus= names the program"
            ])
    }

    @Test("Addresses of a Music Player Daemon are sockets, or hosts with a port")
    func addresses() {
        #expect(MPDAddress("/run/mpd/socket") == .socket(path: "/run/mpd/socket"))
        #expect(MPDAddress("[::1]:6600") == .host("::1", port: 6600))
        #expect(MPDAddress("radio:6600") == .host("radio", port: 6600))
        for text in ["", "host", ":6600", "host:65536", "ho st:1", "a@b:1", "/" + String(repeating: "x", count: 107)] {
            #expect(MPDAddress(text) == nil)
        }
    }
}
