import AudioSession
import Glibc
import Systemd

/// Follows a session over the bus, for a program that waits in one thread of its own: `next`, again and again.
///
/// It connects by itself, and again when bus or supervisor come back; each such change is an update. Memory is bounded:
/// what is not taken waits in the socket, and then with the bus, which beyond its own limits loses it or hangs up; the
/// next update has all that is so. Not thread-safe. In a program with Swift concurrency: `SessionClient`.
public final class SessionFollower {
    /// Pauses between two tries to connect: the first, and what it grows to.
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// How long an answer may take.
    private static let patience = Duration.seconds(5)

    typealias Answer = Result<[BusValue], SessionError>

    private let connect: () throws(SystemdError) -> BusClient
    private var client: BusClient?
    private var retry = Duration.zero
    private var pause = SessionFollower.firstPause
    private var follower = Follower()
    private var calls: [UInt64: Follower.Call] = [:]
    private var requests: [UInt64: (deadline: Duration, then: (Answer) -> Void)] = [:]
    private var updates: [SessionUpdate] = []

    /// Nothing happens before the first `next`.
    public init(_ bus: BusKind = .system) {
        connect = { () throws(SystemdError) in try BusClient(bus) }
    }

    package init(address: String) {
        connect = { () throws(SystemdError) in try BusClient(address: address) }
    }

    /// What comes next. The first is always `available` or `unavailable`.
    /// - Parameters:
    ///   - timeout: how long to wait for it; nil: for ever.
    ///   - others: descriptors that end the wait as well.
    /// - Returns: nil where nothing has come in that time, or one of the others is ready.
    public func next(within timeout: Duration? = nil, or others: [pollfd] = []) -> SessionUpdate? {
        let end = timeout.map { EventClock.monotonic.now + $0 }
        while true {
            do throws(SystemdError) { try takeNews() } catch { disconnect("\(error)") }
            let now = EventClock.monotonic.now
            giveUpRequests(at: now)
            if !updates.isEmpty { return updates.removeFirst() }
            if let end, now >= end { return nil }
            let wake = ([end, client == nil ? retry : nil] + requests.values.map(\.deadline)).compactMap { $0 }.min()
            guard wait(wake.map { max(.zero, $0 - now) }, others) else { return nil }
        }
    }

    private func wait(_ time: Duration?, _ others: [pollfd]) -> Bool {
        do throws(SystemdError) {
            if let client { return try client.wait(time, or: others) }
            let nobody = pollfd(fd: -1, events: 0, revents: 0)
            return Waiting.wait(time, for: [nobody] + others) != .other
        } catch {
            disconnect("\(error)")
            return true
        }
    }

    // MARK: The connection

    /// Until there is an update, or nothing more has come.
    private func takeNews() throws(SystemdError) {
        if client == nil, EventClock.monotonic.now >= retry {
            client = try connect()
            try carryOut(follower.connected())
        }
        while updates.isEmpty, let news = try client?.next() {
            switch news {
            case .signal(let signal): try carryOut(follower.take(signal))
            case .answer(let number, let answer):
                pause = SessionFollower.firstPause
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
            case .tell(let update): updates.append(update)
            case .call(let call): if let number = try start(call) { calls[number] = call }
            }
        }
    }

    private func start(_ call: Follower.Call) throws(SystemdError) -> UInt64? {
        let bus = "org.freedesktop.DBus"
        return switch call {
        case .watch(let rule):
            try client?.start("AddMatch", of: bus, at: "/org/freedesktop/DBus", on: bus, [.string(rule)])
        case .owner:
            try client?.start(
                "GetNameOwner", of: bus, at: "/org/freedesktop/DBus", on: bus, [.string(SessionAddress.name)])
        case .scene(let owner):
            try client?.start(
                "Get", of: "\(bus).Properties", at: SessionAddress.path, on: owner,
                [.string(SessionAddress.session), .string("Scene")])
        }
    }

    private func disconnect(_ reason: String) {
        calls = [:]
        retry = EventClock.monotonic.now + pause
        pause = min(pause * 2, SessionFollower.longestPause)
        // It makes no calls.
        for case .tell(let update) in follower.disconnected(reason) { updates.append(update) }
        abandonRequests(.unavailable(reason))
        client = nil
    }

    // MARK: Asking

    /// Calls a method of the supervisor; the answer comes while `next` waits.
    func call(_ member: String, of interface: String, _ arguments: [BusValue], then: @escaping (Answer) -> Void) {
        guard let client, follower.isThere else {
            return then(.failure(.unavailable("tacetd is not running, or not on the bus yet")))
        }
        do throws(SystemdError) {
            let number = try client.start(
                member, of: interface, at: SessionAddress.path, on: SessionAddress.name, arguments)
            requests[number] = (EventClock.monotonic.now + SessionFollower.patience, then)
        } catch {
            then(.failure(.unavailable("\(error)")))
        }
    }

    private func giveUpRequests(at now: Duration) {
        for (number, request) in requests where request.deadline <= now {
            requests[number] = nil
            request.then(.failure(.unavailable("it does not answer")))
        }
    }

    /// Nobody will answer them any more.
    func abandonRequests(_ error: SessionError) {
        let abandoned = requests.values
        requests = [:]
        for request in abandoned { request.then(.failure(error)) }
    }
}
