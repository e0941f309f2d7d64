import Glibc
import Playback
import SoundLab

/// Where both players play: a sound server with a null sink, tracks, and a folder for all that they leave behind.
final class Stage {
    let server: PulseServer
    /// The small program around Tacet's engine.
    let player: String
    /// Music as people have it, FLAC at 44.1 kHz.
    let music: [Track]
    static let rate = 48_000
    /// Of the tracks that are made here.
    static let trackFrames = 170 * rate
    static let sineStep = 2 * Double.pi * 440 / Double(rate)
    static let sinePeak = 0.9 * 0x1p31

    /// - Parameters:
    ///   - player: empty where somebody else plays.
    ///   - music: a library; nil: none.
    init(player: String = "", music: String? = nil) throws {
        self.player = player
        self.music =
            try music.map { try Library.load($0).tracks }?.map { track in
                guard let path = realpath(track.path, nil) else { throw BenchError("there is no \(track.path)") }
                defer { free(path) }
                return Track(path: String(cString: path))
            } ?? []
        server = try PulseServer(rate: Self.rate)
        openDoor()
        try Programme.writeNumbers(to: numbers, frames: Self.trackFrames)
        try Programme.write(sine, frames: 60 * Self.rate, rate: Self.rate) {
            Int32((sin(Self.sineStep * Double($0)) * Self.sinePeak).rounded())
        }
    }

    var folder: String { server.folder }
    /// A track whose frames carry their own numbers, and one whose smoothness is known.
    var numbers: String { folder + "/numbers.wav" }
    var sine: String { folder + "/sine.wav" }

    /// The way to the server's socket that the players know. Shut, it keeps them out while a server is restarted and
    /// the recording begins.
    private var door: String { folder + "/door" }
    func openDoor() { symlink(server.socket, door) }
    func shutDoor() { unlink(door) }

    /// The sink, in the language of asound.conf.
    var definition: String { "pcm.speakers { type pulse server \"unix:\(door)\" device speakers fallback \"\" }" }

    /// Lets time pass. Ctrl-C is heard in here, and goes up as an error, so that nothing is left behind.
    static func pass(_ time: Duration) throws {
        var signals = Self.stopSignals
        var timeout = timespec(tv_sec: Int(time / .seconds(1)), tv_nsec: Int(time / .nanoseconds(1)) % 1_000_000_000)
        guard sigtimedwait(&signals, nil, &timeout) < 0 else { throw BenchError("stopped") }
    }

    /// Keeps these signals for `pass`.
    static func holdSignals() {
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
