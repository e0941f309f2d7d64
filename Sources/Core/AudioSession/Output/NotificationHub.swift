import Synchronization

/// Delivers a session's notifications to any number of observers as asynchronous sequences.
///
///     for await notification in hub.notifications() {
///         if case .began = notification { screen.pauseAnimations() }
///     }
///
/// The hub is for programs that embed a session. The session itself does not use it. Any thread can post or observe. If
/// an observer falls behind by more than its `capacity`, it loses its oldest notifications.
public final class NotificationHub: Sendable {
    private struct Observers {
        var next = 0
        var continuations: [Int: AsyncStream<SessionNotification>.Continuation] = [:]
    }

    private let observers = Mutex(Observers())

    public init() {}

    /// Returns all notifications posted from now on, until the task that reads them is cancelled or the hub finishes.
    ///
    /// - Parameter capacity: the number of unread notifications that are kept. Beyond that, the oldest are lost.
    public func notifications(capacity: Int = 64) -> AsyncStream<SessionNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) { continuation in
            let id = observers.withLock {
                $0.next += 1
                $0.continuations[$0.next] = continuation
                return $0.next
            }
            continuation.onTermination = { [weak self] _ in
                self?.observers.withLock { _ = $0.continuations.removeValue(forKey: id) }
            }
        }
    }

    /// Posts a notification to all observers, without waiting for them.
    public func post(_ notification: SessionNotification) {
        for continuation in observers.withLock({ Array($0.continuations.values) }) {
            continuation.yield(notification)
        }
    }

    /// Posts the notifications among a session's actions.
    public func post(_ actions: [Action]) {
        for case .post(let notification) in actions { post(notification) }
    }

    /// Ends every observer's sequence.
    public func finish() {
        let all = observers.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in all { continuation.finish() }
    }

    deinit { finish() }
}
