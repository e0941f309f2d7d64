import Clocks
import Files
import Glibc
import SessionClient
import Systemd

/// Asserts a signal over the bus while a command runs, or until this program is stopped.
///
/// The assertion has no time limit, but it belongs to this program's connection to the bus. If the program dies, the
/// bus reports that to the supervisor.
final class Assertion {
    /// The time that the supervisor has to answer before the command runs anyway.
    private static let timeout = Duration.seconds(2)
    /// The longest time by which the release of the signal may delay the end of the program.
    private static let farewell = Duration.seconds(1)

    private let signal: String
    private let kind: BusKind
    private let time: Duration?
    private let command: [String]
    private let loop: EventLoop
    private let connection: SignalConnection
    private var sources: [EventSource] = []
    private var retry: EventTimer?
    private var start: EventTimer?
    private var limit: EventTimer?
    private var goodbye: EventTimer?
    private let child: ChildProcess
    private var hasStarted = false
    /// True if the signal is still to be asserted.
    private var isWanted = true
    private var end: ExitCode?
    /// The last complaint, which is not repeated.
    private var complaint: String?

    /// - Parameter command: the command to run. It is empty if there is none.
    init(of signal: String, on kind: BusKind, for time: Duration?, during command: [String]) throws(SystemdError) {
        self.signal = signal
        self.kind = kind
        self.time = time
        self.command = command
        // The child is created before signals are blocked, because the command inherits the signal mask.
        child = ChildProcess()
        loop = try EventLoop()
        connection = try SignalConnection(of: signal, on: kind, in: loop)
    }

    func run() throws -> ExitCode {
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            sources.append(try loop.whenSignalled(number) { [unowned self] in stop(number) })
        }
        sources.append(try loop.whenSignalled(SIGCHLD) { [unowned self] in reap() })
        retry = try loop.timer { [unowned self] in send() }
        start = try loop.timer { [unowned self] in
            isMissing(
                connection.reach == .nothing
                    ? "there is no connection to the \(kind.rawValue) bus" : "the daemon does not answer")
        }
        limit = try loop.timer { [unowned self] in expire() }
        goodbye = try loop.timer { [unowned self] in leave() }
        start?.deadline = SystemClock.monotonic.now + Self.timeout
        connection.onChange = { [unowned self] problem in note(problem) }
        connection.open()
        _ = try loop.run()
        return end ?? .failed
    }

    // MARK: The bus

    /// - Parameter problem: the reason why the supervisor cannot be reached, or nil if it can.
    private func note(_ problem: String?) {
        guard let problem else { return send() }
        isMissing(problem)
        if end != nil, !connection.isOpen { leave() }
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
        guard end == nil, isWanted, connection.reach == .supervisor else { return }
        // With an infinite lease, the assertion ends with this connection.
        connection.set(true, lease: .max) { [unowned self] answer in
            guard end == nil else { return }
            switch answer {
            case .done:
                complaint = nil
                begin()
            case .notYet: repeatRequest(after: SignalConnection.retryPause)
            case .failed(.unavailable(let reason)):
                // A bus that is too busy refuses a call, and no event reports that it would accept one again.
                if connection.reach == .supervisor { repeatRequest(after: SignalConnection.retryPause) }
                isMissing(reason)
            case .failed(let error):
                guard !command.isEmpty else { return finish(.failed, "\(error)") }
                complain("\(error), so the command runs without the signal")
                if case .refused = error { repeatRequest(after: SignalConnection.reloadPause) }
                begin()
            }
        }
    }

    private func repeatRequest(after pause: Duration) { retry?.deadline = SystemClock.monotonic.now + pause }

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
        connection.set(false, lease: 0) { _ in }
    }

    // MARK: The end

    private func finish(_ code: ExitCode, _ words: String? = nil) {
        guard end == nil else { return }
        end = code
        if let words { complain(words) }
        goodbye?.deadline = SystemClock.monotonic.now + Self.farewell
        guard isWanted, connection.isOpen, hasStarted else { return leave() }
        connection.set(false, lease: 0) { [unowned self] _ in leave() }
    }

    private func leave() {
        // Otherwise, the loop would wait for a bus that does not answer before it ends.
        connection.close()
        loop.exit()
    }

    private func complain(_ words: String) {
        guard words != complaint else { return }
        complaint = words
        Terminal.complain("tacet: \(words)")
    }
}
