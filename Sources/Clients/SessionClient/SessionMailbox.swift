import AudioSession
import Glibc
import Synchronization
import Systemd
import Threads

/// Passes requests and updates between a client's tasks and its thread. It is thread-safe, and no method blocks except
/// `serve`.
final class SessionMailbox: Sendable {
    struct Request: Sendable {
        let member: String
        let interface: String
        let arguments: [BusValue]
        var timeout = SessionFollower.answerTimeout
        /// Receives the result. It is called once, on any thread.
        let then: @Sendable (Result<[BusValue], SessionError>) -> Void
    }

    enum Observer: Sendable {
        case updates(AsyncStream<SessionUpdate>.Continuation)
        case notifications(AsyncStream<SessionNotification>.Continuation, NotificationBridge)
    }

    private struct State {
        var observers: [Int: Observer] = [:]
        var next = 0
        /// The state that a new observer receives first.
        var last: SessionUpdate?
        var requests: [Request] = []
        var isClosed = false
        /// The reason why there is no thread to serve requests, or nil if there is one.
        var failure: SessionError?
    }

    /// The number of requests that can wait for the thread.
    private static let longestQueue = 1024

    private let state = Mutex(State())
    private let bell = WakeUp()

    // MARK: For tasks

    /// - Parameter owner: the client, which the observer retains until its sequence ends.
    func add(_ observer: Observer, for owner: SessionClient) {
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.observers[state.next] = observer.delivering(state.last)
            return state.next
        }
        guard let id else { return observer.finish() }
        observer.onTermination { [weak self] in
            withExtendedLifetime(owner) { self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        }
    }

    func send(_ request: Request) {
        let failure: SessionError? = state.withLock { state in
            if let failure = state.failure { return failure }
            guard !state.isClosed, state.requests.count < SessionMailbox.longestQueue else { return .closed }
            state.requests.append(request)
            return nil
        }
        if let failure { request.then(.failure(failure)) } else { bell.ring() }
    }

    /// Fails all requests, because there is no thread to serve them. Call it before any request is sent.
    func fail(_ reason: SessionUpdate.Unavailability) {
        state.withLock { $0.failure = .unavailable("\(reason)") }
        post(.unavailable(reason))
    }

    func close() {
        let (observers, requests) = state.withLock { state in
            defer {
                state.observers = [:]
                state.requests = []
                state.isClosed = true
            }
            return (Array(state.observers.values), state.requests)
        }
        bell.ring()
        // This happens without the lock, because the handlers may call the mailbox.
        for observer in observers { observer.finish() }
        for request in requests { request.then(.failure(.closed)) }
    }

    // MARK: The thread

    /// Runs until the mailbox is closed.
    func serve(_ follower: SessionFollower) {
        while let requests = takeRequests() {
            for request in requests {
                follower.call(
                    request.member, of: request.interface, request.arguments, within: request.timeout,
                    then: request.then)
            }
            if let update = follower.next(or: [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]) {
                post(update)
            } else {
                bell.wait(.zero)
            }
        }
        follower.abandonRequests(.closed)
    }

    /// - Returns: the requests, or nil once the mailbox is closed.
    private func takeRequests() -> [Request]? {
        state.withLock { state in
            defer { state.requests = [] }
            return state.isClosed ? nil : state.requests
        }
    }

    /// Delivers an update under the lock, so that every observer receives updates in the same order. This cannot
    /// deadlock, because only the end of a sequence calls the mailbox, and delivering an update does not end a
    /// sequence.
    func post(_ update: SessionUpdate) {
        state.withLock { state in
            state.last = update.remembered
            state.observers = state.observers.mapValues { $0.delivering(update) }
        }
    }
}

extension SessionUpdate {
    /// The update that observers receive when they join later: the state alone, without the event.
    fileprivate var remembered: SessionUpdate {
        guard var snapshot else { return self }
        snapshot.notifications = []
        snapshot.answer = nil
        return .available(snapshot)
    }
}

extension SessionMailbox.Observer {
    /// Delivers an update if there is one.
    /// - Returns: the observer with its bridge's new state.
    fileprivate func delivering(_ update: SessionUpdate?) -> SessionMailbox.Observer {
        guard let update else { return self }
        switch self {
        case .updates(let continuation):
            continuation.yield(update)
            return self
        case .notifications(let continuation, var bridge):
            for notification in bridge.take(update) { continuation.yield(notification) }
            return .notifications(continuation, bridge)
        }
    }

    fileprivate func finish() {
        switch self {
        case .updates(let continuation): continuation.finish()
        case .notifications(let continuation, _): continuation.finish()
        }
    }

    fileprivate func onTermination(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .updates(let continuation): continuation.onTermination = { _ in body() }
        case .notifications(let continuation, _): continuation.onTermination = { _ in body() }
        }
    }
}
