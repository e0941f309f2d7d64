import AudioSession
import Glibc
import Synchronization
import Systemd
import Threads

/// Between a client's tasks and its thread.
final class SessionDesk: Sendable {
    struct Request: Sendable {
        let member: String
        let interface: String
        let arguments: [BusValue]
        /// Called once, on any thread.
        let then: @Sendable (Result<[BusValue], SessionError>) -> Void
    }

    enum Observer: Sendable {
        case updates(AsyncStream<SessionUpdate>.Continuation)
        case notifications(AsyncStream<SessionNotification>.Continuation, NotificationBridge)
    }

    private struct State {
        var observers: [Int: Observer] = [:]
        var next = 0
        /// What a new observer is told first.
        var last: SessionUpdate?
        var requests: [Request] = []
        var isClosed = false
        /// Why nobody serves; nil where somebody does.
        var failure: SessionError?
    }

    /// More do not wait at a time.
    private static let longestQueue = 1024

    private let state = Mutex(State())
    private let bell = WakeUp()

    // MARK: For tasks

    /// - Parameter owner: is kept for as long as the observer is.
    func add(_ observer: Observer, for owner: SessionClient) {
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.observers[state.next] = observer.told(state.last)
            return state.next
        }
        guard let id else { return observer.finish() }
        observer.whenOver { [weak self] in
            withExtendedLifetime(owner) { self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        }
    }

    func ask(_ request: Request) {
        let failure: SessionError? = state.withLock { state in
            if let failure = state.failure { return failure }
            guard !state.isClosed, state.requests.count < SessionDesk.longestQueue else { return .closed }
            state.requests.append(request)
            return nil
        }
        if let failure { request.then(.failure(failure)) } else { bell.ring() }
    }

    /// Nobody will ever serve: called before anybody asks.
    func giveUp(_ reason: SessionUpdate.Unavailability) {
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
        // Not under the lock: whoever is told may call back.
        for observer in observers { observer.finish() }
        for request in requests { request.then(.failure(.closed)) }
    }

    // MARK: The thread

    /// Runs until the desk is closed.
    func serve(_ follower: SessionFollower) {
        while let requests = takeRequests() {
            for request in requests {
                follower.call(request.member, of: request.interface, request.arguments, then: request.then)
            }
            if let update = follower.next(or: [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]) {
                post(update)
            } else {
                bell.wait(.zero)
            }
        }
        follower.abandonRequests(.closed)
    }

    /// nil when the desk is closed.
    private func takeRequests() -> [Request]? {
        state.withLock { state in
            defer { state.requests = [] }
            return state.isClosed ? nil : state.requests
        }
    }

    /// Under the lock, so that all observers are told in the same order. (Nothing calls back: only an end does.)
    func post(_ update: SessionUpdate) {
        state.withLock { state in
            state.last = update.remembered
            state.observers = state.observers.mapValues { $0.told(update) }
        }
    }
}

extension SessionUpdate {
    /// For those who come later: what is so, without what has happened.
    fileprivate var remembered: SessionUpdate {
        guard var snapshot else { return self }
        snapshot.notifications = []
        snapshot.answer = nil
        return .available(snapshot)
    }
}

extension SessionDesk.Observer {
    /// Tells it, if there is anything.
    /// - Returns: the observer, as it is afterwards.
    fileprivate func told(_ update: SessionUpdate?) -> SessionDesk.Observer {
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

    fileprivate func whenOver(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .updates(let continuation): continuation.onTermination = { _ in body() }
        case .notifications(let continuation, _): continuation.onTermination = { _ in body() }
        }
    }
}
