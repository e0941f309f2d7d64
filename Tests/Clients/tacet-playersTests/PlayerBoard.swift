import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

/// A board with a message bus, tacetd (on the `null` PCM), tacet-players, and real players without a sound card.
final class PlayerBoard {
    let bus: MessageBus
    let folder: BoardFolder
    private var daemon: Subprocess?
    private var helper: Subprocess?
    private var mpd: Subprocess?
    private var mpv: Subprocess?
    private var others: [Subprocess] = []
    private let manager: ServiceSocket

    /// - Parameter more: text that is added to the configuration.
    init(_ more: String = "") throws {
        bus = try MessageBus()
        folder = try BoardFolder("tacet-players", folders: ["state", "memory", "music", "mpd"])
        manager = try ServiceSocket()
        for number in 0..<2 {
            try TestMusic.writeNumbers(to: path("music/\(number).wav"), frames: 48_000 * 120)
        }
        try """
        [Playback]
        Device=null
        Library=music
        AutoPlay=no
        [State]
        Directory=state
        [Signal phone-call]
        Source=bus
        Effect=pause
        ReleaseDelay=0s
        WhenLost=hold
        [Player radio]
        MPD=\(path("mpd/socket"))
        [Player film]
        Bus=mpv*
        \(more)
        """.write(toFile: path("tacet.conf"), atomically: true, encoding: .utf8)
        try """
        music_directory "\(path("music"))"
        db_file "\(path("mpd/database"))"
        bind_to_address "\(path("mpd/socket"))"
        log_file "\(path("mpd/log"))"
        audio_output {
          type "null"
          name "null"
        }
        """.write(toFile: path("mpd/conf"), atomically: true, encoding: .utf8)
    }

    deinit {
        for process in others + [helper, mpv, mpd, daemon] { process?.end() }
    }

    func path(_ name: String) -> String { folder.path(name) }

    /// The log of both programs.
    var output: String { folder.output }

    /// Returns how often the log of both programs contains a text.
    func count(_ text: String) -> Int { output.components(separatedBy: text).count - 1 }

    // MARK: Tacet

    func startDaemon() throws {
        daemon = try Subprocess(
            [try BuiltProgram.path("tacetd"), "--bus=system", "--config", path("tacet.conf")],
            environment: ["NOTIFY_SOCKET": manager.name].merging(bus.environment) { $1 }, errors: folder.log)
        wait("daemon") { (try? players.contains("a{s(sssbt)}")) ?? false }
    }

    func startHelper() throws {
        helper = try Subprocess(
            [try BuiltProgram.path("tacet-players")],
            environment: ["STATE_DIRECTORY": path("memory")].merging(bus.environment) { $1 }, errors: folder.log)
    }

    func killDaemon() { daemon?.end() }
    func killHelper() { helper?.end() }

    func ring(_ rings: Bool) throws {
        let answer = try bus.call("org.tacet.Session1", "SetSignal", ["sbt", "phone-call", "\(rings)", "0"])
        #expect(answer.text.contains("success"), "\(answer.text)")
    }

    /// The property `Players` as busctl prints it.
    var players: String { get throws { try bus.property("org.tacet.Session1", "Players") } }

    /// Waits until Tacet lists a player in this way, such as `paused true`, which begins with the order to pause.
    func wait(for player: String, _ state: String) {
        let (report, isKept) = (state.split(separator: " ")[0], state.split(separator: " ")[1])
        wait("\(player) \(state)") {
            guard let text = try? players, let start = text.range(of: "\"\(player)\" ") else { return false }
            let fields = text[start.upperBound...].split(separator: " ").prefix(4)
            return fields.count == 4 && fields[fields.startIndex + 2] == "\"\(report)\""
                && fields[fields.startIndex + 3] == isKept
        }
    }

    // MARK: Players

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

    /// Starts another program, which ends with the board.
    func start(_ command: [String], _ environment: [String: String] = [:]) throws -> Subprocess {
        let process = try Subprocess(
            command, environment: environment.merging(bus.environment) { $1 }, errors: folder.log)
        others.append(process)
        return process
    }

    /// The state of a player on the bus in lower case.
    func state(of player: String) -> String {
        let text = (try? bus.run(["playerctl", "--player=\(player)", "status"]).text) ?? ""
        return text.trimmingCharacters(in: .newlines).lowercased()
    }

    func freezeMPV() { mpv?.signal(SIGSTOP) }

    /// The state of mpv in lower case.
    var film: String { ((try? playerctl("status").text) ?? "").trimmingCharacters(in: .newlines).lowercased() }

    @discardableResult
    func playerctl(_ arguments: String...) throws -> (code: Int32, text: String) {
        try bus.run(["playerctl", "--player=mpv"] + arguments)
    }

    // MARK: Waiting

    /// Waits for a condition, for at most a minute.
    func wait(_ what: String, until condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if condition() { return }
            poll(nil, 0, 20)
        }
        Issue.record("no \(what): \((try? players) ?? "") \(output)")
    }
}
