import CRealTime
import Glibc
import SoundLab

/// MPD as Debian has it, configured to do what Tacet does: nothing but a 48 kHz stream of 32 bits, with a resampler of
/// the same quality.
final class MPDPeer: Peer {
    private let process: Subprocess
    private let connection: MPDConnection
    /// Where it listens.
    let socket: String

    init(_ paths: [String], on stage: Stage) throws {
        let home = stage.folder
        try TextFile.write(stage.definition + "\n", to: home + "/.asoundrc")
        try TextFile.write(Self.configuration(home), to: home + "/mpd.conf")
        // An empty one: what is elsewhere is played without its database.
        mkdir(home + "/music", 0o755)
        socket = home + "/mpd.socket"
        unlink(socket)
        unlink(home + "/mpd.state")
        process = try Subprocess(
            ["mpd", "--no-daemon", home + "/mpd.conf"], environment: stage.server.environment)
        connection = try MPDConnection(socket)
        for path in paths { try connection.tell("add \"file://\(path)\"") }
        try connection.tell("repeat 1")
        try connection.tell("play")
    }

    private static func configuration(_ home: String) -> String {
        """
        music_directory "\(home)/music"
        db_file "\(home)/mpd.database"
        state_file "\(home)/mpd.state"
        log_file "\(home)/mpd.log"
        bind_to_address "\(home)/mpd.socket"
        zeroconf_enabled "no"
        audio_output {
            type "alsa"
            name "speakers"
            device "speakers"
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
    /// It has none: whatever it does with the device in a pause it does at once.
    func waitForRest() throws { try Stage.pass(.seconds(3)) }

    func quit() { process.end(with: SIGTERM) }

    /// What it says of itself, by the name of a field; nil where it says nothing.
    func status(_ field: String) throws -> String? {
        try connection.ask("status").first { $0.hasPrefix(field + ": ") }.map { String($0.dropFirst(field.count + 2)) }
    }

    /// Asks it to play, as a person would who hears nothing.
    func play() throws { try connection.tell("play") }

    private func give(_ command: String) throws -> Int {
        let time = Int(realtime_now())
        try connection.tell(command)
        return time
    }
}
