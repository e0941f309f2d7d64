import Glibc
import Playback
import SoundLab

/// The environment of both players, which consists of a sound server with a null sink, tracks, and a folder for all
/// files that they create.
final class SoundRig {
    let server: PulseServer
    /// The path of `tacet-bench-player`, the small program that runs Tacet's engine.
    let playerProgram: String
    /// Typical music in FLAC at 44.1 kHz.
    let music: [Track]
    static let rate = 48_000
    /// The length of the generated tracks.
    static let trackFrames = 170 * rate
    static let sineStep = 2 * Double.pi * 440 / Double(rate)
    static let sinePeak = 0.9 * 0x1p31

    /// - Parameters:
    ///   - playerProgram: The path of `tacet-bench-player`, or an empty string if it is not used.
    ///   - music: The path of a library, or nil for none.
    init(playerProgram: String = "", music: String? = nil) throws {
        self.playerProgram = playerProgram
        self.music =
            try music.map { try Library.load($0).tracks }?.map { track in
                guard let path = realpath(track.path, nil) else { throw RigError("there is no \(track.path)") }
                defer { free(path) }
                return Track(path: String(cString: path))
            } ?? []
        server = try PulseServer(rate: Self.rate)
        linkServer()
        try TestMusic.writeNumbers(to: numbers, frames: Self.trackFrames)
        try TestMusic.write(sine, frames: 60 * Self.rate, rate: Self.rate) {
            Int32((sin(Self.sineStep * Double($0)) * Self.sinePeak).rounded())
        }
    }

    var folder: String { server.folder }
    /// A track whose frames carry their own numbers. `sine` is a track whose largest jump between samples is known.
    var numbers: String { folder + "/numbers.wav" }
    var sine: String { folder + "/sine.wav" }

    /// A symbolic link to the server's socket, which the players are configured to use. Without the link, they cannot
    /// connect while the server restarts and the recording begins.
    var serverLink: String { folder + "/server" }
    func linkServer() { symlink(server.socket, serverLink) }
    func unlinkServer() { unlink(serverLink) }

    /// Returns a definition of the sink by this name, in the syntax of asound.conf.
    func definition(of name: String) -> String {
        "pcm.\(name) { type pulse server \"unix:\(serverLink)\" device speakers fallback \"\" }"
    }

    /// Waits. Ctrl-C takes effect only here, where it throws so that everything is cleaned up.
    static func sleep(_ time: Duration) throws {
        var signals = Self.stopSignals
        var timeout = timespec(tv_sec: Int(time / .seconds(1)), tv_nsec: Int(time / .nanoseconds(1)) % 1_000_000_000)
        guard sigtimedwait(&signals, nil, &timeout) < 0 else { throw RigError("stopped") }
    }

    /// Blocks these signals, so that only `sleep` receives them.
    static func blockSignals() {
        var signals = stopSignals
        sigprocmask(SIG_BLOCK, &signals, nil)
    }

    private static var stopSignals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }
}
