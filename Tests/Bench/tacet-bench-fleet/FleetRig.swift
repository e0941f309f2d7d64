import AudioSession
import BrokerLab
import Configuration
import Fleet
import MQTT
import SoundLab
import Systemd

/// A broker with its own certificate authority, a desk, and the boards, which run on two threads.
final class FleetRig {
    static let prefix = "fleet"
    static let group = "line-3"

    let broker: Broker
    let desk: Desk
    let count: Int
    /// The boards of the group. `wrongClocks` are the boards whose clocks are wrong by an hour and are not
    /// synchronised.
    let group: Range<Int>
    let wrongClocks: Range<Int>
    private var threads: [BoardThread] = []
    private let configuration: Configuration
    private let certificates: Certificates
    private let tlsPort: UInt16

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(boards count: Int) throws {
        self.count = count
        group = 0..<count / 10
        wrongClocks = count - max(1, count / 100)..<count
        certificates = try Certificates()
        tlsPort = try Broker.freePort()
        broker = try Broker(
            """
            allow_anonymous true
            max_queued_messages 10000
            sys_interval 1
            listener \(tlsPort) 127.0.0.1
            \(certificates.settings)
            """, saves: 5, inSeconds: true)
        let sound = broker.path("gong.wav")
        try TestMusic.writeNumbers(to: sound, frames: 4800)
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
        try broker.write(text, to: "tacet.conf")
        configuration = try Configuration.load(.file(broker.path("tacet.conf"))).configuration
        desk = Desk(FleetRig.settings(of: "desk", broker), prefix: FleetRig.prefix)
        desk.waitForBroker()
        start()
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

    private func start() {
        let settings = settings(of: "")
        let (configuration, count, group, wrongClocks) = (configuration, count, group, wrongClocks)
        let tls = MQTTSettings.TLS(
            authorities: certificates.path("ca.pem"), certificate: certificates.path("board.pem"),
            privateKey: certificates.path("board.key"))
        let tlsPort = tlsPort
        for half in 0..<2 {
            threads.append(
                BoardThread {
                    try (0..<count).filter { $0 % 2 == half }.map { number in
                        let name = "b\(number)"
                        let topics = FleetTopics(
                            prefix: FleetRig.prefix, board: name, groups: group.contains(number) ? [FleetRig.group] : []
                        )
                        var settings = settings
                        settings.clientID = name
                        settings.will = FleetAgent.will(topics)
                        // Only some boards use TLS, because a handshake takes each side a millisecond and all boards
                        // reconnect at once.
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
    }

    // MARK: What the boards do

    var connected: Int { threads.reduce(0) { $0 + $1.current.connected } }
    var evacuating: Int { threads.reduce(0) { $0 + $1.current.evacuating } }
    var hearings: [SimulatedBoard.Hearing] { threads.flatMap(\.current.hearings) }
    var failure: String? { threads.compactMap(\.current.failure).first }

    /// - Throws: An error if a board has failed or if the condition does not become true.
    func wait(_ what: String, _ limit: Duration = .seconds(120), until condition: () -> Bool) throws {
        let isGood = desk.wait(limit) { condition() || failure != nil }
        if let failure { throw Failure(description: failure) }
        guard isGood else { throw Failure(description: "no \(what) within \(limit)") }
    }
}
