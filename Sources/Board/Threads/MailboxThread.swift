import Clocks
import Glibc
import Synchronization

/// Executes the requests of a `MailboxThread`. The thread creates the worker, and only that thread uses it.
public protocol MailboxWorker<Request, Outcome> {
    associatedtype Request: Sendable
    associatedtype Outcome: Sendable

    /// Executes a request. This may take any amount of time.
    mutating func handle(_ request: Request) -> MailboxReply<Outcome>

    /// Called once, after the last request.
    mutating func finish()
}

extension MailboxWorker {
    public func finish() {}
}

/// The result of a request.
public enum MailboxReply<Outcome: Sendable>: Sendable {
    case done(Outcome)
    /// The request failed. Unless a newer request replaces it, it is retried after a pause. An urgent request or the
    /// end of the thread cuts the pause short.
    case retry(Outcome, after: Duration)
}

/// A thread with a mailbox for one request. Use it for calls that may block for a long time, such as accesses to a slow
/// disk.
///
/// The newest request replaces a request that has not begun, so that a backlog never forms. In the same way, the newest
/// outcome replaces an outcome that has not been taken.
///
/// **Threading.** Any thread can send, end and query. None of these calls waits for the worker. Only one thread may
/// call `takeOutcome`. Requests are executed one at a time, in the order in which they were sent.
///
/// **End.** `end`, or releasing the last reference, lets the worker execute the waiting request and then ends the
/// thread. The caller does not wait for this, so a request that never returns only keeps the mailbox's thread alive.
/// Requests that are sent later are ignored.
public final class MailboxThread<Request: Sendable, Outcome: Sendable>: Sendable {
    /// The time for which the thread exists.
    public enum Lifetime: Sendable {
        /// The thread exists until `end`.
        case untilEnd
        /// The thread exists from a request until no requests are waiting. The next request starts another thread with
        /// another worker.
        case whileBusy
    }

    /// The kinds of outcomes that can be taken.
    public enum Outcomes: Sendable {
        case all
        /// Only the outcomes of requests that were still the newest when they finished.
        case newestRequest
    }

    private let mailbox: Mailbox<Request, Outcome>

    /// Returns true if an outcome has to make `descriptor` readable, given the previous outcome or nil. Any outcome can be
    /// taken.
    public typealias News = @Sendable (_ outcome: Outcome, _ previous: Outcome?) -> Bool

    /// Creates a mailbox and its thread.
    /// - Parameters:
    ///   - name: the name of the thread, of at most 15 bytes.
    ///   - isNews: determines which outcomes make `descriptor` readable.
    ///   - unavailable: the outcome of all requests if the system cannot start a thread.
    ///   - makeWorker: creates the worker. It is called on the thread.
    public init(
        _ name: String, lifetime: Lifetime = .untilEnd, outcomes: Outcomes = .all,
        isNews: @escaping News = { _, _ in true }, unavailable: Outcome,
        _ makeWorker: @escaping @Sendable () -> any MailboxWorker<Request, Outcome>
    ) {
        mailbox = Mailbox(name, lifetime, outcomes, isNews, unavailable, makeWorker)
        if lifetime == .untilEnd { mailbox.start() }
    }

    deinit { mailbox.end() }

    /// Readable while there is an outcome to take that is news.
    public var descriptor: Int32 { mailbox.news.descriptor }

    /// Sends a request, which replaces the waiting request if there is one.
    /// - Parameter urgently: true to end the pause after a failure. A request that replaces an urgent one is also
    ///   urgent.
    public func send(_ request: Request, urgently: Bool = false) { mailbox.send(request, urgently: urgently) }

    /// Sends a request if another one is waiting or being executed.
    /// - Returns: true if the request was sent.
    public func sendIfBusy(_ request: Request) -> Bool { mailbox.sendIfBusy(request) }

    /// Takes the newest outcome.
    /// - Parameter timeout: the maximum time to wait for an outcome, or nil to wait until there is one.
    public func takeOutcome(within timeout: Duration? = .zero) -> Outcome? { mailbox.takeOutcome(within: timeout) }

    /// True if no request is being executed, and none is waiting for anything but the end of a pause.
    public var isIdle: Bool { mailbox.isIdle }

    /// The time for which the current request has been running, or nil if there is none.
    public var busyTime: Duration? { mailbox.busyTime }

    public func end() { mailbox.end() }
}

/// The state that the thread shares with other threads. The thread retains this object, not the `MailboxThread`, so
/// that releasing the `MailboxThread` ends the thread.
private final class Mailbox<Request: Sendable, Outcome: Sendable>: Sendable {
    struct State {
        var request: Request?
        /// True if the waiting request ends the pause after a failure.
        var isUrgent = false
        /// The time at which the worker began the current request.
        var busySince: Duration?
        /// The time at which the pause after a failure ends.
        var pauseEnd: Duration?
        var outcome: Outcome?
        /// The last outcome, whether or not it has been taken.
        var previous: Outcome?
        var hasThread = false
        var isEnding = false
    }

    private enum Task {
        case handle(Request)
        /// Wait for the bell for at most this time, or without a limit if it is nil.
        case wait(Duration?)
        case end
    }

    /// Signalled when an outcome is posted, and cleared when it is taken.
    let news = WakeUp()
    private let bell = WakeUp()
    private let state = Mutex(State())
    private let name: String
    private let lifetime: MailboxThread<Request, Outcome>.Lifetime
    private let outcomes: MailboxThread<Request, Outcome>.Outcomes
    private let isNews: MailboxThread<Request, Outcome>.News
    private let unavailable: Outcome
    private let makeWorker: @Sendable () -> any MailboxWorker<Request, Outcome>

    init(
        _ name: String, _ lifetime: MailboxThread<Request, Outcome>.Lifetime,
        _ outcomes: MailboxThread<Request, Outcome>.Outcomes, _ isNews: @escaping MailboxThread<Request, Outcome>.News,
        _ unavailable: Outcome, _ makeWorker: @escaping @Sendable () -> any MailboxWorker<Request, Outcome>
    ) {
        self.name = name
        self.lifetime = lifetime
        self.outcomes = outcomes
        self.isNews = isNews
        self.unavailable = unavailable
        self.makeWorker = makeWorker
    }

    // MARK: Other threads

    func start() {
        let isToStart = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isToStart, NativeThread(name, { [self] in run() }) == nil else { return }
        state.withLock { state in
            state.hasThread = false
            state.request = nil
            state.isUrgent = false
            post(unavailable, &state)
        }
    }

    func send(_ request: Request, urgently: Bool) {
        let isAccepted = state.withLock { state in
            guard !state.isEnding else { return false }
            state.request = request
            state.isUrgent = state.isUrgent || urgently
            return true
        }
        guard isAccepted else { return }
        bell.ring()
        start()
    }

    func sendIfBusy(_ request: Request) -> Bool {
        // A busy thread checks for a request before it waits or ends, so there is no need to ring the bell.
        state.withLock { state in
            guard !state.isEnding, state.busySince != nil || state.request != nil else { return false }
            state.request = request
            return true
        }
    }

    func takeOutcome(within timeout: Duration?) -> Outcome? {
        if timeout != .zero { news.wait(timeout) }
        return state.withLock { state in
            news.wait(.zero)
            defer { state.outcome = nil }
            return state.outcome
        }
    }

    var isIdle: Bool {
        state.withLock { $0.busySince == nil && ($0.request == nil || $0.pauseEnd != nil && !$0.isUrgent) }
    }

    var busyTime: Duration? { state.withLock { $0.busySince }.map { SystemClock.monotonic.now - $0 } }

    func end() {
        state.withLock { $0.isEnding = true }
        bell.ring()
    }

    // MARK: The thread

    private func run() {
        var worker = makeWorker()
        while let request = next() { conclude(request, worker.handle(request)) }
        worker.finish()
    }

    /// Waits for a request, and returns nil if the thread is to end.
    private func next() -> Request? {
        while true {
            switch nextTask() {
            case .handle(let request): return request
            case .wait(let time): bell.wait(time)
            case .end: return nil
            }
        }
    }

    private func nextTask() -> Task {
        let now = SystemClock.monotonic.now
        return state.withLock { state in
            guard let request = state.request else {
                guard state.isEnding || lifetime == .whileBusy else { return .wait(nil) }
                state.hasThread = false
                return .end
            }
            if let end = state.pauseEnd, end > now, !state.isUrgent, !state.isEnding { return .wait(end - now) }
            state.request = nil
            state.isUrgent = false
            state.busySince = now
            return .handle(request)
        }
    }

    private func conclude(_ request: Request, _ reply: MailboxReply<Outcome>) {
        let now = SystemClock.monotonic.now
        state.withLock { state in
            state.busySince = nil
            let isOvertaken = state.request != nil
            let outcome: Outcome
            switch reply {
            case .done(let done):
                outcome = done
                state.pauseEnd = nil
            case .retry(let failure, let pause):
                outcome = failure
                state.pauseEnd = now + pause
                // A failed request is not retried once the thread is to end.
                if !isOvertaken, !state.isEnding { state.request = request }
            }
            if outcomes == .all || !isOvertaken { post(outcome, &state) }
        }
    }

    private func post(_ outcome: Outcome, _ state: inout State) {
        state.outcome = outcome
        defer { state.previous = outcome }
        if isNews(outcome, state.previous) { news.ring() }
    }
}
