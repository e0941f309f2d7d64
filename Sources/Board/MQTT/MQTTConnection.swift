import Glibc
import Synchronization
import Threads

/// A client that stays connected, on its own thread. No method blocks except `close`, so a slow network or a host name
/// that cannot be resolved does not delay the caller. It is thread-safe, but only one thread may take the events.
///
/// After a failure, it reconnects after the pauses that `ReconnectBackoff` determines.
public final class MQTTConnection: Sendable {
    private let mailbox = Mailbox()
    private let thread: NativeThread?

    /// Starts to connect and returns immediately.
    /// - Parameter settings: returns the settings. It is called again before each attempt after the broker has refused
    ///   the client, because a certificate or a password may have been replaced.
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

    /// Sends the pending publications and disconnects properly from the broker.
    /// - Returns: false if this takes too long.
    @discardableResult
    public func close(within timeout: Duration) -> Bool {
        mailbox.close()
        return thread?.join(within: timeout) ?? true
    }

    // MARK: The thread

    /// The minimum duration of a successful connection. After a shorter one, the pauses continue to grow, because
    /// otherwise two clients with the same identifier would disconnect each other for ever.
    private static let lasting = Duration.seconds(5)
    /// The number of consecutive failures after which the client is created again, because its certificates may have
    /// been replaced.
    private static let mostFailures = 5
    /// The time within which the broker must acknowledge the last publications when the connection is closed.
    private static let farewell = Duration.seconds(2)
    /// The number of consecutive short connections after which the client is created again, because its state may be
    /// the reason why they end. For example, the client may repeat a publication that the broker never accepts.
    private static let mostAttempts = 3
    /// The maximum size of the events that wait for the owner, in bytes. If this size is exceeded, messages stay in the
    /// network until the owner has taken some events.
    fileprivate static let mostUntaken = 8 << 20

    /// The client that makes the next connection.
    private enum Successor {
        /// The same client, which repeats the unacknowledged publications.
        case none
        /// A new client, which also repeats the unacknowledged publications.
        case client
        /// A new client that also starts a new session, so that the broker discards the messages that it has kept.
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
            var isReached = true
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
                // The pause does not grow, because otherwise a client that takes over the session could keep the board
                // offline for longer and longer.
                let isReplaced = end.loss?.cause == .rival
                if isReplaced {
                    backoff = ReconnectBackoff(from: ReconnectBackoff.replaced)
                } else if hasLasted {
                    backoff = ReconnectBackoff()
                }
                // The broker should keep the next session again.
                if client.hasRefusal || client.beginsSession && hasLasted { successor = .client }
                // The library has kept a part of the malformed message, or the broker will send the message again.
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
                isReached = (error as? MQTTError)?.isUnreachable != true
                mailbox.report([.disconnected(MQTTLoss("\(error)"))])
            }
            if failures >= mostFailures {
                failures = 0
                if successor == .none { successor = .client }
            }
            guard !mailbox.isClosing else { return }
            mailbox.pause(backoff.next(isReached: isReached))
        }
    }

    /// The way in which a connection ended.
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
                // If a socket is closed before all received data has been read, the connection is reset, and the broker
                // does not receive the last packets.
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
            /// The approximate size of the events, in bytes.
            var bytes = 0
            var isClosing = false
        }

        private let state = Mutex(State())
        private let ordered = WakeUp()
        let news = WakeUp()

        /// True if no more messages are read until the owner has taken events.
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

        /// Waits until the time is up or the connection is to be closed. Orders do not end the wait.
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
        case .message(let message): return message.size
        case .subscribed(let granted): return 256 + granted.count
        case .connected, .acknowledged, .notSubscribed, .notPublished, .failed, .disconnected: return 256
        }
    }
}
