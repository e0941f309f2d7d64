import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

/// A board with a message bus, tacetd (on the `null` PCM) and tacet-players.
final class PlayerBoard {
    let bus: MessageBus
    let folder: BoardFolder
    private var daemon: Subprocess?
    private var helper: Subprocess?
    var mpd: Subprocess?
    var mpv: Subprocess?
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

    var health: String { (try? bus.property("org.tacet.Session1", "Health")) ?? "" }
    var why: String { (try? bus.property("org.tacet.Session1", "Why")) ?? "" }

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

    /// Starts another program, which ends with the board.
    func start(_ command: [String], _ environment: [String: String] = [:]) throws -> Subprocess {
        let process = try Subprocess(
            command, environment: environment.merging(bus.environment) { $1 }, errors: folder.log)
        others.append(process)
        return process
    }

    /// Calls a method of a player on the bus, such as `Play`.
    func command(_ player: String, _ method: String) throws {
        let answer = try bus.run([
            "busctl", "--address=\(bus.address)", "call", "org.mpris.MediaPlayer2.\(player)", "/org/mpris/MediaPlayer2",
            "org.mpris.MediaPlayer2.Player", method,
        ])
        #expect(answer.code == 0, "\(answer.text)")
    }

    /// The state of a player on the bus in lower case.
    func state(of player: String) -> String {
        let answer = try? bus.run([
            "busctl", "--address=\(bus.address)", "get-property", "org.mpris.MediaPlayer2.\(player)",
            "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", "PlaybackStatus",
        ])
        // For example, busctl prints `s "Playing"`.
        return answer?.text.split(separator: "\"").dropFirst().first?.lowercased() ?? ""
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
