import Glibc
import ServiceLab
import SoundLab
import Systemd

/// `tacetd` as started by systemd, which plays on the rig and has its own message bus.
final class TacetDaemon {
    /// The watchdog's interval that the service manager sets.
    static let watchdogInterval = Duration.seconds(4)
    static let trackCount = 5

    let manager: ServiceSocket
    /// The benchmark's own connection.
    let client: BusClient
    /// The environment for programs that must find the bus.
    let environment: [String: String]
    private let process: Subprocess
    private let bus: Subprocess
    private let log: String

    init(_ program: String, on rig: SoundRig) throws {
        let home = rig.folder
        let address = "unix:path=\(home)/bus"
        try TextFile.write(Self.busConfiguration(address), to: home + "/bus.conf")
        bus = try Subprocess(["dbus-daemon", "--config-file=\(home)/bus.conf", "--nofork", "--nopidfile"])
        for _ in 0..<2000 where access(home + "/bus", F_OK) != 0 { try SoundRig.sleep(.milliseconds(5)) }

        try TextFile.write(rig.definition(of: "speakers") + "\n", to: home + "/.asoundrc")
        let tracks = Array(repeating: rig.numbers + "\n", count: Self.trackCount).joined()
        try TextFile.write(tracks, to: home + "/tacet.m3u")
        try TextFile.write(Self.configuration, to: home + "/tacet.conf")
        mkdir(home + "/state", 0o700)
        manager = try ServiceSocket()
        environment = rig.server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
        log = home + "/tacetd.log"
        let errors = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(errors) }
        let service = [
            "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "\(Int(Self.watchdogInterval / .microseconds(1)))",
        ]
        process = try Subprocess(
            [program, "--bus=user", "--config", home + "/tacet.conf"],
            environment: environment.merging(service) { $1 }, errors: errors)
        client = try BusClient(address: address)
        try manager.wait { $0.contains("READY=1") }
        // The daemon appears on the bus a little later.
        for _ in 0..<1000 where property("PlaybackStatus") == nil { try SoundRig.sleep(.milliseconds(10)) }
        guard property("PlaybackStatus") == .string("Playing") else { throw RigError("tacetd does not play") }
    }

    /// The configuration. It does not have a fade-in, so that the first frame number after a pause can be read.
    private static let configuration = """
        [Playback]
        Device=speakers
        Library=tacet.m3u
        Repeat=playlist
        FadeIn=0s
        [State]
        Directory=state
        """ + "\n"

    /// Returns the configuration of a bus with the limits of a session bus.
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

    /// Reads the messages to the service manager, because the daemon blocks if they are not read.
    /// - Returns: True if one of them fed the watchdog.
    @discardableResult
    func listen() -> Bool {
        var isFed = false
        while let message = manager.receive(within: .zero) { isFed = isFed || message.contains("WATCHDOG=1") }
        return isFed
    }

    /// Returns a property of the MPRIS player interface, or nil if the daemon does not answer.
    func property(_ name: String) -> BusValue? {
        let values = try? client.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: "/org/mpris/MediaPlayer2",
            on: "org.mpris.MediaPlayer2.tacet", [.string("org.mpris.MediaPlayer2.Player"), .string(name)])
        if case .variant(let value)? = values?.first { return value }
        return nil
    }

    /// Returns the number of entries of a kind that the daemon has logged.
    func entries(_ kind: String) throws -> Int {
        try TextFile.read(log).split(separator: "\n").filter { $0.contains("[\(kind)") }.count
    }

    /// Kills the daemon. An orderly stop would block on its messages to the service manager, which are no longer read.
    func quit() {
        process.end()
        bus.end()
    }
}
