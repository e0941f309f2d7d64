import Glibc
import Synchronization
import Threads

/// A client that stays connected, on a thread of its own. No method blocks except `close`, so that a slow network or a name
/// that cannot be resolved stops nothing else. Thread-safe; one thread takes the events.
///
/// After a failure it tries again, as `ReconnectBackoff` says.
public final class MQTTConnection: Sendable {
    private let mailbox = Mailbox()
    private let thread: NativeThread?

    /// Returns at once.
    /// - Parameter settings: called before each attempt after the broker has refused the client, because a certificate or a
    ///   password can be replaced.
    public init(_ settings: @escaping @Sendable () throws -> MQTTSettings) {
        let mailbox = mailbox
        thread = NativeThread("tacet-mqtt-net") { MQTTConnection.run(mailbox, settings) }
        if thread == nil { mailbox.report([.disconnected("the system cannot start another thread")]) }
    }

    deinit { mailbox.close() }

    /// Readable when there are events.
    public var news: WakeUp { mailbox.news }

    /// All events since the last call, in order.
    public func takeEvents() -> [MQTTEvent] { mailbox.takeEvents() }

    /// Publishes a message, or reports its loss as the end of the connection.
    public func publish(_ message: MQTTPublication) { mailbox.order(.publish(message)) }

    public func subscribe(to filters: [String]) { mailbox.order(.subscribe(filters)) }

    /// Sends what was ordered, and says goodbye to the broker.
    /// - Returns: false if that takes too long.
    @discardableResult
    public func close(within timeout: Duration) -> Bool {
        mailbox.close()
        return thread?.join(within: timeout) ?? true
    }

    // MARK: The thread

    private static func run(_ mailbox: Mailbox, _ settings: () throws -> MQTTSettings) {
        var backoff = ReconnectBackoff()
        // Kept while the broker accepts it, because it repeats what was not acknowledged.
        var accepted: MQTTClient?
        while !mailbox.isClosing {
            do {
                let client = try accepted ?? MQTTClient(settings())
                try client.connect()
                accepted = serve(client, mailbox) ? client : nil
                // Two clients with one identifier would take turns without a pause.
                if accepted != nil, !client.wasTakenOver { backoff = ReconnectBackoff() }
            } catch {
                mailbox.report([.disconnected("\(error)")])
            }
            guard !mailbox.isClosing else { return }
            mailbox.wait(backoff.next())
        }
    }

    /// Serves a connection until it ends.
    /// - Returns: whether the broker has accepted the client.
    private static func serve(_ client: MQTTClient, _ mailbox: Mailbox) -> Bool {
        var wasAccepted = false
        while true {
            var events: [MQTTEvent] = []
            client.proceed()
            while let event = client.next() { events.append(event) }
            let isOver = events.contains { if case .disconnected = $0 { true } else { false } }
            if events.contains(where: { if case .connected = $0 { true } else { false } }) { wasAccepted = true }
            mailbox.report(events)
            if isOver { return wasAccepted }
            let isClosing = mailbox.isClosing
            for order in mailbox.takeOrders() {
                do throws(MQTTError) {
                    switch order {
                    case .publish(let message): try client.publish(message)
                    case .subscribe(let filters): try client.subscribe(to: filters)
                    }
                } catch {
                    mailbox.report([.failed("\(error)")])
                }
            }
            if isClosing {
                client.disconnect()
                return wasAccepted
            }
            mailbox.wait(.seconds(1), or: client.descriptor, writing: client.awaitsWriting)
        }
    }

    private enum Order: Sendable {
        case publish(MQTTPublication)
        case subscribe([String])
    }

    /// What the thread and its owner exchange.
    private final class Mailbox: Sendable {
        private struct State {
            var orders: [Order] = []
            var events: [MQTTEvent] = []
            var isClosing = false
        }

        private let state = Mutex(State())
        private let ordered = WakeUp()
        let news = WakeUp()

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
            state.withLock { $0.events += events }
            news.ring()
        }

        func takeEvents() -> [MQTTEvent] {
            state.withLock { state in
                defer { state.events = [] }
                return state.events
            }
        }

        /// Waits for orders.
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
