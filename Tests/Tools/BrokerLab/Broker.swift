import Foundation
import SoundLab

/// A real mosquitto on the loopback interface, with its own folder.
public final class Broker {
    public let port: UInt16
    public let folder: URL
    private var process: Subprocess?

    public struct CannotStart: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameters:
    ///   - settings: The lines of mosquitto.conf in addition to the listener. The default settings allow any client to
    ///     do anything. `FOLDER` stands for the broker's folder.
    ///   - saves: The number of changes or, if `inSeconds` is true, of seconds after which the broker writes its data
    ///     to the disk, or nil to use the settings.
    public init(
        _ settings: String = "allow_anonymous true", files: [String: String] = [:], saves: Int? = 1,
        inSeconds: Bool = false
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try Broker.freePort()
        for (name, text) in files { try write(text, to: name) }
        let persistence =
            saves.map { "persistence true\nautosave_interval \($0)\nautosave_on_changes \(!inSeconds)" } ?? ""
        let text = """
            user root
            listener \(port) 127.0.0.1
            persistence_location \(folder.path)/
            \(persistence)
            log_dest file \(folder.path)/log
            log_type all
            \(settings.replacingOccurrences(of: "FOLDER", with: folder.path))

            """
        try write(text, to: "conf")
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the path of a file in the broker's folder.
    public func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    public func write(_ text: String, to name: String) throws {
        let file = folder.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        chmod(file.path, 0o600)
    }

    /// Starts the broker and returns once it listens.
    public func start() throws {
        process = try Subprocess(["mosquitto", "-c", folder.appendingPathComponent("conf").path])
        let deadline = ContinuousClock.now + .seconds(30)
        while !Broker.listens(on: port) {
            guard ContinuousClock.now < deadline else { throw CannotStart(description: "mosquitto: \(log)") }
            poll(nil, 0, 5)
        }
    }

    /// Ends the broker. SIGTERM has the effect of `systemctl stop`, and SIGKILL that of a crash.
    public func stop(with signal: Int32 = SIGKILL) {
        process?.end(with: signal)
        process = nil
    }

    /// Stops the broker until `thaw`, which has the effect of a network that does not deliver anything.
    public func freeze() { process?.signal(SIGSTOP) }
    public func thaw() { process?.signal(SIGCONT) }

    public var log: String {
        (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
    }

    /// Returns a port on which no program listens.
    public static func freePort() throws -> UInt16 {
        let (socket, port) = try boundSocket()
        close(socket)
        return port
    }

    /// Returns a socket with its own port on loopback, which does not listen yet. The caller closes it.
    public static func boundSocket() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) + getsockname(socket, $0, &length)
            }
        }
        guard code == 0 else {
            close(socket)
            throw CannotStart(description: "no free port")
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private static func listens(on port: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        } == 0
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    // MARK: mosquitto's own clients

    /// Publishes with `mosquitto_pub` and waits until the broker has the message.
    /// - Returns: The exit code.
    @discardableResult
    public func publish(
        _ topic: String, _ payload: String?, retained: Bool = false, options: [String] = []
    ) throws -> Int32 {
        try Subprocess(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic]
                + (payload.map { ["-m", $0] } ?? ["-n"]) + (retained ? ["-r"] : []) + options, errors: STDERR_FILENO
        ).wait() >> 8
    }

    /// Publishes a file's contents, which may be longer than a command line.
    public func publishFile(_ topic: String, _ path: String) throws {
        _ = try Subprocess(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-f", path],
            errors: STDERR_FILENO
        ).wait()
    }

    /// Follows topics with `mosquitto_sub`. Returns once the topics are subscribed to.
    public func subscribe(_ filters: [String], options: [String] = []) throws -> Subscriber {
        try Subscriber(self, filters, options)
    }
}

/// The messages that `mosquitto_sub` receives.
public final class Subscriber {
    private let file: URL
    private let process: Subprocess

    init(_ broker: Broker, _ filters: [String], _ options: [String]) throws {
        file = broker.folder.appendingPathComponent("received-\(UUID().uuidString)")
        let output = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(output) }
        process = try Subprocess(
            // Without a terminal, the program's log would not be flushed.
            [
                "stdbuf", "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-d", "-F",
                "%r %t %p",
            ]
                + filters.flatMap { ["-t", $0] } + options, output: output, errors: output)
        let deadline = ContinuousClock.now + .seconds(30)
        while !text.contains("Subscribed (mid") {
            guard ContinuousClock.now < deadline else {
                throw Broker.CannotStart(description: "mosquitto_sub does not subscribe: \(text)")
            }
            poll(nil, 0, 5)
        }
    }

    deinit { process.end() }

    private var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// The messages in the format `retained topic payload`, where `retained` is 0 or 1.
    public var lines: [String] {
        text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("0 ") || $0.hasPrefix("1 ") }
    }

    /// Waits up to a minute for a message.
    /// - Returns: The first message that matches, or nil if there is none.
    public func wait(for matches: (String) -> Bool) -> String? {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let line = lines.first(where: matches) { return line }
            poll(nil, 0, 5)
        }
        return nil
    }
}

extension Broker {
    /// Returns the number of bytes that the broker has received and sent since it started.
    public func traffic() throws -> Int {
        let counters = try Subscriber(self, ["$SYS/broker/bytes/received", "$SYS/broker/bytes/sent"], [])
        _ = counters.wait { _ in counters.lines.count >= 2 }
        return counters.lines.prefix(2).reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
    }
}
