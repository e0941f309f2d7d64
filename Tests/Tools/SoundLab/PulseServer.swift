import ALSA
import Foundation
import Glibc

/// A private PulseAudio server with a null sink, which plays in real time. Tests can record its monitor and kill the
/// server. It does not use files outside its folder.
public final class PulseServer {
    public let folder: String
    public var rate: Int
    public var channels: Int
    private var process: Subprocess?

    public init(rate: Int = 48_000, channels: Int = 2) throws {
        var template = Array("/tmp/tacet-pulse-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Subprocess.CannotStart(description: "no folder in /tmp") }
        folder = String(cString: made)
        self.rate = rate
        self.channels = channels
        try start()
    }

    deinit {
        process?.end()
        // The folder contains only the server's files.
        _ = try? Subprocess(["rm", "-rf", folder]).wait()
    }

    public var socket: String { folder + "/native" }

    /// The environment for programs that must find this server and no other service of this machine.
    public var environment: [String: String] {
        [
            "HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_RUNTIME_PATH": folder + "/runtime",
            "PULSE_STATE_PATH": folder + "/state", "PULSE_SERVER": "unix:" + socket, "PULSE_COOKIE": folder + "/cookie",
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        ]
    }

    /// Its sink, on which the engine plays without ALSA.
    public var address: PCMAddress { device("speakers", on: "speakers") }

    /// The server's default sink. The server can move such a stream to another sink.
    public var defaultAddress: PCMAddress {
        PCMAddress("default", definedBy: "pcm.default { type pulse server \"unix:\(socket)\" fallback \"\" }")
    }

    /// The same sink, on which the engine plays through ALSA's plug-in, because ALSA's configuration hides it.
    public var plugInAddress: PCMAddress {
        PCMAddress(
            "speakers",
            definedBy: """
                pcm.speakers { type empty slave.pcm { type pulse server "unix:\(socket)" device speakers fallback "" } }
                """)
    }

    /// An ALSA device that captures what its sink plays.
    public var microphone: PCMAddress { device("microphone", on: monitor) }

    private func device(_ name: String, on end: String) -> PCMAddress {
        PCMAddress(name, definedBy: "pcm.\(name) { type pulse server \"unix:\(socket)\" device \(end) fallback \"\" }")
    }

    /// The source that records what the sink plays.
    public let monitor = "speakers.monitor"

    /// Starts the server and waits until it accepts connections. If a test leaves it behind, it exits after a minute.
    public func start() throws {
        unlink(socket)
        process = try Subprocess(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=60", "--use-pid-file=no", "--log-level=error",
                "--high-priority=yes", "--realtime=yes", "-L",
                "module-native-protocol-unix auth-anonymous=1 socket=\(socket)", "-L",
                "module-null-sink sink_name=speakers format=s32le rate=\(rate) channels=\(channels) norewinds=1",
            ], environment: environment)
        for _ in 0..<2000 {
            if canConnect { return }
            poll(nil, 0, 5)
        }
        throw Subprocess.CannotStart(description: "pulseaudio does not answer")
    }

    /// Kills the server without a chance to clean up.
    public func die() {
        process?.end()
        process = nil
    }

    public func freeze() { process?.signal(SIGSTOP) }
    public func thaw() { process?.signal(SIGCONT) }

    public func run(_ command: [String]) throws {
        try Subprocess(command, environment: environment).wait()
    }

    /// Returns the indices of its streams, the oldest first.
    public func streams() throws -> [String] {
        let path = folder + "/streams"
        try run(["sh", "-c", "pactl list short sink-inputs >\(path)"])
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
    }

    private var canConnect: Bool {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: socket.utf8)
        }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
