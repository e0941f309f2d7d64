import Glibc
import ServiceLab
import SoundLab
import Systemd

/// `tacetd` as systemd would start it, playing on the stage, on a message bus of its own.
final class Daemon {
    /// What the service manager's patience would be.
    static let patience = Duration.seconds(4)
    static let trackCount = 5

    let manager: ServiceSocket
    /// A connection of the bench's own.
    let client: BusClient
    /// For programs that shall find the bus.
    let environment: [String: String]
    private let process: Subprocess
    private let bus: Subprocess
    private let log: String

    init(_ program: String, on stage: Stage) throws {
        let home = stage.folder
        let address = "unix:path=\(home)/bus"
        try TextFile.write(Self.busConfiguration(address), to: home + "/bus.conf")
        bus = try Subprocess(["dbus-daemon", "--config-file=\(home)/bus.conf", "--nofork", "--nopidfile"])
        for _ in 0..<2000 where access(home + "/bus", F_OK) != 0 { try Stage.pass(.milliseconds(5)) }

        try TextFile.write(stage.definition + "\n", to: home + "/.asoundrc")
        let tracks = Array(repeating: stage.numbers + "\n", count: Self.trackCount).joined()
        try TextFile.write(tracks, to: home + "/tacet.m3u")
        try TextFile.write(Self.configuration, to: home + "/tacet.conf")
        mkdir(home + "/state", 0o700)
        manager = try ServiceSocket()
        environment = stage.server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
        log = home + "/tacetd.log"
        let errors = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(errors) }
        let service = [
            "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "\(Int(Self.patience / .microseconds(1)))",
        ]
        process = try Subprocess(
            [program, "--bus=user", "--config", home + "/tacet.conf"],
            environment: environment.merging(service) { $1 }, errors: errors)
        client = try BusClient(address: address)
        try manager.wait { $0.contains("READY=1") }
        // It is on the bus a little later.
        for _ in 0..<1000 where property("PlaybackStatus") == nil { try Stage.pass(.milliseconds(10)) }
        guard property("PlaybackStatus") == .string("Playing") else { throw BenchError("tacetd does not play") }
    }

    /// The first number that is heard after a pause is to be known: it comes without a fade-in.
    private static let configuration = """
        [Playback]
        Device=speakers
        Library=tacet.m3u
        Repeat=playlist
        FadeIn=0s
        [State]
        Directory=state
        """ + "\n"

    /// With the limits that a session's bus has.
    private static func busConfiguration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_destination="*"/>
            <allow eavesdrop="true"/>
          </policy>
          <limit name="auth_timeout">240000</limit>
          <limit name="max_replies_per_connection">50000</limit>
        </busconfig>
        """
    }

    var pid: pid_t { process.pid }

    /// Takes what it has told the service manager meanwhile: a service waits for one that does not listen.
    /// - Returns: whether it has fed the watchdog.
    @discardableResult
    func listen() -> Bool {
        var isFed = false
        while let message = manager.receive(within: .zero) { isFed = isFed || message.contains("WATCHDOG=1") }
        return isFed
    }

    /// A property that MPRIS has of a player; nil where it does not answer.
    func property(_ name: String) -> BusValue? {
        let values = try? client.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: "/org/mpris/MediaPlayer2",
            on: "org.mpris.MediaPlayer2.tacet", [.string("org.mpris.MediaPlayer2.Player"), .string(name)])
        if case .variant(let value)? = values?.first { return value }
        return nil
    }

    /// Its journal's entries of a kind.
    func entries(_ kind: String) throws -> Int {
        try TextFile.read(log).split(separator: "\n").filter { $0.contains("[\(kind)") }.count
    }

    /// At once: nobody listens any more to what it would tell the service manager of its end.
    func quit() {
        process.end()
        bus.end()
    }
}
