import MQTT

/// The state of the connection to the broker, the publications that the broker has not acknowledged, the queue of
/// messages, and the messages that the broker refuses. It has no side effects.
struct BrokerLink: Hashable {
    /// The maximum number of queued messages. Above it, the oldest event is dropped, or the oldest message if there are
    /// no events.
    static let mostWaiting = 200
    /// The maximum number of publications that the broker has not acknowledged.
    static let mostUnacknowledged = 100
    /// The longest time that the broker may take to acknowledge something.
    private static let timeout = Duration.seconds(60)

    private enum Phase: Hashable {
        case connecting
        case connected(Flow)
        /// The connection was lost. The value is the reason, for people.
        case lost(String)
    }

    /// The broker's acknowledgements on this connection.
    private struct Flow: Hashable {
        var unacknowledged: Int
        /// The time of the last acknowledgement, or the last time at which nothing was left to acknowledge.
        var lastAcknowledgement: Duration
        /// True if the last acknowledgement was too long ago.
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
    /// The messages to publish once the broker is connected and has acknowledged earlier ones.
    private(set) var waiting: [MQTTPublication] = []
    /// The reasons why the broker does not have the newest messages, by topic of the board. Topics without a problem
    /// are absent.
    private var refusals: [String: String] = [:]

    init(_ settings: FleetAgent.Settings) { self.settings = settings }

    /// The acknowledgements on this connection, or nil without a connection.
    private var flow: Flow? {
        get { if case .connected(let flow) = phase { flow } else { nil } }
        set { if let newValue { phase = .connected(newValue) } }
    }

    var isConnected: Bool { flow != nil }

    /// The number of publications that the broker has not acknowledged.
    var unacknowledged: Int { flow?.unacknowledged ?? 0 }

    /// True if the broker has to acknowledge earlier publications first.
    var isBacklogged: Bool { unacknowledged >= BrokerLink.mostUnacknowledged }

    /// True if a message can be published now.
    var isOpen: Bool { isConnected && !isBacklogged }

    /// True if the broker has recently sent something that MQTT does not allow, such as a topic with a control
    /// character.
    var isMalformed: Bool { losses.haveMalformed }

    // MARK: Events

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
            turn.log(.brokerRefused("A request to the broker failed: \(reason)."))
        case .acknowledged(let topic, let refusal):
            settle(topic, refusal, at: now)
            if let refusal { turn.log(.brokerRefused("The broker refuses a publication: \(refusal).")) }
        case .notPublished(let topic, let reason):
            settle(topic, reason, at: now)
            turn.log(.brokerRefused("A request to the broker failed: \(reason)."))
        case .failed(let reason):
            flow?.forgetOne()
            turn.log(.brokerRefused("A request to the broker failed: \(reason)."))
        case .message: break
        }
    }

    private mutating func lose(_ loss: MQTTLoss, _ turn: inout Turn) {
        let wasConnected = isConnected
        if phase != .lost(loss.reason) { turn.log(.disconnected(settings.broker, reason: loss.reason)) }
        phase = .lost(loss.reason)
        subscription.disconnected()
        // A failed attempt to connect is not a loss.
        guard wasConnected, losses.add(loss, at: turn.now.monotonic), let lossProblem else { return }
        turn.log(.losesConnections(lossProblem))
    }

    /// Notes that the broker has acknowledged or refused a publication.
    /// - Parameter problem: the reason why the broker does not have the message, or nil if it has it.
    private mutating func settle(_ topic: String, _ problem: String?, at now: Duration) {
        // Senders choose the topics of answers, so the number of stored topics would be unlimited.
        if settings.topics.isOwn(topic) || topic == settings.discovery?.topic { refusals[topic] = problem }
        flow?.forgetOne()
        flow?.lastAcknowledgement = now
    }

    /// Applies the passage of time.
    mutating func advance(_ turn: inout Turn) {
        losses.advance(to: turn.now.monotonic)
        flow?.advance(to: turn.now.monotonic)
        if subscription.advance(to: turn.now.monotonic), let problem = subscription.problem {
            turn.log(.brokerRefused("A request to the broker failed: \(problem)."))
        }
    }

    /// The time at which `advance` has something to do if nothing else happens, or nil if there is no such time.
    var deadline: Duration? {
        let stall = flow.flatMap { flow in
            flow.unacknowledged > 0 && !flow.isStalled ? flow.lastAcknowledgement + BrokerLink.timeout : nil
        }
        return [subscription.deadline, stall].compactMap { $0 }.min()
    }

    // MARK: Subscribing and publishing

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
                // A sender may be waiting for an answer, whereas an event is only for information and the state is
                // published anyway.
                let event = settings.topics.own(.event)
                waiting.remove(at: waiting.firstIndex { $0.topic == event } ?? 0)
            }
            return
        }
        flow?.unacknowledged += 1
        turn.add(.publish(message))
    }

    /// Publishes the queued messages until too many are unacknowledged.
    mutating func flush(_ turn: inout Turn) {
        while isOpen, !waiting.isEmpty { publish(waiting.removeFirst(), &turn) }
    }

    // MARK: Status

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
        problems += refusals.sorted { $0.key < $1.key }.map { "the broker does not have \($0.key): \($0.value)" }
        if flow?.isStalled == true { problems.append("the broker has not acknowledged anything for a minute") }
        return problems
    }
}
