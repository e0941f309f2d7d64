import AudioSession
import MQTT
import SessionClient

/// A board's agent at the fleet's broker: turns messages into calls of Tacet, and Tacet's state into messages. Pure: the
/// shell connects, calls, writes and tells the time.
///
/// - Every command and announcement is obeyed at most once per id.
/// - No announcement becomes due after its `expires_at`; without a trustworthy clock, such an announcement is refused.
/// - What arrives is bounded: messages in size and per second, pending calls, waiting announcements, remembered ids, and
///   what waits for the broker.
public struct FleetAgent: Sendable {
    public struct Settings: Hashable, Sendable {
        public var topics: FleetTopics
        /// Home Assistant's prefix for discovery; nil: the board does not announce itself.
        public var discoveryPrefix: String?
        /// Tacet's version.
        public var version: String
        /// The highest priority of an announcement, so that nobody at the broker can silence an alarm's cue.
        public var maximumPriority: Int
        public var ruter: RuterSettings

        public init(
            topics: FleetTopics, discoveryPrefix: String? = nil, version: String, maximumPriority: Int = 40,
            ruter: RuterSettings = RuterSettings()
        ) {
            self.topics = topics
            self.discoveryPrefix = discoveryPrefix
            self.version = version
            self.maximumPriority = maximumPriority
            self.ruter = ruter
        }
    }

    /// The largest payload of an announcement, which can carry audio, and of any other message, in bytes.
    static let longestAnnouncement = 3 << 20
    static let longestPayload = 16 << 10
    /// The longest correlation data of MQTT 5, which count as an id, and the longest response topic, in bytes.
    static let longestCorrelation = 128
    static let longestResponseTopic = 256
    /// Brokers allow about 200.
    static let mostResponseLevels = 32
    /// The most calls of Tacet that are not answered yet, and the most announcements that wait for Tacet.
    static let mostPending = 32
    /// The most bytes of audio of the announcements that wait for Tacet.
    static let mostHeldAudio = 8 << 20
    /// The most messages that wait for the broker. Beyond this, the oldest event is lost; without events, the oldest message.
    static let mostWaiting = 200
    /// The most publications that the broker has not acknowledged.
    static let mostUnacknowledged = 100

    let settings: Settings
    let discovery: HomeAssistant?
    public internal(set) var memory: IDMemory
    var signals = FleetSignals()
    /// When the broker has had the time to repeat the signals that it keeps; nil if it has, or is not connected.
    var signalsSettle: Duration?
    var subscriptions = SubscriptionState()
    /// Why the newest message to each of the board's own topics is not at the broker; topics without a problem are absent.
    var publicationProblems: [String: String] = [:]
    var rateLimit = RateLimit(burst: 100, perSecond: 20)
    private var newsLimit = NewsLimit()

    var isConnected = false
    private var losses = LossHistory()
    /// What many lost connections suggest, for people; nil if there were few.
    var connectionProblem: String?
    /// Messages for when the broker is connected and has acknowledged earlier ones.
    var waiting: [MQTTPublication] = []
    var unacknowledged = 0
    /// When the broker acknowledged something last, or had nothing to acknowledge.
    var lastAcknowledgement = Duration.zero
    /// Whether the broker has not acknowledged anything for too long.
    var isStalled = false

    /// The state reported last; nil until Tacet is available.
    public internal(set) var snapshot: Snapshot?
    var stateFeed = LatestValue(pause: .milliseconds(200))
    var healthFeed = LatestValue(pause: .seconds(1))
    /// What Home Assistant finds the board by; nothing without `discovery`.
    private var discoveryFeed = LatestValue(pause: .seconds(1))
    /// What Tacet says of its health; nil until that is known.
    var complaints: [String]?
    /// When to ask for it again.
    var nextHealth = Duration.zero
    var isAskingHealth = false
    /// Whether an announcement was refused because the clock cannot be trusted, and still cannot.
    var lacksClock = false

    var lastCall = 0
    var calls: [Int: PendingCall] = [:]
    /// Announcements that wait for Tacet to be available.
    var held: [HeldAnnouncement] = []
    var audioQueue = RuterAudioQueue()
    /// The parts of a message that Tacet has accepted, and that have not been heard yet.
    var audioParts: Set<Announcement.ID> = []
    /// When something of it is due, if nothing else happens.
    private var nextAudio: Duration?
    var sensors: RuterSensors
    /// Announcements that Tacet has accepted, by its numbers, and their own ids.
    var announced: [Announcement.ID: String] = [:]
    /// How announcements have ended whose receipt is still on its way.
    var earlyOutcomes: [Announcement.ID: String] = [:]

    /// - Parameter remembered: what an earlier run has obeyed.
    public init(_ settings: Settings, remembered: [IDMemory.Entry] = []) {
        self.settings = settings
        memory = IDMemory(remembered)
        sensors = RuterSensors(settings.ruter, board: settings.topics.board)
        discovery = settings.discoveryPrefix.map {
            HomeAssistant(prefix: $0, topics: settings.topics, version: settings.version)
        }
    }

    /// What to publish if the broker loses the board.
    public static func will(_ topics: FleetTopics) -> MQTTPublication {
        MQTTPublication(topics.own(.availability), "offline", isRetained: true)
    }

    public mutating func handle(_ input: FleetInput, at now: Instant) -> [FleetEffect] {
        var effects: [FleetEffect] = []
        if now.isSynchronised { lacksClock = false }
        // Before anything that would pass them on.
        dropExpired(&effects, at: now)
        if let signalsSettle, signalsSettle <= now.monotonic {
            signals.endSettling()
            self.signalsSettle = nil
        }
        switch input {
        case .connected(let count):
            unacknowledged = count
            connect(&effects, at: now)
        case .subscribed(let granted):
            subscriptions.answered(granted, to: filters)
            signalsSettle = now.monotonic + FleetSignals.settling
        case .notSubscribed(let problem):
            subscriptions.failed(problem)
            effects.append(.log(.brokerRefused("Fleet: \(problem).")))
        case .disconnected:
            noteLoss(&effects, at: now)
            isConnected = false
            signalsSettle = nil
            subscriptions.disconnected()
        case .acknowledged(let topic, let problem):
            settle(publicationTo: topic, problem)
            unacknowledged = max(0, unacknowledged - 1)
            lastAcknowledgement = now.monotonic
        case .gaveUp: unacknowledged = max(0, unacknowledged - 1)
        case .message(let message): receive(message, &effects, at: now)
        case .update(let update): follow(update, &effects, at: now)
        case .answered(let number, let answer): settle(number, answer, &effects, at: now)
        case .downloaded(let number, let result): audioQueue.downloaded(number, result)
        case .brokerRefused(let what): effects.append(.log(.brokerRefused(what)))
        case .time: break
        }
        connectionProblem = losses.problem(at: now.monotonic).map(connectionProblem)
        if unacknowledged == 0 { lastAcknowledgement = now.monotonic }
        if subscriptions.advance(to: now.monotonic), let problem = subscriptions.problem {
            effects.append(.log(.brokerRefused("Fleet: \(problem).")))
        }
        isStalled = isConnected && now.monotonic - lastAcknowledgement >= FleetAgent.patience
        passAudio(&effects, at: now)
        nextAudio = audioQueue.nextTime(after: now.monotonic)
        vouch(&effects, at: now)
        askHealth(&effects, at: now)
        if complaints != nil { healthFeed.set(healthJSON) }
        flush(&effects, at: now)
        return limited(effects, at: now)
    }

    /// Without the news that would fill the journal.
    private mutating func limited(_ effects: [FleetEffect], at now: Instant) -> [FleetEffect] {
        var limited = effects.filter {
            if case .log(let news) = $0 { newsLimit.passes(news, at: now.monotonic) } else { true }
        }
        if let summary = newsLimit.takeSummary(at: now.monotonic) { limited.append(.log(summary)) }
        return limited
    }

    /// When `time` is due, by the monotonic clock; nil: never, if nothing else happens.
    public var deadline: Duration? {
        var times: [Duration?] = [
            snapshot == nil || isAskingHealth ? nil : nextHealth, signalsSettle, isConnected ? signalDeadline : nil,
            nextAudio, newsLimit.deadline, subscriptions.deadline,
        ]
        if isConnected, !isBacklogged {
            times += [stateFeed.deadline, healthFeed.deadline, discoveryFeed.deadline]
        }
        if isConnected, unacknowledged > 0, !isStalled { times.append(lastAcknowledgement + FleetAgent.patience) }
        if !held.isEmpty { times.append(held.map(\.deadline).min()) }
        return times.compactMap { $0 }.min()
    }

    private var signalDeadline: Duration? { snapshot == nil ? nil : signals.deadline }

    // MARK: The broker

    private var filters: [String] {
        settings.topics.filters + [discovery?.statusTopic, settings.ruter.audio?.topic].compactMap { $0 }
    }

    private mutating func connect(_ effects: inout [FleetEffect], at now: Instant) {
        isConnected = true
        lastAcknowledgement = now.monotonic
        signals.doubt()
        subscribe(&effects, at: now)
        publish(MQTTPublication(settings.topics.own(.availability), "online", isRetained: true), &effects)
        announceBoard()
        // The broker may have lost what it kept.
        stateFeed.repeatLast()
        healthFeed.repeatLast()
        sensors.repeatRetained()
    }

    private mutating func subscribe(_ effects: inout [FleetEffect], at now: Instant) {
        subscriptions.asked(at: now.monotonic)
        effects.append(.subscribe(filters))
    }

    /// - Parameter problem: why the message is not at the broker; nil if it is.
    private mutating func settle(publicationTo topic: String, _ problem: String?) {
        // Others choose the topics of answers, and could fill this.
        guard settings.topics.isOwn(topic) || topic == discovery?.topic else { return }
        publicationProblems[topic] = problem
    }

    private mutating func noteLoss(_ effects: inout [FleetEffect], at now: Instant) {
        guard isConnected, losses.add(at: now.monotonic) else { return }
        effects.append(.log(.losesConnections(connectionProblem(LossHistory.suspicious))))
    }

    private func connectionProblem(_ count: Int) -> String {
        "the connection to the broker was lost \(count) times in ten minutes: is another board called"
            + " \(settings.topics.board), too (Name= in mqtt.conf)?"
    }

    /// Announces the board to Home Assistant, if that is configured.
    private mutating func announceBoard() {
        guard let discovery else { return }
        discoveryFeed.set(discovery.payload)
        discoveryFeed.repeatLast()
    }

    /// Whether the broker has to acknowledge earlier publications first.
    var isBacklogged: Bool { unacknowledged >= FleetAgent.mostUnacknowledged }

    /// Publishes a message as soon as possible.
    mutating func publish(_ message: MQTTPublication, _ effects: inout [FleetEffect]) {
        guard isConnected, !isBacklogged else {
            waiting.append(message)
            if waiting.count > FleetAgent.mostWaiting {
                // Somebody waits for an answer; an event is only news, and the state follows anyway.
                let event = settings.topics.own(.event)
                waiting.remove(at: waiting.firstIndex { $0.topic == event } ?? 0)
            }
            return
        }
        unacknowledged += 1
        effects.append(.publish(message))
    }

    private mutating func flush(_ effects: inout [FleetEffect], at now: Instant) {
        guard isConnected else { return }
        while !waiting.isEmpty, !isBacklogged { publish(waiting.removeFirst(), &effects) }
        guard !isBacklogged else { return }
        if let discovery, let payload = discoveryFeed.take(at: now.monotonic) {
            publish(MQTTPublication(discovery.topic, payload, isRetained: true), &effects)
        }
        if let state = stateFeed.take(at: now.monotonic) {
            publish(MQTTPublication(settings.topics.own(.state), state, isRetained: true), &effects)
        }
        if let health = healthFeed.take(at: now.monotonic) {
            publish(MQTTPublication(settings.topics.own(.health), health, isRetained: true), &effects)
        }
        for message in sensors.take() { publish(message, &effects) }
    }

    // MARK: Messages

    private mutating func receive(_ message: MQTTMessage, _ effects: inout [FleetEffect], at now: Instant) {
        if let discovery, message.topic == discovery.statusTopic {
            if message.payload == Array("online".utf8) { announceBoard() }
            return
        }
        let isAudio = message.topic == settings.ruter.audio?.topic
        guard let purpose = isAudio ? .ruterAudio : settings.topics.purpose(of: message.topic) else { return }
        if case .signal(let name, let scope) = purpose {
            return set(name, by: scope, message, &effects)
        }
        // Somebody deletes what the broker keeps.
        if message.payload.isEmpty { return }
        guard rateLimit.passes(at: now.monotonic) else {
            return newsLimit.countIgnored(at: now.monotonic)
        }
        // Every board of a fleet would read it at each start, and it could be years old: its contents do not matter.
        guard !message.isRetained else {
            let reason = "it is retained: publish it without"
            if isAudio { return effects.append(.log(.rejected(topic: message.topic, reason: reason))) }
            return reject(Reply(message), reason, &effects)
        }
        let longest = purpose == .command ? FleetAgent.longestPayload : FleetAgent.longestAnnouncement
        guard message.payload.count <= longest else {
            let reason = "the payload has \(message.payload.count) bytes: at most \(longest) are allowed"
            return reject(Reply(message), reason, &effects)
        }
        guard message.correlation?.count ?? 0 <= FleetAgent.longestCorrelation else {
            let reason = "the correlation data has more than \(FleetAgent.longestCorrelation) bytes"
            return effects.append(.log(.rejected(topic: message.topic, reason: reason)))
        }
        switch purpose {
        case .command: command(message, &effects, at: now)
        case .announce: announce(message, &effects, at: now)
        case .ruterAudio: hear(message, &effects, at: now)
        case .signal: break
        }
    }

    private mutating func set(_ name: String, by scope: String, _ message: MQTTMessage, _ effects: inout [FleetEffect])
    {
        do throws(BadPayload) {
            let level = try SignalPayload.level(message.payload)
            guard let isNews = signals.set(name, level, by: scope, isKept: message.isRetained) else {
                throw BadPayload(description: "there are too many signals")
            }
            // The broker repeats what it keeps at each reconnection.
            guard isNews else { return }
            effects.append(.log(.signal(topic: message.topic, isOn: level)))
        } catch {
            effects.append(.log(.rejected(topic: message.topic, reason: "\(error)")))
        }
    }

    /// Passes the levels of the fleet's signals to Tacet, and vouches for them while the broker is connected.
    private mutating func vouch(_ effects: inout [FleetEffect], at now: Instant) {
        guard isConnected, snapshot != nil else { return }
        for (name, level) in signals.due(at: now.monotonic) {
            call(.set(name, level, lease: FleetSignals.lease), .signal(name), &effects)
        }
    }

    // MARK: Calls

    enum PendingCall: Hashable {
        case signal(String)
        case health
        /// A request of the broker, and where its answer goes.
        case request(Reply)
        /// A part of a message of Ruter's audio topic.
        case audioPart(topic: String, id: String)
    }

    /// Whether Tacet has not answered a request of the broker yet.
    public var awaitsAnswer: Bool {
        calls.values.contains {
            switch $0 {
            case .request, .audioPart: true
            case .signal, .health: false
            }
        }
    }

    mutating func call(_ call: FleetCall, _ pending: PendingCall, _ effects: inout [FleetEffect]) {
        lastCall += 1
        calls[lastCall] = pending
        effects.append(.call(lastCall, call))
    }

    private mutating func settle(
        _ number: Int, _ answer: FleetAnswer, _ effects: inout [FleetEffect], at now: Instant
    ) {
        switch (calls.removeValue(forKey: number), answer) {
        case (.signal(let name)?, .answer(Answer.success.name, _)):
            signals.answered(name, refusal: nil, at: now.monotonic)
        // It is about to stop, applies another configuration, or others fill its queue. The lease must not end for that.
        case (.signal(let name)?, .answer), (.signal(let name)?, .failure(.unavailable)):
            signals.postpone(name, at: now.monotonic)
        case (.signal(let name)?, .failure(let error)):
            guard signals.answered(name, refusal: "\(error)", at: now.monotonic) else { break }
            effects.append(.log(.rejected(topic: "signal/\(name)", reason: "\(error)")))
        case (.health?, .health(let complaints, let names)):
            isAskingHealth = false
            self.complaints = complaints
            if let names, signals.learn(names), isConnected {
                signals.expectAll()
                subscribe(&effects, at: now)
            }
        case (.health?, _): isAskingHealth = false
        case (.request(let reply)?, let answer): settle(reply, answer, &effects)
        case (.audioPart(let topic, let id)?, let answer):
            if case .receipt(let receipt) = answer, receipt.id != 0,
                earlyOutcomes.removeValue(forKey: receipt.id) == nil
            {
                audioParts.insert(receipt.id)
            }
            guard let (name, reason) = answer.words, !FleetAnswer.successes.contains(name) else { break }
            let problem = reason.isEmpty ? name : reason
            effects.append(.log(.rejected(topic: topic, reason: "a part cannot be heard: \(problem) (\(id))")))
        default: break
        }
        if !awaitsAnswer { earlyOutcomes = [:] }
    }
}
