import AudioSession
import MQTT
import SessionClient
import Testing

@testable import Fleet

/// An agent under test with its own clock.
struct AgentLab {
    var agent: FleetAgent
    var now = Instant(monotonic: .seconds(100), wallClock: .seconds(1_000_000), isSynchronised: true)

    init(connected: Bool = true, available: Bool = true, ruter: RuterSettings = RuterSettings()) {
        agent = FleetAgent(
            FleetAgent.Settings(
                topics: FleetTopics(prefix: "tacet", board: "b", groups: ["g"]), discoveryPrefix: "homeassistant",
                version: "1", ruter: ruter))
        if connected {
            now.monotonic -= FleetSignals.settling
            now.wallClock -= FleetSignals.settling
            _ = give(.connected(unacknowledged: 0))
            _ = give(.subscribed(AgentLab.granted))
            _ = advance(by: FleetSignals.settling)
        }
        if available { _ = find() }
        settle()
    }

    /// The answer of a broker that grants everything.
    static let granted = [Bool](repeating: true, count: 99)

    static func snapshot(_ notifications: [SessionNotification] = []) -> Snapshot {
        Snapshot(Session(policy: Policy(signals: [])), track: nil, position: .zero, notifications: notifications)
    }

    mutating func give(_ input: FleetInput) -> [FleetEffect] { agent.handle(input, at: now) }

    mutating func give(_ event: MQTTEvent) -> [FleetEffect] { give(.broker(event)) }

    static let loss = MQTTEvent.disconnected(MQTTLoss("The connection was lost.", .perhapsRival))

    /// Gives Tacet's answer to the last call among these effects.
    @discardableResult
    mutating func answer(
        _ effects: [FleetEffect], _ answer: FleetAnswer = .answer(name: "success", reason: "")
    ) throws -> [FleetEffect] {
        give(.answered(try #require(effects.lastCall), answer))
    }

    mutating func reconnect() {
        _ = give(AgentLab.loss)
        _ = give(.connected(unacknowledged: 0))
    }

    /// Makes Tacet available.
    mutating func find() -> [FleetEffect] { give(.update(.available(AgentLab.snapshot()))) }

    /// Makes Tacet unavailable.
    mutating func lose() { _ = give(.update(.unavailable(.notRunning))) }

    /// Acknowledges all publications and answers the queries about health.
    mutating func settle() {
        for _ in 0..<20 { _ = give(.acknowledged(topic: "tacet/b/state", refused: nil)) }
        for number in 1..<20 { _ = give(.answered(number, .health([]))) }
    }

    /// Answers the next query about health with the signals that Tacet has.
    @discardableResult
    mutating func sendSignals(_ names: Set<String>) -> [FleetEffect] {
        if agent.health.deadline != nil { _ = advance(by: .seconds(10)) }
        guard let question = agent.calls.purposes.first(where: { $0.value == .health }) else { return [] }
        return give(.answered(question.key, .health([], signals: names)))
    }

    mutating func advance(by time: Duration) -> [FleetEffect] {
        now.monotonic += time
        now.wallClock += time
        return give(.time)
    }

    mutating func message(_ topic: String, _ payload: String, retained: Bool = false) -> [FleetEffect] {
        give(.message(MQTTMessage(topic: "tacet/\(topic)", payload: Array(payload.utf8), isRetained: retained)))
    }

    /// - Parameter sound: the sound that is playing.
    mutating func event(
        _ name: String, _ notifications: [SessionNotification] = [], sound: SoundID? = nil
    ) -> [FleetEffect] {
        var snapshot = AgentLab.snapshot(notifications)
        snapshot.sound = sound
        return give(
            .update(
                .event(
                    SessionEvent(
                        wallClock: now.wallClock, time: now.monotonic, name: name,
                        snapshot: snapshot))))
    }
}

extension [FleetEffect] {
    var calls: [FleetCall] {
        compactMap { if case .call(_, let call) = $0, call != .health { call } else { nil } }
    }

    var news: [FleetNews] { compactMap { if case .log(let news) = $0 { news } else { nil } } }

    /// The filters of each subscription.
    var subscriptions: [[String]] { compactMap { if case .subscribe(let filters) = $0 { filters } else { nil } } }

    /// Returns the payloads published to a topic of the board.
    func published(_ topic: String) -> [String] {
        compactMap {
            guard case .publish(let message) = $0, message.topic == "tacet/b/\(topic)" else { return nil }
            return String(decoding: message.payload, as: UTF8.self)
        }
    }

    var lastCall: Int? {
        compactMap { if case .call(let number, let call) = $0, call != .health { number } else { nil } }.last
    }
}
