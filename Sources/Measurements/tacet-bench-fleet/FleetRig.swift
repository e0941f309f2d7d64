import AudioSession
import BrokerLab
import Configuration
import Fleet
import Foundation
import MQTT
import SoundLab
import Systemd

/// A broker with a certificate authority of its own, a desk, and the boards, which two threads share.
final class FleetRig {
    static let prefix = "fleet"
    static let group = "line-3"

    let broker: Broker
    let desk: Desk
    let count: Int
    /// The boards of the group, and those whose clock is an hour wrong, which know it.
    let group: Range<Int>
    let wrongClocks: Range<Int>
    private var threads: [BoardThread] = []
    private let configuration: Configuration
    private let folder: URL

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(boards count: Int) throws {
        self.count = count
        group = 0..<count / 10
        wrongClocks = count - max(1, count / 100)..<count
        let certificates = try Certificates()
        folder = certificates.folder
        broker = try Broker(
            """
            allow_anonymous true
            max_queued_messages 10000
            sys_interval 1
            listener \(certificates.port) 127.0.0.1
            cafile \(folder.path)/ca.pem
            certfile \(folder.path)/broker.pem
            keyfile \(folder.path)/broker.key
            require_certificate true
            """)
        let sound = folder.appendingPathComponent("gong.wav").path
        try Programme.writeNumbers(to: sound, frames: 4800)
        let text = """
            [Signal evacuation]
            Source=bus
            Effect=pause
            Priority=90
            LostGrace=2s
            WhenLost=hold
            [Sound gong]
            File=\(sound)
            Priority=95
            """
        let file = folder.appendingPathComponent("tacet.conf").path
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        configuration = try Configuration.load(.file(file)).configuration
        desk = Desk(FleetRig.settings(of: "desk", broker), prefix: FleetRig.prefix)
        desk.waitForBroker()
        start(certificates)
    }

    private static func settings(of client: String, _ broker: Broker) -> MQTTSettings {
        var settings = MQTTSettings()
        settings.host = "127.0.0.1"
        settings.port = broker.port
        settings.clientID = client
        settings.sessionExpiry = 3600
        return settings
    }

    func settings(of client: String) -> MQTTSettings { FleetRig.settings(of: client, broker) }

    private func start(_ certificates: Certificates) {
        let settings = settings(of: "")
        let (configuration, count, group, wrongClocks) = (configuration, count, group, wrongClocks)
        let tls = certificates.settings
        let tlsPort = certificates.port
        for half in 0..<2 {
            threads.append(
                BoardThread {
                    try (0..<count).filter { $0 % 2 == half }.map { number in
                        let name = "b\(number)"
                        let topics = FleetTopics(
                            prefix: FleetRig.prefix, board: name, groups: group.contains(number) ? [FleetRig.group] : [])
                        var settings = settings
                        settings.clientID = name
                        settings.will = FleetAgent.will(topics)
                        // A handshake takes a millisecond of each side, and all boards reconnect at once.
                        if number % 20 == 0 { (settings.tls, settings.port) = (tls, tlsPort) }
                        let isWrong = wrongClocks.contains(number)
                        return try SimulatedBoard(
                            number, of: FleetAgent.Settings(topics: topics, version: "0"), configuration, settings,
                            clockError: isWrong ? .seconds(3600) : .zero, isSynchronised: !isWrong)
                    }
                })
        }
    }

    func end() {
        desk.close()
        threads.forEach { $0.end() }
        broker.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: What the boards do

    var connected: Int { threads.reduce(0) { $0 + $1.current.connected } }
    var evacuating: Int { threads.reduce(0) { $0 + $1.current.evacuating } }
    var hearings: [SimulatedBoard.Hearing] { threads.flatMap(\.current.hearings) }
    var failure: String? { threads.compactMap(\.current.failure).first }

    /// - Throws: if a board has failed, or the condition does not become true.
    func wait(_ what: String, _ limit: Duration = .seconds(120), until condition: () -> Bool) throws {
        let isGood = desk.wait(limit) { condition() || failure != nil }
        if let failure { throw Failure(description: failure) }
        guard isGood else { throw Failure(description: "no \(what) within \(limit)") }
    }
}

/// An authority, a broker's certificate and a client's, made by openssl.
private struct Certificates {
    let folder: URL
    let port: UInt16

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        port = try Broker.freePort()
        let script = """
            set -e; cd "$1"
            new() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $1.key "${@:2}"; }
            new ca -x509 -days 2 -subj /CN=ca -out ca.pem
            for name in broker board; do
              new $name -subj /CN=$name -out $name.csr
              printf 'subjectAltName=IP:127.0.0.1' >$name.ext
              openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $name.ext -out $name.pem
            done
            """
        let code = try Subprocess(["bash", "-c", script, "bash", folder.path]).wait()
        guard code == 0 else { throw FleetRig.Failure(description: "openssl cannot make certificates") }
    }

    var settings: MQTTSettings.TLS {
        MQTTSettings.TLS(
            authorities: folder.path + "/ca.pem", certificate: folder.path + "/board.pem",
            privateKey: folder.path + "/board.key")
    }
}
