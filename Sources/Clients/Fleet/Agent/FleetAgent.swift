import AudioSession
import MQTT
import SessionClient

/// The agent of a board that is connected to a fleet's broker. It turns messages into calls to Tacet, and Tacet's state
/// into messages. It has no side effects. The program that runs it connects to the broker, calls Tacet, writes files
/// and reads the clocks.
///
/// - Every command and announcement is executed at most once per id.
/// - No announcement begins after its `expires_at`. Without a trustworthy clock, an announcement with an `expires_at`
///   is refused.
/// - All input is limited: the size of messages and their rate per second and per hour, the pending calls, the open
///   announcements, the stored ids, and the messages queued for the broker.
public struct FleetAgent: Sendable {
    public struct Settings: Hashable, Sendable {
        public var topics: FleetTopics
        /// Home Assistant's prefix for discovery, or nil if the board does not announce itself.
        public var discoveryPrefix: String?
        /// Tacet's version.
        public var version: String
        /// The highest priority of an announcement. It prevents clients of the broker from silencing an alarm's cue.
        public var maximumPriority: Int
        public var ruter: RuterSettings
        /// The broker, for people, such as `broker.example:8883`.
        public var broker: String

        public init(
            topics: FleetTopics, discoveryPrefix: String? = nil, version: String, maximumPriority: Int = 40,
            ruter: RuterSettings = RuterSettings(), broker: String = "broker"
        ) {
            self.topics = topics
            self.discoveryPrefix = discoveryPrefix
            self.version = version
            self.maximumPriority = maximumPriority
            self.ruter = ruter
            self.broker = broker
        }

        var discovery: HomeAssistant? {
            discoveryPrefix.map { HomeAssistant(prefix: $0, topics: topics, version: version) }
        }

        /// Returns true if an answer to this topic could be mistaken for another message. A client that may only send
        /// commands must not report or set signals in a board's name.
        func uses(_ topic: String) -> Bool {
            topics.use(topic) || ruter.uses(topic) || discoveryPrefix.map { topic.hasPrefix("\($0)/") } == true
        }
    }

    /// The maximum payload sizes, in bytes, of an announcement, which may contain audio, and of any other message.
    static let longestAnnouncement = 3 << 20
    static let longestPayload = 16 << 10
    /// The maximum length of the correlation data of MQTT 5, in bytes. Correlation data also serves as an id.
    static let longestCorrelation = 128
    /// The maximum number of unanswered calls to Tacet, and of held announcements.
    static let mostPending = 32
    /// The maximum numbers of announcements that have not ended, without and with Ruter's audio. The other places in
    /// Tacet's queue of 16 are for programs on the board.
    static let mostAnnouncements = 8
    static let mostWithAudioParts = 12
    /// The maximum size of the audio of all held announcements, in bytes.
    static let mostHeldAudio = 8 << 20

    let settings: Settings
    var link: BrokerLink
    var topics: RetainedTopics
    var signals = FleetSignals()
    public internal(set) var memory: IDMemory
    var flood = FloodLimit()

    /// The last reported state, or nil until Tacet is available.
    public internal(set) var snapshot: Snapshot?
    var health = HealthWatch()
    var calls = PendingCalls()
    /// The announcements to send once Tacet is available.
    var held: [HeldAnnouncement] = []
    var outcomes = AnnouncementOutcomes()
    /// True if an announcement was refused because the clock is not synchronised, and it is still not synchronised.
    var lacksClock = false
    var ruter: RuterVehicle

    /// - Parameter remembered: the requests that an earlier run has executed.
    public init(_ settings: Settings, remembered: [IDMemory.Entry] = []) {
        self.settings = settings
        link = BrokerLink(settings)
        topics = RetainedTopics(settings)
        memory = IDMemory(remembered)
        ruter = RuterVehicle(settings.ruter, board: settings.topics.board)
    }

    /// Returns the message that the broker publishes when it loses the board.
    public static func will(_ topics: FleetTopics) -> MQTTPublication {
        MQTTPublication(topics.own(.availability), "offline", isRetained: true)
    }

    public mutating func handle(_ input: FleetInput, at now: Instant) -> [FleetEffect] {
        var turn = Turn(at: now)
        if now.isSynchronised { lacksClock = false }
        // Expired announcements must be dropped before any code sends them.
        dropExpired(&turn)
        signals.advance(to: now.monotonic)
        switch input {
        case .broker(let event): follow(event, &turn)
        case .update(let update): follow(update, &turn)
        case .answered(let number, let answer): settle(number, answer, &turn)
        case .downloaded(let number, let result): ruter.downloaded(number, result)
        case .time: break
        }
        link.advance(&turn)
        dropMissed(&turn)
        passAudio(&turn)
        renewSignals(&turn)
        askHealth(&turn)
        flush(&turn)
        return flood.limited(turn)
    }

    /// The time on the monotonic clock at which `time` must be passed if nothing else happens, or nil if there is no
    /// such time.
    public var deadline: Duration? {
        [
            link.deadline, link.isOpen ? topics.deadline : nil, signals.settlingEnd,
            link.isConnected && snapshot != nil ? signals.deadline : nil, snapshot == nil ? nil : health.deadline,
            held.map(\.deadline).min(), ruter.deadline, flood.deadline,
        ].compactMap { $0 }.min()
    }

    // MARK: The broker

    private mutating func follow(_ event: MQTTEvent, _ turn: inout Turn) {
        link.follow(event, &turn)
        switch event {
        case .connected: connect(&turn)
        case .disconnected: signals.stopSettling()
        case .subscribed: signals.beginSettling(at: turn.now.monotonic)
        case .message(let message): receive(message, &turn)
        case .acknowledged, .notPublished, .notSubscribed, .failed: break
        }
    }

    private mutating func connect(_ turn: inout Turn) {
        signals.didReconnect()
        link.subscribe(to: filters, &turn)
        link.publish(MQTTPublication(settings.topics.own(.availability), "online", isRetained: true), &turn)
        topics.repeatAll()
        ruter.repeatRetained()
    }

    /// The topics to subscribe to. Any client could publish to a topic that MQTT does not allow, and each delivery
    /// would then end the connection. In that case, the board subscribes only to the signals that Tacet has, by their
    /// names.
    private var filters: [String] {
        settings.topics.filters(signals: link.isMalformed ? signals.known ?? [] : nil)
            + [settings.discovery?.statusTopic, settings.ruter.audio?.topic].compactMap { $0 }
    }

    /// Publishes the queued messages and the pending values.
    private mutating func flush(_ turn: inout Turn) {
        if health.complaints != nil { topics.health.set(healthJSON) }
        link.flush(&turn)
        guard link.isOpen else { return }
        for message in topics.take(at: turn.now.monotonic) + ruter.takeSensors() { link.publish(message, &turn) }
    }

    // MARK: Messages

    private mutating func receive(_ message: MQTTMessage, _ turn: inout Turn) {
        if message.topic == settings.discovery?.statusTopic {
            if message.payload == Array("online".utf8) { topics.discovery?.repeatLast() }
            return
        }
        let isAudio = message.topic == settings.ruter.audio?.topic
        guard let purpose = isAudio ? .ruterAudio : settings.topics.purpose(of: message.topic) else { return }
        if case .signal(let name, let scope) = purpose { return set(name, by: scope, message, &turn) }
        // An empty message deletes a retained one.
        if message.payload.isEmpty { return }
        guard flood.admitsMessage(at: turn.now.monotonic) else { return }
        // Every board of a fleet would receive a retained request at each start, and the request could be years old. It
        // is therefore rejected whatever it contains.
        guard !message.isRetained else {
            let reason = "it is retained, so publish it without the retain flag"
            if isAudio { return turn.log(.rejected(topic: message.topic, reason: reason)) }
            return reject(Reply(message, settings), reason, &turn)
        }
        let longest = purpose == .command ? FleetAgent.longestPayload : FleetAgent.longestAnnouncement
        guard message.payload.count <= longest else {
            let reason = "the payload has \(message.payload.count) bytes: at most \(longest) are allowed"
            return reject(Reply(message, settings), reason, &turn)
        }
        guard message.correlation?.count ?? 0 <= FleetAgent.longestCorrelation else {
            let reason = "the correlation data has more than \(FleetAgent.longestCorrelation) bytes"
            return turn.log(.rejected(topic: message.topic, reason: reason))
        }
        switch purpose {
        case .command: command(message, &turn)
        case .announce: announce(message, &turn)
        case .ruterAudio: hear(message, &turn)
        case .signal: break
        }
    }

    private mutating func set(_ name: String, by scope: String, _ message: MQTTMessage, _ turn: inout Turn) {
        do throws(BadPayload) {
            let level = try SignalPayload.level(message.payload)
            guard let isNews = signals.set(name, level, by: scope, isKept: message.isRetained) else {
                throw BadPayload(description: "there are too many signals")
            }
            // The broker repeats retained messages at each reconnection.
            if isNews { turn.log(.signal(topic: message.topic, isOn: level)) }
        } catch {
            turn.log(.rejected(topic: message.topic, reason: "\(error)"))
        }
    }

    /// Sets the fleet's signals in Tacet, and renews their leases while the broker is connected.
    private mutating func renewSignals(_ turn: inout Turn) {
        guard link.isConnected, snapshot != nil else { return }
        for (name, level) in signals.due(at: turn.now.monotonic) {
            call(.set(name, level, lease: FleetSignals.lease), .signal(name), &turn)
        }
    }

    // MARK: Calls

    /// True while Tacet has not answered a request from the broker.
    public var awaitsAnswer: Bool { calls.haveRequest }

    mutating func call(_ call: FleetCall, _ purpose: PendingCalls.Purpose, _ turn: inout Turn) {
        turn.add(.call(calls.add(purpose), call))
    }

    private mutating func settle(_ number: Int, _ answer: FleetAnswer, _ turn: inout Turn) {
        let now = turn.now.monotonic
        switch (calls.remove(number), answer) {
        case (.signal(let name)?, .answer(Answer.success.name, _)): signals.answered(name, refusal: nil, at: now)
        // Tacet is about to stop, applies another configuration, or has a full queue. The lease must not end because of
        // that.
        case (.signal(let name)?, .answer), (.signal(let name)?, .failure(.unavailable)):
            signals.postpone(name, at: now)
        case (.signal(let name)?, .failure(let error)):
            guard signals.answered(name, refusal: "\(error)", at: now) else { break }
            turn.log(.rejected(topic: "signal/\(name)", reason: "\(error)"))
        case (.health?, .health(let complaints, let names)):
            health.answer(complaints)
            if let names { learn(names, &turn) }
        case (.health?, _): health.answer(nil)
        case (.command(let reply)?, let answer), (.announcement(let reply)?, let answer): settle(reply, answer, &turn)
        case (.audioPart(let topic, let id)?, let answer): settlePart(of: id, topic, answer, &turn)
        default: break
        }
        if !awaitsAnswer { outcomes.forgetEarly() }
    }

    /// Stores the names of the signals that Tacet has. If one of them was rejected or is not subscribed to, the broker
    /// must send the retained messages again.
    private mutating func learn(_ names: Set<String>, _ turn: inout Turn) {
        guard signals.learn(names), link.isConnected, signals.isIncomplete || !link.isSubscribed(to: filters) else {
            return
        }
        signals.expectAll()
        link.subscribe(to: filters, &turn)
    }
}
