import Foundation
import SoundLab

/// A separate message bus, which is a real dbus-daemon with the policies of a system bus.
public final class MessageBus {
    public let address: String
    private let folder: URL
    private var daemon: Subprocess?
    private let arguments: [String]

    /// Creates a session bus, on which every program of the user may do everything.
    public static func session() throws -> MessageBus {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bus = MessageBus(folder, ["--session", "--address=unix:path=\(folder.path)/bus"])
        try bus.start()
        return bus
    }

    private init(_ folder: URL, _ arguments: [String]) {
        self.folder = folder
        self.arguments = arguments
        address = "unix:path=\(folder.path)/bus"
    }

    /// - Parameter limits: The limits by their names in dbus-daemon(1). Other limits keep their defaults.
    public convenience init(limits: [String: Int] = [:]) throws {
        let limits = limits.map { "<limit name=\"\($0.key)\">\($0.value)</limit>" }.joined(separator: "\n  ")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Other users must be able to reach the bus.
        chmod(folder.path, 0o755)
        self.init(folder, ["--config-file=\(folder.path)/conf"])
        let policy = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../deploy/dbus-1/org.mpris.MediaPlayer2.tacet.conf").standardized.path
        // As in Debian's system.conf, everything that is not allowed is forbidden.
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          \(limits)
          <policy context="default">
            <allow user="*"/>
            <deny own="*"/>
            <deny send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/>
            <allow receive_type="method_call"/>
            <allow receive_type="method_return"/>
            <allow receive_type="error"/>
            <allow receive_type="signal"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
          </policy>
          <include>\(policy)</include>
          <policy user="\(NSUserName())">
            <allow own="org.mpris.MediaPlayer2.tacet"/>
            <allow send_destination="org.mpris.MediaPlayer2.tacet"/>
            <allow own="org.ofono"/>
            <allow send_destination="org.ofono"/>
            <allow own="org.freedesktop.login1"/>
            <allow send_destination="org.freedesktop.login1"/>
            <allow send_interface="org.freedesktop.DBus.Peer"/>
            <!-- For other players. -->
            <allow own_prefix="org.mpris.MediaPlayer2"/>
            <allow send_interface="org.mpris.MediaPlayer2.Player"/>
            <allow own="org.gnome.ShairportSync"/>
            <allow send_interface="org.gnome.ShairportSync"/>
            <allow send_interface="org.freedesktop.DBus.Properties"/>
          </policy>
          <!-- For players that do not run as root. -->
          <policy user="nobody">
            <allow own_prefix="org.mpris.MediaPlayer2"/>
          </policy>
        </busconfig>
        """.write(to: folder.appendingPathComponent("conf"), atomically: true, encoding: .utf8)
        try start()
    }

    public struct CannotStart: Error, CustomStringConvertible {
        public let description = "dbus-daemon does not start"
    }

    deinit {
        daemon?.end()
        try? FileManager.default.removeItem(at: folder)
    }

    public func start() throws {
        let pipe = Pipe()
        // A test that receives a service's notifications may be running, and must not receive those of dbus-daemon.
        daemon = try Subprocess(
            [
                "env", "--unset=NOTIFY_SOCKET", "dbus-daemon", "--nofork", "--nopidfile", "--print-address",
            ] + arguments,
            output: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        // The daemon prints its address when it listens.
        guard !pipe.fileHandleForReading.availableData.isEmpty else { throw CannotStart() }
    }

    /// Kills the daemon, as in a crash.
    public func die() {
        daemon?.end()
        daemon = nil
        unlink(folder.path + "/bus")
    }

    /// The environment for programs that must find this bus.
    public var environment: [String: String] {
        ["DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address]
    }

    /// Runs a client.
    /// - Returns: The exit code and the output.
    public func run(_ command: [String]) throws -> (code: Int32, text: String) {
        let pipe = Pipe()
        let output = pipe.fileHandleForWriting
        let process = try Subprocess(
            command, environment: environment, output: output.fileDescriptor, errors: output.fileDescriptor)
        try output.close()
        let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return (process.wait() >> 8, String(decoding: text, as: UTF8.self))
    }

    /// Writes all signals from the daemon to a file with gdbus until the returned process ends.
    public func listen(into file: String, by user: [String] = []) throws -> Subprocess {
        let log = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(log) }
        return try Subprocess(
            user + ["gdbus", "monitor", "--session", "--dest", "org.mpris.MediaPlayer2.tacet"],
            environment: environment,
            output: log)
    }

    /// Calls a method with busctl.
    public func call(
        _ interface: String, _ member: String, _ arguments: [String] = [], by user: [String] = []
    ) throws -> (code: Int32, text: String) {
        try run(
            user + [
                "busctl", "--address=\(address)", "--", "call", "org.mpris.MediaPlayer2.tacet",
                "/org/mpris/MediaPlayer2",
                interface, member,
            ] + arguments)
    }

    public func property(_ interface: String, _ name: String) throws -> String {
        try call("org.freedesktop.DBus.Properties", "Get", ["ss", interface, name]).text
    }
}
