import AudioSession
import Clocks
import Configuration
import Files
import Glibc
import Players
import Synchronization
import Threads

/// The connection to one Music Player Daemon. It never waits, because another thread connects. Use it on one thread
/// only.
final class MPDSocket {
    private enum State {
        case closed(retry: Duration = .zero)
        case connecting
        case open(OpenDescriptor, MPDConversation)
    }

    /// A socket that is closed when the last reference is released.
    private final class OpenDescriptor: Sendable {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    /// The result of the thread that connects. It is thread-safe.
    private final class ConnectionResults: Sendable {
        private let results = Mutex<[Result<OpenDescriptor, ConnectionError>]>([])
        private let bell: WakeUp

        init(_ bell: WakeUp) { self.bell = bell }

        func post(_ result: Result<OpenDescriptor, ConnectionError>) {
            results.withLock { $0.append(result) }
            bell.ring()
        }

        func take() -> Result<OpenDescriptor, ConnectionError>? { results.withLock { $0.popLast() } }
    }

    private struct ConnectionError: Error {
        let failure: Reconnection.Failure
    }

    private static let connectionTime = 5
    private static let mostRead = 1 << 16
    /// The most bytes that wait until the daemon reads them. An order has about 20.
    private static let mostUnwritten = 1 << 14

    private let player: String
    private let address: MPDAddress
    private var state = State.closed()
    private var reconnection = Reconnection()
    /// What has not been written yet.
    private var unwritten: [UInt8] = []
    /// The numbers of the orders and questions that have not been answered, the oldest first.
    private var orders: [Int] = []
    private var questions: [Int] = []
    /// The daemon that was last seen, or nil if there was none.
    private var known: PlayerIdentity?
    /// What the journal has reported, or nil while the daemon can be reached.
    private var reported: Reconnection.Failure?
    private(set) var isSurveyed = false
    private let results: ConnectionResults
    private var inputs: [PlayersInput] = []

    /// - Parameter bell: rings when a connection attempt has ended.
    init(_ player: String, at address: MPDAddress, bell: WakeUp) {
        (self.player, self.address) = (player, address)
        results = ConnectionResults(bell)
    }

    /// The password, which a drop-in of the unit provides as a credential, or nil. The configuration cannot contain it,
    /// because everybody on the bus can read the addresses of players. It is read for each connection, so that a new
    /// password needs no restart.
    private var password: String? {
        getenv("CREDENTIALS_DIRECTORY").flatMap {
            OpenFile.firstLine(of: "\(String(cString: $0))/mpd-\(player)")
        }
    }

    private var instance: PlayerInstance { PlayerInstance(player: player, place: "mpd") }

    var readiness: pollfd {
        guard case .open(let socket, _) = state else { return pollfd(fd: -1, events: 0, revents: 0) }
        return pollfd(fd: socket.number, events: Int16(POLLIN | (unwritten.isEmpty ? 0 : POLLOUT)), revents: 0)
    }

    var deadline: Duration? { if case .closed(let retry) = state { retry } else { nil } }

    func takeInputs(at now: Duration) -> [PlayersInput] {
        switch state {
        case .closed(let retry): if retry <= now { connect() }
        case .connecting:
            if let result = results.take() { take(result, at: now) }
        case .open(let socket, let conversation): work(socket, conversation, at: now)
        }
        defer { inputs = [] }
        return inputs
    }

    // MARK: The connection

    private func connect() {
        state = .connecting
        let (address, results) = (address, results)
        let thread = NativeThread("players-mpd") {
            results.post(
                Result { () throws(FileError) in OpenDescriptor(try MPDSocket.connect(to: address)) }.mapError {
                    ConnectionError(failure: address.isAbsent(after: $0) ? .absent : .unreachable("\($0)"))
                })
        }
        if thread == nil {
            let error = FileError("start a thread for", player, code: EAGAIN)
            results.post(.failure(ConnectionError(failure: .unreachable("\(error)"))))
        }
    }

    private func take(_ result: Result<OpenDescriptor, ConnectionError>, at now: Duration) {
        switch result {
        case .success(let socket):
            let flags = fcntl(socket.number, F_GETFL)
            _ = fcntl(socket.number, F_SETFL, flags | O_NONBLOCK)
            (unwritten, orders, questions) = ([], [], [])
            state = .open(socket, MPDConversation(password: password))
        case .failure(let error): fail(error.failure, at: now)
        }
    }

    /// Ends the connection, or the attempt to establish one.
    private func fail(_ failure: Reconnection.Failure, at now: Duration) {
        for number in questions { inputs.append(.looked(instance, number, nil)) }
        (unwritten, orders, questions) = ([], [], [])
        isSurveyed = true
        // A daemon that has closed the connection may still play, and is then recognised.
        let mayStillPlay = if case .unreachable = failure { reconnection.hasBegun } else { false }
        state = .closed(retry: reconnection.fail(failure, at: now))
        if mayStillPlay { return }
        if known != nil { inputs.append(.vanished(instance)) }
        known = nil
        inputs.append(.problem(player, at: instance.place, reconnection.problem))
        switch failure {
        case .absent:
            if reported == nil { PlayersJournal.write(.notRunning(player)) }
            reported = failure
        case .unreachable(let reason), .refused(let reason):
            guard reconnection.problem != nil, reported == nil || reported == .absent else { return }
            PlayersJournal.write(.unreachable("the player \(player)", player: player, reason: reason))
            reported = failure
        }
    }

    private func work(_ socket: OpenDescriptor, _ conversation: MPDConversation, at now: Duration) {
        var conversation = conversation
        var bytes = [UInt8](repeating: 0, count: 4096)
        var count = 0
        while count < Self.mostRead {
            let read = recv(socket.number, &bytes, bytes.count, 0)
            if read < 0, errno == EAGAIN || errno == EINTR { break }
            guard read > 0 else {
                let reason = read == 0 ? "it has closed the connection" : String(errno: errno)
                return fail(.unreachable(reason), at: now)
            }
            count += read
            let outputs = conversation.receive(bytes[..<read])
            state = .open(socket, conversation)
            guard carryOut(outputs, at: now) else { return }
        }
        flush(at: now)
    }

    /// - Returns: false if the connection has ended.
    private func carryOut(_ outputs: [MPDConversation.Output], at now: Duration) -> Bool {
        for output in outputs {
            switch output {
            case .send(let text):
                unwritten += Array(text.utf8)
                guard unwritten.count <= Self.mostUnwritten else {
                    fail(.refused("it does not read what it is sent"), at: now)
                    return false
                }
            case .began(let sighting, let uptime): begin(sighting, uptime, at: now)
            case .sighting(let sighting, let isAnswer):
                if isAnswer, !questions.isEmpty {
                    inputs.append(.looked(instance, questions.removeFirst(), sighting))
                } else {
                    inputs.append(.seen(instance, sighting))
                }
            case .answered(let refusal):
                let number = orders.isEmpty ? 0 : orders.removeFirst()
                if number != 0 { inputs.append(.answered(instance, number, refusal: refusal)) }
            case .broken(let reason):
                // It would only say the same again.
                fail(.refused(reason), at: now)
                return false
            }
        }
        return true
    }

    private func begin(_ sighting: Sighting, _ uptime: Duration, at now: Duration) {
        if reported != nil { PlayersJournal.write(.reachable("the player \(player)", player: player)) }
        reported = nil
        reconnection.begin(at: now)
        inputs.append(.problem(player, at: instance.place, nil))
        let identity = identity(uptime)
        if let known, known.isSame(as: identity) {
            inputs.append(.seen(instance, sighting))
        } else {
            if known != nil { inputs.append(.vanished(instance)) }
            inputs.append(.appeared(instance, identity, sighting))
        }
        known = identity
        isSurveyed = true
    }

    private func identity(_ uptime: Duration) -> PlayerIdentity {
        if case .open(let socket, _) = state, case .socket = address {
            // The numbers of the process, the user and the group, because Swift does not import the structure.
            var peer: [Int32] = [0, 0, 0]
            var size = socklen_t(peer.count * MemoryLayout<Int32>.size)
            if getsockopt(socket.number, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0, peer[0] > 0 {
                return PlayerIdentity(process: peer[0], connection: "")
            }
        }
        return .remote(startedAt: Int64((SystemClock.wallClock - uptime) / .seconds(1)))
    }

    private func flush(at now: Duration) {
        guard case .open(let socket, _) = state else { return }
        while !unwritten.isEmpty {
            let written = send(socket.number, unwritten, unwritten.count, Int32(MSG_NOSIGNAL))
            if written < 0 {
                if errno != EAGAIN, errno != EINTR { fail(.unreachable(String(errno: errno)), at: now) }
                return
            }
            unwritten.removeFirst(written)
        }
    }

    // MARK: Orders

    func order(_ command: PlayerCommand, _ number: Int) {
        pass { conversation in
            orders.append(number)
            return conversation.order(command)
        }
    }

    func look(_ number: Int) {
        pass { conversation in
            questions.append(number)
            return conversation.look()
        }
    }

    private func pass(_ request: (inout MPDConversation) -> [MPDConversation.Output]) {
        guard case .open(let socket, var conversation) = state else { return }
        let outputs = request(&conversation)
        state = .open(socket, conversation)
        let now = SystemClock.monotonic.now
        if carryOut(outputs, at: now) { flush(at: now) }
    }

    // MARK: Connecting

    /// Connects to an address. This waits.
    private static func connect(to address: MPDAddress) throws(FileError) -> Int32 {
        switch address {
        case .socket(let path): return try connect(toPath: path)
        case .host(let host, let port): return try connect(toHost: host, port: port)
        }
    }

    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    private static func connect(toPath path: String) throws(FileError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let socket = Glibc.socket(AF_UNIX, kind, 0)
        guard socket >= 0 else { throw FileError("connect to", path) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else {
            let error = FileError("connect to", path)
            close(socket)
            throw error
        }
        return socket
    }

    private static func connect(toHost host: String, port: UInt16) throws(FileError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else {
            throw FileError("find the host", host, code: EHOSTUNREACH)
        }
        defer { freeaddrinfo(found) }
        var error = FileError("connect to", "\(host):\(port)", code: EHOSTUNREACH)
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            let socket = Glibc.socket(info.ai_family, kind, 0)
            guard socket >= 0 else { continue }
            var limit = timeval(tv_sec: connectionTime, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            if Glibc.connect(socket, info.ai_addr, info.ai_addrlen) == 0 { return socket }
            error = FileError("connect to", "\(host):\(port)")
            close(socket)
        }
        throw error
    }
}

extension MPDAddress {
    /// Returns true if an error means that nothing listens at an address on this machine, which is normal for a player
    /// that is not installed or not running.
    fileprivate func isAbsent(after error: FileError) -> Bool {
        switch self {
        case .socket: error.code == ENOENT || error.code == ECONNREFUSED
        case .host(let host, _):
            error.code == ECONNREFUSED && (host == "localhost" || host == "::1" || host.hasPrefix("127."))
        }
    }
}
