import BrokerLab
import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

/// A board that is connected to a real mosquitto, with a message bus, tacetd (on the `null` PCM) and tacet-mqtt.
final class Board {
    let broker: Broker
    let bus: MessageBus
    let folder: BoardFolder
    private var daemon: Subprocess?
    private var bridge: Subprocess?
    private let manager: ServiceSocket

    /// - Parameters:
    ///   - signals: sections that are added to tacetd's configuration, which has a track of one minute and a sound
    ///     `gong` of one second.
    ///   - settings: settings that are added to mqtt.conf, whose [Board] has the name `b` and trusts the clock.
    init(_ broker: Broker, signals: String = "", settings: String = "") throws {
        self.broker = broker
        bus = try MessageBus()
        folder = try BoardFolder("tacet-fleet", folders: ["state", "run", "ids", "audio"])
        manager = try ServiceSocket()
        try TestMusic.writeNumbers(to: path("gong.wav"), frames: 48_000)
        try TestMusic.writeNumbers(to: path("track.wav"), frames: 48_000 * 60)
        try """
        [Playback]
        Device=null
        Library=track.wav
        AutoPlay=no
        [State]
        Directory=state
        [Sound gong]
        File=gong.wav
        \(signals)
        """.write(toFile: path("tacet.conf"), atomically: true, encoding: .utf8)
        try configure(settings)
        try startDaemon()
        try startBridge()
    }

    deinit {
        bridge?.end()
        daemon?.end()
    }

    func path(_ name: String) -> String { folder.path(name) }

    func configure(_ settings: String) throws {
        try """
        [Broker]
        Host=127.0.0.1
        Port=\(broker.port)
        [Board]
        Name=b
        TrustClock=yes
        PrometheusFile=\(path("tacet.prom"))
        \(settings)
        """.write(toFile: path("mqtt.conf"), atomically: true, encoding: .utf8)
    }

    func startDaemon() throws {
        daemon = try Subprocess(
            [try BuiltProgram.path("tacetd"), "--bus=system", "--config", path("tacet.conf")],
            environment: ["NOTIFY_SOCKET": manager.name].merging(bus.environment) { $1 }, errors: folder.log)
    }

    func startBridge() throws {
        bridge = try Subprocess(
            [try BuiltProgram.path("tacet-mqtt"), "--config", path("mqtt.conf")],
            environment: [
                "RUNTIME_DIRECTORY": path("run"), "STATE_DIRECTORY": path("ids"), "CACHE_DIRECTORY": path("audio"),
            ].merging(bus.environment) {
                $1
            },
            errors: folder.log)
    }

    func stopDaemon() { daemon?.end(with: SIGTERM) }
    func killBridge() { bridge?.end() }
    func stopBridge() { bridge?.end(with: SIGTERM) }

    /// The peak memory use of tacet-mqtt so far, in KiB.
    var bridgeMemoryPeak: Int {
        let status = bridge.flatMap { try? String(contentsOfFile: "/proc/\($0.pid)/status", encoding: .utf8) } ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(whereSeparator: { " \t".contains($0) })[1]) } ?? .max
    }

    /// The log of both programs.
    var output: String { folder.output }

    /// The problems for `tacet health`.
    var problems: String { (try? String(contentsOfFile: path("run/problems"), encoding: .utf8)) ?? "" }

    /// True if the broker is connected and Tacet is available.
    var isReady: Bool {
        guard let page = try? String(contentsOfFile: path("tacet.prom"), encoding: .utf8) else { return false }
        return page.contains("\ntacet_up 1.0\n") && page.contains("\ntacet_broker_connected 1.0\n")
    }

    /// Waits for a condition, for at most a minute.
    func wait(_ what: String, until condition: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if condition() { return }
            poll(nil, 0, 5)
        }
        Issue.record("no \(what): \(output)")
    }

    /// Waits for a message.
    /// - Returns: the first message that contains all these texts.
    @discardableResult
    func wait(_ subscriber: Subscriber, _ texts: String...) -> String {
        if let line = subscriber.wait(for: { line in texts.allSatisfy(line.contains) }) { return line }
        Issue.record("no message with \(texts): \(subscriber.lines) \(output)")
        return ""
    }
}
