import Foundation
import SoundLab

/// Real players without a sound card.
extension PlayerBoard {
    /// Starts MPD, which then plays.
    func startMPD() throws {
        mpd = try Subprocess(["mpd", "--no-daemon", path("mpd/conf")], errors: folder.log)
        wait("MPD") { (try? mpc("status").code) == 0 }
        _ = try mpc("update", "--wait")
        _ = try mpc("clear")
        _ = try mpc("add", "/")
        _ = try mpc("repeat", "on")
        _ = try mpc("play")
    }

    func killMPD() { mpd?.end() }

    @discardableResult
    func mpc(_ arguments: String...) throws -> (code: Int32, text: String) {
        try bus.run(["mpc", "--host=\(path("mpd/socket"))"] + arguments)
    }

    /// The state of MPD: playing, paused, or something else.
    var radio: String {
        let text = (try? mpc("status").text) ?? ""
        return text.contains("[playing]") ? "playing" : text.contains("[paused]") ? "paused" : "stopped"
    }

    /// Starts mpv, which then plays.
    func startMPV() throws {
        mpv = try Subprocess(
            [
                "mpv", "--no-config", "--ao=null", "--no-video", "--no-terminal", "--loop-playlist",
                "--load-scripts=no", "--script=/usr/lib/mpv-mpris/mpris.so", path("music/0.wav"), path("music/1.wav"),
            ], environment: bus.environment, errors: folder.log)
        wait("mpv") { film == "playing" }
    }

    /// Starts VLC, which then plays. It does not run as root. It shows itself on the bus without an option. The
    /// option `--control=dbus` would show it twice.
    func startVLC() throws -> Subprocess {
        let home = path("vlc")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        chmod(home, 0o777)
        for name in ["", "music", "music/0.wav"] { chmod(path(name), 0o755) }
        let user = getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        let vlc = try start(
            user + [
                "vlc", "--intf=dummy", "--aout=dummy", "--no-video", "--loop", path("music/0.wav"),
            ], ["HOME": home, "XDG_RUNTIME_DIR": home])
        wait("VLC") { state(of: "vlc") == "playing" }
        return vlc
    }

    /// Starts a program that shows MPD on the bus.
    func startBridge() throws {
        _ = try start(["mpDris2", "--host=\(path("mpd/socket"))"], ["HOME": path("mpd")])
        wait("bridge") { state(of: "mpd") == "playing" }
    }

    func freezeMPV() { mpv?.signal(SIGSTOP) }

    /// The state of mpv.
    var film: String { state(of: "mpv") }
}
