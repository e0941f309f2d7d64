import AudioSession
import Clocks
import Glibc
import Systemd
import Threads
import Vocabulary

/// Follows a session over the bus, for a program that waits on its own thread and calls `next` in a loop.
///
/// It connects automatically and reconnects when the bus or the daemon returns. Each such change is an update. Memory
/// is bounded: unread messages wait in the socket and then in the bus, which drops them or disconnects once its limits
/// are exceeded. The next update then contains the complete state. This class is not thread-safe. In a program that
/// uses Swift concurrency, use `SessionClient` instead.
public final class SessionFollower {
    package static let answerTimeout = Duration.seconds(5)
    /// The delay before a state query that failed is repeated.
    private static let queryPause = Duration.seconds(1)

    package typealias Answer = Result<[BusValue], SessionError>

    private let connect: () throws(SystemdError) -> BusClient
    private var client: BusClient?
    private var retry = Duration.zero
    /// The delays between attempts to connect.
    private var backoff = Backoff(from: .milliseconds(100), to: .seconds(5))
    private var follower: Follower
    private let onSignal: (SessionSignal, [BusValue]) -> Void
    /// The time at which the state is queried again, or nil while the state is not missing.
    private var nextQuery: Duration?
    private var calls: [UInt64: Follower.Call] = [:]
    private var requests: [UInt64: Request] = [:]
    private var updates: [SessionUpdate] = []

    private struct Request {
        let deadline: Duration
        let timeout: Duration
        let then: (Answer) -> Void
    }

    /// Creates a follower, which connects on the first call to `next`.
    public convenience init(_ bus: BusKind = .system) { self.init(bus, passing: []) { _, _ in } }

    /// - Parameters:
    ///   - name: a name for the connection, which a policy of the bus may refer to, or nil.
    ///   - signals: the signals to pass on in addition to the updates. Their order among the events is kept.
    ///   - onSignal: called with each of these signals while `next` runs.
    package init(
        _ bus: BusKind, named name: String? = nil, passing signals: [SessionSignal],
        onSignal: @escaping (SessionSignal, [BusValue]) -> Void
    ) {
        connect = { () throws(SystemdError) in try BusClient(bus) }
        follower = Follower(passing: signals, named: name)
        self.onSignal = onSignal
    }

    package init(address: String) {
        connect = { () throws(SystemdError) in try BusClient(address: address) }
        follower = Follower()
        onSignal = { _, _ in }
    }

    /// Waits for the next update. The first one is always `available` or `unavailable`.
    /// - Parameters:
    ///   - timeout: the longest time to wait, or nil to wait indefinitely.
    ///   - others: file descriptors that also end the wait when they are ready.
    /// - Returns: nil if the time is up, or if one of `others` is ready.
    public func next(within timeout: Duration? = nil, or others: [pollfd] = []) -> SessionUpdate? {
        let end = timeout.map { SystemClock.monotonic.now + $0 }
        while true {
            do throws(SystemdError) { try drainEvents() } catch { disconnect("\(error)") }
            let now = SystemClock.monotonic.now
            failOverdueRequests(at: now)
            if !updates.isEmpty { return updates.removeFirst() }
            if let end, now >= end { return nil }
            let wake = ([end, client == nil ? retry : nil, nextQuery] + requests.values.map(\.deadline)).compactMap {
                $0
            }.min()
            guard wait(wake.map { max(.zero, $0 - now) }, others) else { return nil }
        }
    }

    private func wait(_ time: Duration?, _ others: [pollfd]) -> Bool {
        do throws(SystemdError) {
            if let client { return try client.wait(time, or: others) }
            let placeholder = pollfd(fd: -1, events: 0, revents: 0)
            return Waiting.wait(time, for: [placeholder] + others) != .other
        } catch {
            disconnect("\(error)")
            return true
        }
    }

    // MARK: The connection

    /// Reads until there is an update or nothing is left to read.
    private func drainEvents() throws(SystemdError) {
        if client == nil, SystemClock.monotonic.now >= retry {
            client = try connect()
            try carryOut(follower.connected())
        }
        if let due = nextQuery, SystemClock.monotonic.now >= due { try carryOut(follower.queryAgain()) }
        while updates.isEmpty, let event = try client?.next(where: { follower.expects($0) }) {
            switch event {
            case .signal(let signal): try carryOut(follower.take(signal))
            case .answer(let number, let answer):
                backoff.restart()
                if let call = calls.removeValue(forKey: number) {
                    try carryOut(follower.take(answer, to: call))
                } else if let request = requests.removeValue(forKey: number) {
                    request.then(answer.mapError(SessionError.init))
                }
            }
        }
    }

    private func carryOut(_ steps: [Follower.Step]) throws(SystemdError) {
        for step in steps {
            switch step {
            case .report(let update): updates.append(update)
            case .pass(let signal, let values): onSignal(signal, values)
            case .call(let call): if let number = try start(call) { calls[number] = call }
            }
        }
        let isMissing = client != nil && follower.lacksState
        nextQuery = isMissing ? nextQuery ?? SystemClock.monotonic.now + SessionFollower.queryPause : nil
    }

    private func start(_ call: Follower.Call) throws(SystemdError) -> UInt64? {
        let bus = "org.freedesktop.DBus"
        return switch call {
        case .watch(let rule):
            try client?.start("AddMatch", of: bus, at: "/org/freedesktop/DBus", on: bus, [.string(rule)])
        case .own(let name):
            try client?.start(
                "RequestName", of: bus, at: "/org/freedesktop/DBus", on: bus, [.string(name), .uint32(0)])
        case .owner:
            try client?.start(
                "GetNameOwner", of: bus, at: "/org/freedesktop/DBus", on: bus, [.string(SessionAddress.name)])
        case .scene(let owner):
            try client?.start(
                "Get", of: "\(bus).Properties", at: SessionAddress.path, on: owner,
                [.string(SessionAddress.session), .string(SessionProperty.scene.rawValue)])
        }
    }

    private func disconnect(_ reason: String) {
        calls = [:]
        retry = SystemClock.monotonic.now + backoff.next()
        // A disconnected follower makes no calls.
        for case .report(let update) in follower.disconnected(reason) { updates.append(update) }
        abandonRequests(.unavailable(reason))
        client = nil
        nextQuery = nil
    }

    // MARK: Requests

    /// Calls a method of the daemon. `then` runs while `next` waits, or at once if the call cannot be sent.
    package func call(
        _ member: String, of interface: String, _ arguments: [BusValue],
        within timeout: Duration = SessionFollower.answerTimeout, then: @escaping (Answer) -> Void
    ) {
        guard let client, follower.isAvailable else {
            return then(.failure(.unavailable("tacetd is not running, or not on the bus yet")))
        }
        do throws(SystemdError) {
            let number = try client.start(
                member, of: interface, at: SessionAddress.path, on: SessionAddress.name, arguments)
            requests[number] = Request(deadline: SystemClock.monotonic.now + timeout, timeout: timeout, then: then)
        } catch {
            then(.failure(.unavailable("\(error)")))
        }
    }

    private func failOverdueRequests(at now: Duration) {
        for (number, request) in requests where request.deadline <= now {
            requests[number] = nil
            request.then(.failure(.unavailable("no answer within \(Int(request.timeout / .seconds(1))) s")))
        }
    }

    /// Fails all pending requests.
    func abandonRequests(_ error: SessionError) {
        let abandoned = requests.values
        requests = [:]
        for request in abandoned { request.then(.failure(error)) }
    }
}
