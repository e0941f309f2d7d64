import Clocks
import Files
import Glibc
import SessionClient
import Systemd
import Vocabulary

/// Asserts a signal over the bus while a command runs, or until this program is stopped.
///
/// The assertion has no time limit, but it belongs to this program's connection to the bus. If the program dies, the
/// bus reports that to the supervisor.
final class Assertion {
    /// The time that the supervisor has to answer before the command runs anyway.
    private static let timeout = Duration.seconds(2)
    private static let retryPause = Duration.milliseconds(300)
    /// The delay before another request for a signal that the configuration does not have, because no event reports
    /// that a reload has added it.
    private static let reloadPause = Duration.seconds(2)
    /// The longest time by which the release of the signal may delay the end of the program.
    private static let farewell = Duration.seconds(1)

    private let signal: String
    private let kind: BusKind
    private let time: Duration?
    private let command: [String]
    private let loop: EventLoop
    private var bus: Bus?
    private var owner: BusSubscription?
    private var sources: [EventSource] = []
    private var retry: EventTimer?
    private var start: EventTimer?
    private var limit: EventTimer?
    private var goodbye: EventTimer?
    private let child: ChildProcess
    private var hasStarted = false
    private var reach = Reach.nothing
    /// True if the signal is still to be asserted.
    private var isWanted = true
    private var end: ExitCode?
    /// The last complaint, which is not repeated.
    private var complaint: String?

    /// The component on the way to the supervisor that has answered so far.
    private enum Reach {
        /// Nothing has answered. If the socket of the bus is missing, a connection waits for it.
        case nothing
        case bus, supervisor
    }

    /// - Parameter command: the command to run. It is empty if there is none.
    init(of signal: String, on kind: BusKind, for time: Duration?, during command: [String]) throws(SystemdError) {
        self.signal = signal
        self.kind = kind
        self.time = time
        self.command = command
        // The child is created before signals are blocked, because the command inherits the signal mask.
        child = ChildProcess()
        loop = try EventLoop()
    }

    func run() throws -> ExitCode {
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            sources.append(try loop.whenSignalled(number) { [unowned self] in stop(number) })
        }
        sources.append(try loop.whenSignalled(SIGCHLD) { [unowned self] in reap() })
        retry = try loop.timer { [unowned self] in bus == nil ? connect() : send() }
        start = try loop.timer { [unowned self] in
            isMissing(
                reach == .nothing ? "there is no connection to the \(kind.rawValue) bus" : "the daemon does not answer")
        }
        limit = try loop.timer { [unowned self] in expire() }
        goodbye = try loop.timer { [unowned self] in leave() }
        start?.deadline = SystemClock.monotonic.now + Self.timeout
        connect()
        _ = try loop.run()
        return end ?? .failed
    }

    // MARK: The bus

    private func connect() {
        do throws(SystemdError) {
            let bus = try Bus(kind, in: loop) { [unowned self] reason in hangUp(reason) }
            self.bus = bus
            owner = try bus.followOwner(of: SessionAddress.name) { [unowned self] owner in
                reach = owner == nil ? .bus : .supervisor
                if owner == nil { isMissing("the daemon is not running") } else { send() }
            }
        } catch { hangUp("\(error)") }
    }

    private func hangUp(_ reason: String) {
        owner = nil
        bus = nil
        reach = .nothing
        isMissing("there is no connection to the \(kind.rawValue) bus: \(reason)")
        if end == nil { retry?.deadline = SystemClock.monotonic.now + Self.retryPause } else { leave() }
    }

    /// Reacts to a signal that cannot be asserted at present.
    private func isMissing(_ reason: String) {
        guard end == nil, isWanted else { return }
        if command.isEmpty, !hasStarted {
            return finish(.notRunning, "\(reason)\n\(DaemonConnection.Unreachable.advice)")
        }
        complain("\(reason), so \(signal) will be asserted later")
        begin()
    }

    /// Asserts the signal, initially and again for each new supervisor.
    private func send() {
        guard end == nil, isWanted else { return }
        set(true) { [unowned self] answer in
            guard end == nil else { return }
            switch answer {
            case .success(let values) where values.first == .string("success"):
                complaint = nil
                begin()
            case .success: retry?.deadline = SystemClock.monotonic.now + Self.retryPause
            case .failure(let error):
                let error = SessionError(error)
                if case .unavailable(let reason) = error {
                    // A bus that is too busy refuses a call, and no event reports that it would accept one again.
                    if reach == .supervisor { retry?.deadline = SystemClock.monotonic.now + Self.retryPause }
                    return isMissing(reason)
                }
                guard !command.isEmpty else { return finish(.failed, "\(error)") }
                complain("\(error), so the command runs without the signal")
                if case .refused = error { retry?.deadline = SystemClock.monotonic.now + Self.reloadPause }
                begin()
            }
        }
    }

    private func set(_ asserted: Bool, then: @escaping (Result<[BusValue], BusError>) -> Void) {
        guard let bus else { return then(.failure(.failed("there is no connection"))) }
        // With an infinite lease, the assertion ends with this connection.
        let lease: UInt64 = asserted ? .max : 0
        do throws(SystemdError) {
            try bus.call(
                SessionMethod.setSignal.rawValue, of: SessionAddress.session, at: SessionAddress.path,
                on: SessionAddress.name,
                [.string(signal), .bool(asserted), .uint64(lease)], then: then)
        } catch { then(.failure(.failed("\(error)"))) }
    }

    // MARK: The command

    /// Starts the command and the time limit, once the signal is asserted or if it cannot be asserted for now.
    private func begin() {
        start?.deadline = nil
        guard !hasStarted, end == nil else { return }
        hasStarted = true
        limit?.deadline = time.map { SystemClock.monotonic.now + $0 }
        guard !command.isEmpty else { return }
        let code = child.start(command)
        guard code != 0 else { return }
        complain("cannot run \(command[0]): \(String(errno: code))")
        finish(ExitCode(rawValue: code == ENOENT ? 127 : 126))
    }

    private func reap() {
        if let code = child.reap() { finish(ExitCode(rawValue: code)) }
    }

    private func stop(_ number: Int32) {
        guard !command.isEmpty else { return finish(.done) }
        guard hasStarted else { return finish(ExitCode(rawValue: 128 + number)) }
        // A terminal also sends the other signals to the command.
        if number == SIGTERM || number == SIGHUP { child.signal(number) }
    }

    /// Ends the assertion when the time of --for is up.
    private func expire() {
        guard !command.isEmpty else { return finish(.done) }
        isWanted = false
        set(false) { _ in }
    }

    // MARK: The end

    private func finish(_ code: ExitCode, _ words: String? = nil) {
        guard end == nil else { return }
        end = code
        if let words { complain(words) }
        goodbye?.deadline = SystemClock.monotonic.now + Self.farewell
        guard isWanted, bus != nil, hasStarted else { return leave() }
        set(false) { [unowned self] _ in leave() }
    }

    private func leave() {
        // Otherwise, the loop would wait for a bus that does not answer before it ends.
        owner = nil
        bus = nil
        loop.exit()
    }

    private func complain(_ words: String) {
        guard words != complaint else { return }
        complaint = words
        Terminal.complain("tacet: \(words)")
    }
}
