import Glibc
import Synchronization
import Threads

/// A client that stays connected, on its own thread. No method blocks except `close`, so that a slow network or a name
/// that cannot be resolved does not stop anything else. It is thread-safe, but only one thread may take the events.
///
/// After a failure, it tries again with the pauses of `ReconnectBackoff`.
public final class MQTTConnection: Sendable {
    private let mailbox = Mailbox()
    private let thread: NativeThread?

    /// Starts to connect and returns immediately.
    /// - Parameter settings: called before each attempt after the broker has refused the client, because a certificate
    ///   or a password may have been replaced.
    public init(_ settings: @escaping @Sendable () throws -> MQTTSettings) {
        let mailbox = mailbox
        thread = NativeThread("mqtt-net") { MQTTConnection.run(mailbox, settings) }
        if thread == nil { mailbox.report([.disconnected(MQTTLoss("the system cannot start another thread"))]) }
    }

    deinit { mailbox.close() }

    /// Readable when there are events.
    public var news: WakeUp { mailbox.news }

    /// Returns all events since the last call, in order.
    public func takeEvents() -> [MQTTEvent] { mailbox.takeEvents() }

    /// Publishes a message as soon as there is a connection. `notPublished` reports a message that cannot be published.
    public func publish(_ message: MQTTPublication) { mailbox.order(.publish(message)) }

    public func subscribe(to filters: [String]) { mailbox.order(.subscribe(filters)) }

    /// Sends what was ordered, and disconnects properly from the broker.
    /// - Returns: false if this takes too long.
    @discardableResult
    public func close(within timeout: Duration) -> Bool {
        mailbox.close()
        return thread?.join(within: timeout) ?? true
    }

    // MARK: The thread

    /// The minimum duration of a successful connection. After a shorter one, the next pause is longer, because two
    /// clients with the same identifier would otherwise disconnect each other for ever.
    private static let lasting = Duration.seconds(5)
    /// The number of consecutive failures after which the client is created again, because its certificates may have
    /// been replaced.
    private static let mostFailures = 5
    /// The time that the broker has to acknowledge the last publications.
    private static let farewell = Duration.seconds(2)
    /// The number of consecutive short connections after which the client is created again, because its state may be
    /// the reason why they end. For example, it may repeat a publication for ever that the broker does not accept.
    private static let mostAttempts = 3
    /// The maximum number of bytes of events. Beyond that, messages wait in the network until the owner has taken some.
    fileprivate static let mostUntaken = 8 << 20

    /// The replacement that the next connection needs.
    private enum Successor {
        /// The same client, which repeats what was not acknowledged.
        case none
        /// Another client, which also repeats that.
        case client
        /// Another client and another session, without what the broker has kept.
        case session
    }

    private static func run(_ mailbox: Mailbox, _ settings: () throws -> MQTTSettings) {
        var backoff = ReconnectBackoff()
        var kept: MQTTClient?
        var successor = Successor.none
        var failures = 0
        var shortConnections = 0
        while !mailbox.isClosing {
            failures += 1
            do {
                let client =
                    if let kept, successor == .none {
                        kept
                    } else {
                        try MQTTClient(settings(), after: kept, beginsSession: successor == .session)
                    }
                (kept, successor) = (client, .none)
                try client.connect()
                let begin = ContinuousClock.now
                let end = serve(client, mailbox)
                if end.wasAccepted { failures = 0 }
                let hasLasted = end.wasAccepted && ContinuousClock.now - begin > lasting
                // A client that can take the session must not keep the board away for longer and longer.
                let isReplaced = end.loss?.cause == .rival
                if isReplaced {
                    backoff = ReconnectBackoff(from: ReconnectBackoff.replaced)
                } else if hasLasted {
                    backoff = ReconnectBackoff()
                }
                // The next session should be kept again.
                if client.hasRefusal || client.beginsSession && hasLasted { successor = .client }
                // The library has kept a part of the message, or the broker will send it again.
                if end.wasAccepted, end.loss?.cause == .malformed { successor = .session }
                shortConnections = end.wasAccepted && !hasLasted && !isReplaced ? shortConnections + 1 : 0
                if shortConnections >= mostAttempts {
                    (shortConnections, successor) = (0, .session)
                    if client.forgetPassing() {
                        mailbox.report([
                            .failed(
                                "messages are given up, because the broker has ended \(mostAttempts) connections"
                                    + " to which they were sent")
                        ])
                    }
                }
            } catch {
                mailbox.report([.disconnected(MQTTLoss("\(error)"))])
            }
            if failures >= mostFailures {
                failures = 0
                if successor == .none { successor = .client }
            }
            guard !mailbox.isClosing else { return }
            mailbox.pause(backoff.next())
        }
    }

    /// How a connection ended.
    private struct End {
        /// True if the broker had accepted the client.
        var wasAccepted = false
        /// The reason why the connection was lost, or nil if the owner has closed it.
        var loss: MQTTLoss?
    }

    /// Serves a connection until it ends.
    private static func serve(_ client: MQTTClient, _ mailbox: Mailbox) -> End {
        var end = End()
        var closing: ContinuousClock.Instant?
        while true {
            var events: [MQTTEvent] = []
            client.proceed(reads: !mailbox.isFull)
            while let event = client.next() {
                events.append(event)
                switch event {
                case .connected: end.wasAccepted = true
                case .disconnected(let loss): end.loss = loss
                default: break
                }
            }
            mailbox.report(events)
            if end.loss != nil { return end }
            let isClosing = mailbox.isClosing
            for order in mailbox.takeOrders() { carryOut(order, client, mailbox) }
            if isClosing {
                // If a socket is closed while something is unread, the connection is reset, and the broker does not
                // receive the last packets.
                let limit = closing ?? ContinuousClock.now + farewell
                closing = limit
                if client.unacknowledged == 0 || ContinuousClock.now > limit {
                    client.disconnect()
                    return end
                }
            }
            mailbox.wait(
                mailbox.isFull ? .milliseconds(100) : .seconds(1), or: mailbox.isFull ? -1 : client.descriptor,
                writing: client.awaitsWriting)
        }
    }

    private static func carryOut(_ order: Order, _ client: MQTTClient, _ mailbox: Mailbox) {
        switch order {
        case .publish(let message):
            do throws(MQTTError) { try client.publish(message) } catch {
                mailbox.report([.notPublished(topic: message.topic, "\(error)")])
            }
        case .subscribe(let filters):
            do throws(MQTTError) { try client.subscribe(to: filters) } catch {
                mailbox.report([.notSubscribed("\(error)")])
            }
        }
    }

    private enum Order: Sendable {
        case publish(MQTTPublication)
        case subscribe([String])
    }

    /// The data that the thread and its owner exchange.
    private final class Mailbox: Sendable {
        private struct State {
            var orders: [Order] = []
            var events: [MQTTEvent] = []
            /// The approximate size of the events.
            var bytes = 0
            var isClosing = false
        }

        private let state = Mutex(State())
        private let ordered = WakeUp()
        let news = WakeUp()

        /// True if the owner must take events before more are read.
        var isFull: Bool { state.withLock { $0.bytes > MQTTConnection.mostUntaken } }

        var isClosing: Bool { state.withLock { $0.isClosing } }

        func close() {
            state.withLock { $0.isClosing = true }
            ordered.ring()
        }

        func order(_ order: Order) {
            state.withLock { $0.orders.append(order) }
            ordered.ring()
        }

        func takeOrders() -> [Order] {
            state.withLock { state in
                defer { state.orders = [] }
                return state.orders
            }
        }

        func report(_ events: [MQTTEvent]) {
            guard !events.isEmpty else { return }
            let bytes = events.reduce(0) { $0 + $1.size }
            state.withLock {
                $0.events += events
                $0.bytes += bytes
            }
            news.ring()
        }

        func takeEvents() -> [MQTTEvent] {
            state.withLock { state in
                defer { (state.events, state.bytes) = ([], 0) }
                return state.events
            }
        }

        /// Waits until the time is over or the connection is to be closed, regardless of the orders that arrive.
        func pause(_ time: Duration) {
            let end = ContinuousClock.now + time
            while !isClosing, ContinuousClock.now < end { wait(end - ContinuousClock.now + .milliseconds(1)) }
        }

        /// Waits for orders or for the descriptor.
        func wait(_ timeout: Duration, or descriptor: Int32 = -1, writing: Bool = false) {
            var ready = [
                pollfd(fd: ordered.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(writing ? POLLIN | POLLOUT : POLLIN), revents: 0),
            ]
            _ = poll(&ready, nfds_t(ready.count), Int32(timeout / .milliseconds(1)))
            if ready[0].revents != 0 { ordered.wait(.zero) }
        }
    }
}

extension MQTTEvent {
    /// The approximate number of bytes that the event takes.
    fileprivate var size: Int {
        switch self {
        case .message(let message):
            512 + message.payload.count + message.topic.utf8.count + (message.correlation?.count ?? 0)
                + (message.responseTopic?.utf8.count ?? 0)
        case .subscribed(let granted): 256 + granted.count
        case .connected, .acknowledged, .notSubscribed, .notPublished, .failed, .disconnected: 256
        }
    }
}
