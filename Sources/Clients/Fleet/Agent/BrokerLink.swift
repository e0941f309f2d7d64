import MQTT

/// The connection to the broker: whether there is one, what the broker has still to acknowledge, what waits for it, and what
/// it refuses. Pure.
struct BrokerLink: Hashable {
    /// The most messages that wait. Beyond this, the oldest event is lost; without events, the oldest message.
    static let mostWaiting = 200
    /// The most publications that the broker has not acknowledged.
    static let mostUnacknowledged = 100
    /// How long the broker may take to acknowledge something.
    private static let timeout = Duration.seconds(60)

    private enum Phase: Hashable {
        case connecting
        case connected(Flow)
        /// With the reason, for people.
        case lost(String)
    }

    /// What the broker has acknowledged on this connection.
    private struct Flow: Hashable {
        var unacknowledged: Int
        /// When the broker acknowledged something last, or had nothing to acknowledge.
        var lastAcknowledgement: Duration
        /// Whether that is too long ago.
        var isStalled = false

        mutating func forgetOne() { unacknowledged = max(0, unacknowledged - 1) }

        mutating func advance(to now: Duration) {
            if unacknowledged == 0 { lastAcknowledgement = now }
            isStalled = now - lastAcknowledgement >= BrokerLink.timeout
        }
    }

    private let settings: FleetAgent.Settings
    private var phase = Phase.connecting
    private var losses = DisconnectHistory()
    private var subscription = SubscriptionState()
    /// Messages for when the broker is connected and has acknowledged earlier ones.
    private(set) var waiting: [MQTTPublication] = []
    /// Why the newest message to each of the board's own topics is not at the broker; topics without a problem are absent.
    private var refusals: [String: String] = [:]

    init(_ settings: FleetAgent.Settings) { self.settings = settings }

    /// nil without a connection.
    private var flow: Flow? {
        get { if case .connected(let flow) = phase { flow } else { nil } }
        set { if let newValue { phase = .connected(newValue) } }
    }

    var isConnected: Bool { flow != nil }

    /// How many publications the broker has not acknowledged.
    var unacknowledged: Int { flow?.unacknowledged ?? 0 }

    /// Whether the broker has to acknowledge earlier publications first.
    var isBacklogged: Bool { unacknowledged >= BrokerLink.mostUnacknowledged }

    /// Whether a message can be published now.
    var isOpen: Bool { isConnected && !isBacklogged }

    /// Whether the broker has lately sent what MQTT does not allow, such as a topic with a control character.
    var isMalformed: Bool { losses.haveMalformed }

    // MARK: What happens

    mutating func follow(_ event: MQTTEvent, _ turn: inout Turn) {
        let now = turn.now.monotonic
        switch event {
        case .connected(let unacknowledged):
            phase = .connected(Flow(unacknowledged: unacknowledged, lastAcknowledgement: now))
            turn.log(.connected(settings.broker))
        case .disconnected(let loss): lose(loss, &turn)
        case .subscribed(let granted):
            subscription.answered(granted)
            if granted.contains(false) {
                turn.log(.brokerRefused("The broker refuses a subscription: its access list does not allow it."))
            }
        case .notSubscribed(let reason):
            subscription.failed(reason)
            turn.log(.brokerRefused("Fleet: \(reason)."))
        case .acknowledged(let topic, let refusal):
            settle(topic, refusal, at: now)
            if let refusal { turn.log(.brokerRefused("The broker refuses a publication: \(refusal).")) }
        case .notPublished(let topic, let reason):
            settle(topic, reason, at: now)
            turn.log(.brokerRefused("Fleet: \(reason)."))
        case .failed(let reason):
            flow?.forgetOne()
            turn.log(.brokerRefused("Fleet: \(reason)."))
        case .message: break
        }
    }

    private mutating func lose(_ loss: MQTTLoss, _ turn: inout Turn) {
        let wasConnected = isConnected
        if phase != .lost(loss.reason) { turn.log(.disconnected(settings.broker, reason: loss.reason)) }
        phase = .lost(loss.reason)
        subscription.disconnected()
        // An attempt that fails is not a loss.
        guard wasConnected, losses.add(loss, at: turn.now.monotonic), let lossProblem else { return }
        turn.log(.losesConnections(lossProblem))
    }

    /// A publication is over.
    /// - Parameter problem: why the message is not at the broker; nil if it is.
    private mutating func settle(_ topic: String, _ problem: String?, at now: Duration) {
        // Others choose the topics of answers, and could fill this.
        if settings.topics.isOwn(topic) || topic == settings.discovery?.topic { refusals[topic] = problem }
        flow?.forgetOne()
        flow?.lastAcknowledgement = now
    }

    /// The time has passed.
    mutating func advance(_ turn: inout Turn) {
        losses.advance(to: turn.now.monotonic)
        flow?.advance(to: turn.now.monotonic)
        if subscription.advance(to: turn.now.monotonic), let problem = subscription.problem {
            turn.log(.brokerRefused("Fleet: \(problem)."))
        }
    }

    /// When `advance` has something to do, if nothing else happens; nil: never.
    var deadline: Duration? {
        let stall = flow.flatMap { flow in
            flow.unacknowledged > 0 && !flow.isStalled ? flow.lastAcknowledgement + BrokerLink.timeout : nil
        }
        return [subscription.deadline, stall].compactMap { $0 }.min()
    }

    // MARK: What the board does

    mutating func subscribe(to filters: [String], _ turn: inout Turn) {
        subscription.asked(filters, at: turn.now.monotonic)
        turn.add(.subscribe(filters))
    }

    func isSubscribed(to filters: [String]) -> Bool { subscription.filters == filters }

    /// Publishes a message as soon as possible.
    mutating func publish(_ message: MQTTPublication, _ turn: inout Turn) {
        guard isOpen else {
            waiting.append(message)
            if waiting.count > BrokerLink.mostWaiting {
                // Somebody waits for an answer; an event is only news, and the state follows anyway.
                let event = settings.topics.own(.event)
                waiting.remove(at: waiting.firstIndex { $0.topic == event } ?? 0)
            }
            return
        }
        flow?.unacknowledged += 1
        turn.add(.publish(message))
    }

    /// Publishes what waits, as far as the broker acknowledges it.
    mutating func flush(_ turn: inout Turn) {
        while isOpen, !waiting.isEmpty { publish(waiting.removeFirst(), &turn) }
    }

    // MARK: For people

    var status: String {
        switch phase {
        case .connecting: "Connecting to \(settings.broker)"
        case .connected: "Connected to \(settings.broker)"
        case .lost(let reason): "Not connected to \(settings.broker): \(reason)"
        }
    }

    private var lossProblem: String? { losses.problem(ofBoard: settings.topics.board) }

    var problems: [String] {
        var problems = [lossProblem, subscription.problem].compactMap { $0 }
        if case .lost(let reason) = phase { problems.insert("the broker \(settings.broker): \(reason)", at: 0) }
        problems += refusals.sorted { $0.key < $1.key }.map { "\($0.key) is not at the broker: \($0.value)" }
        if flow?.isStalled == true { problems.append("the broker has acknowledged nothing for a minute") }
        return problems
    }
}
