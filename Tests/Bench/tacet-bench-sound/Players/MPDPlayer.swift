import CRealTime
import Glibc
import SoundLab

/// MPD as packaged by Debian, configured to do what Tacet does. It plays only a 48 kHz, 32-bit stream, with a resampler
/// of the same quality.
final class MPDPlayer: PlayerProcess {
    private let process: Subprocess
    private let connection: MPDConnection
    /// The path of the socket on which it listens.
    let socket: String

    init(_ paths: [String], on rig: SoundRig) throws {
        let home = rig.folder
        try TextFile.write(Self.configuration(home, server: rig.serverLink), to: home + "/mpd.conf")
        // The folder is empty, because files elsewhere are played without MPD's database.
        mkdir(home + "/music", 0o755)
        socket = home + "/mpd.socket"
        unlink(socket)
        unlink(home + "/mpd.state")
        process = try Subprocess(
            ["mpd", "--no-daemon", home + "/mpd.conf"], environment: rig.server.environment)
        connection = try MPDConnection(socket)
        for path in paths { try connection.send("add \"file://\(path)\"") }
        try connection.send("repeat 1")
        try connection.send("play")
    }

    private static func configuration(_ home: String, server: String) -> String {
        """
        music_directory "\(home)/music"
        db_file "\(home)/mpd.database"
        state_file "\(home)/mpd.state"
        log_file "\(home)/mpd.log"
        bind_to_address "\(home)/mpd.socket"
        zeroconf_enabled "no"
        audio_output {
            type "pulse"
            name "speakers"
            server "unix:\(server)"
            sink "speakers"
            mixer_type "none"
            format "48000:32:2"
        }
        resampler {
            plugin "soxr"
            quality "high"
        }
        """ + "\n"
    }

    var pid: pid_t { process.pid }

    func pause() throws -> Int { try give("pause 1") }
    func resume() throws -> Int { try give("pause 0") }
    /// Waits for a fixed time, because MPD does not report anything. Whatever it does with a paused device, it does at
    /// once.
    func waitUntilIdle() throws { try SoundRig.sleep(.seconds(3)) }

    func quit() { process.end(with: SIGTERM) }

    /// Returns a field of MPD's status, or nil if the status lacks it.
    func status(_ field: String) throws -> String? {
        try connection.ask("status").first { $0.hasPrefix(field + ": ") }.map { String($0.dropFirst(field.count + 2)) }
    }

    /// Makes MPD play, as a person who notices silence would.
    func play() throws { try connection.send("play") }

    private func give(_ command: String) throws -> Int {
        let time = Int(realtime_now())
        try connection.send(command)
        return time
    }
}
