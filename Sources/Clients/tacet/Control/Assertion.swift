import Clocks
import Files
import Glibc
import SessionClient
import Systemd

/// Asserts a signal over the bus while a command runs, or until this program is stopped.
///
/// The assertion has no time limit, but it belongs to this program's connection to the bus. If the program dies, the
/// bus reports that to the supervisor.
///
/// A bus or a supervisor that is too busy to answer ends neither the attempts to assert the signal nor those to release
/// it, because the program would leave the bus otherwise, and a signal that its program has not released is lost.
final class Assertion {
    /// The time that the supervisor has to answer before the command runs anyway.
    private static let timeout = Duration.seconds(2)
    /// The times by which the release of the signal may delay the end of the program, at first without a message.
    private static let farewell = (quiet: Duration.seconds(1), longest: Duration.seconds(30))

    /// What the supervisor still has to be asked for.
    private enum Wish {
        case assert, release, nothing
    }

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
    private var wish = Wish.assert
    /// True if the supervisor may have executed a request to assert the signal.
    private var mayBeAsserted = false
    /// True if a message has said that the release takes long.
    private var hasSaidGoodbye = false
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
        goodbye = try loop.timer { [unowned self] in waitForRelease() }
        start?.deadline = SystemClock.monotonic.now + Self.timeout
        // Without a command, the attempts to assert the signal last as long as the assertion would, unless that is very
        // short.
        if command.isEmpty { startLimit(atLeast: Self.timeout) }
        connection.onChange = { [unowned self] problem in note(problem) }
        connection.open()
        _ = try loop.run()
        return end ?? .failed
    }

    // MARK: The bus

    /// - Parameter problem: the reason why the supervisor cannot be reached, or nil if it can.
    private func note(_ problem: String?) {
        guard let problem else { return send() }
        guard end == nil else { return leave() }
        // A program that does not assert a signal would release it for all others.
        mayBeAsserted = false
        if wish == .release { wish = .nothing }
        // Only a time says how long to wait for a supervisor that is known to be absent.
        if wish == .assert, command.isEmpty, !hasStarted, time == nil {
            return finish(.notRunning, "\(problem)\n\(DaemonConnection.Unreachable.advice)")
        }
        isMissing(problem)
    }

    /// Reacts to a signal that cannot be asserted at present.
    private func isMissing(_ reason: String) {
        guard wish == .assert else { return }
        complain("\(reason), so \(signal) will be asserted later")
        if !command.isEmpty { begin() }
    }

    /// Asserts or releases the signal. An assertion is requested initially and again for each new supervisor.
    private func send() {
        guard connection.reach == .supervisor else { return }
        switch wish {
        case .assert:
            mayBeAsserted = true
            // With an infinite lease, the assertion ends with this connection.
            connection.set(true, lease: .max) { [unowned self] in noteAssertion($0) }
        case .release:
            connection.set(false, lease: 0, within: Self.farewell.longest) { [unowned self] in noteRelease($0) }
        case .nothing: break
        }
    }

    private func noteAssertion(_ answer: SignalConnection.Answer) {
        guard wish == .assert else { return }
        switch answer {
        case .done:
            complaint = nil
            begin()
        case .notYet: repeatRequest(after: SignalConnection.retryPause)
        case .failed(.unavailable(let reason)):
            repeatRequest(after: SignalConnection.retryPause)
            isMissing(reason)
        case .failed(let error):
            guard !command.isEmpty else { return finish(.failed, "\(error)") }
            complain("\(error), so the command runs without the signal")
            if case .refused = error { repeatRequest(after: SignalConnection.reloadPause) }
            begin()
        }
    }

    private func noteRelease(_ answer: SignalConnection.Answer) {
        guard wish == .release else { return }
        switch answer {
        case .notYet: repeatRequest(after: SignalConnection.retryPause)
        // A request that was not answered is not repeated. The daemon executes it later, and would understand another
        // one as a release for all programs.
        case .done, .failed:
            wish = .nothing
            if end != nil { leave() }
        }
    }

    private func repeatRequest(after pause: Duration) { retry?.deadline = SystemClock.monotonic.now + pause }

    // MARK: The command

    /// Starts the command and the time limit, once the signal is asserted or if it cannot be asserted for now.
    private func begin() {
        start?.deadline = nil
        guard !hasStarted, end == nil else { return }
        hasStarted = true
        startLimit()
        guard !command.isEmpty else { return }
        let code = child.start(command)
        guard code != 0 else { return }
        complain("cannot run \(command[0]): \(String(errno: code))")
        finish(ExitCode(rawValue: code == ENOENT ? 127 : 126))
    }

    private func startLimit(atLeast shortest: Duration = .zero) {
        limit?.deadline = time.map { SystemClock.monotonic.now + max($0, shortest) }
    }

    private func reap() {
        if let code = child.reap() { finish(ExitCode(rawValue: code)) }
    }

    private func stop(_ number: Int32) {
        // The release takes long, and somebody does not want to wait for it.
        guard end == nil else { return leave() }
        guard !command.isEmpty else { return finish(.done) }
        guard hasStarted else { return finish(ExitCode(rawValue: 128 + number)) }
        // A terminal also sends the other signals to the command.
        if number == SIGTERM || number == SIGHUP { child.signal(number) }
    }

    /// Ends the assertion, or the attempts to begin it, when the time of --for is up.
    private func expire() {
        guard command.isEmpty else { return release() }
        guard !hasStarted else { return finish(.done) }
        finish(
            .notRunning, "\(signal) was not asserted within the time of --for\n\(DaemonConnection.Unreachable.advice)")
    }

    // MARK: The end

    private func finish(_ code: ExitCode, _ words: String? = nil) {
        guard end == nil else { return }
        end = code
        if let words { complain(words) }
        if wish == .assert { release() }
        guard wish == .release, connection.reach == .supervisor else { return leave() }
        goodbye?.deadline = SystemClock.monotonic.now + Self.farewell.quiet
    }

    private func release() {
        wish = mayBeAsserted ? .release : .nothing
        send()
    }

    /// Continues to wait for the release of the signal after this program should have ended.
    private func waitForRelease() {
        guard !hasSaidGoodbye else { return leave() }
        hasSaidGoodbye = true
        Terminal.complain("tacet: the daemon does not answer, so this waits until it has released \(signal)")
        goodbye?.deadline = SystemClock.monotonic.now + Self.farewell.longest
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
