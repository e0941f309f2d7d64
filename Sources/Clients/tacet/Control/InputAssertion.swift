import Clocks
import Files
import Glibc
import SessionClient
import Systemd
import Time

/// Gives a signal the level that another program reports on standard input, such as a program that reads an input that
/// is not a GPIO line.
///
/// Both levels are requested with a lease, which only further lines renew. Therefore, the signal is lost, and not
/// silently released, if the other program hangs, fails or ends, and also if this program does.
final class InputAssertion {
    private struct Input {
        var lines = LevelLines()
        /// The last level, or nil if there has been none.
        var level: Bool?
        /// True if no level has been reported for the time of the lease.
        var isStale = false
        /// True if a line that is not a level has been reported. Only the first one is, until the signal has been lost and
        /// is set again, because a program may print a warning with each level.
        var hasComplained = false
    }

    private let signal: String
    private let lease: Duration
    private let loop: EventLoop
    private let connection: SignalConnection
    private var input = Input()
    private var sources: [EventSource] = []
    private var silence: EventTimer?
    /// The time at which the level is requested again although it has not changed.
    private var renewal = Duration.zero
    private var end = ExitCode.failed
    /// The last complaint about the supervisor or the bus, which is not repeated.
    private var complaint: String?

    /// - Parameter lease: the time after which the signal is lost if no line states its level.
    init(of signal: String, on kind: BusKind, lease: Duration) throws(SystemdError) {
        self.signal = signal
        self.lease = lease
        loop = try EventLoop()
        connection = try SignalConnection(of: signal, on: kind, in: loop)
    }

    func run() throws -> ExitCode {
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            sources.append(try loop.whenSignalled(number) { [unowned self] in finish(.done) })
        }
        do throws(SystemdError) {
            sources.append(try loop.whenReadable(STDIN_FILENO) { [unowned self] in readInput() })
        } catch {
            // The kernel cannot wait for a file, which also includes /dev/null.
            throw UsageError(
                "standard input must be a pipe from a program that prints the level", subcommand: "assert")
        }
        silence = try loop.timer { [unowned self] in noteSilence() }
        silence?.deadline = SystemClock.monotonic.now + lease
        connection.onChange = { [unowned self] problem in
            if let problem { complain(problem) } else { send() }
        }
        connection.open()
        _ = try loop.run()
        return end
    }

    // MARK: Standard input

    private func readInput() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            let reason = count == 0 ? "standard input has ended" : "cannot read standard input: \(String(errno: errno))"
            return finish(.failed, "\(reason), so \(signal) is lost")
        }
        var levels: [Bool] = []
        for line in input.lines.read(bytes.prefix(count)) {
            switch line {
            case .level(let level): if level != levels.last { levels.append(level) }
            case .other(let text):
                if !input.hasComplained { Terminal.complain("tacet: ‘\(text)’ is not a level: write 0 or 1") }
                input.hasComplained = true
            }
        }
        // If the program is far ahead, a pulse is still noticed, but the bus is not flooded.
        for level in levels.suffix(2) { take(level) }
    }

    private func take(_ level: Bool) {
        let now = SystemClock.monotonic.now
        let isNew = level != input.level || input.isStale
        if input.isStale { input.hasComplained = false }
        input.level = level
        input.isStale = false
        silence?.deadline = now + lease
        if isNew || now >= renewal { send() }
    }

    private func noteSilence() {
        Terminal.complain("tacet: there has been no level for \(TimeSpan.format(lease)), so \(signal) is lost")
        input.isStale = true
        // If there has never been a level, the supervisor still considers the signal to be released.
        if input.level == nil { send() }
    }

    // MARK: The bus

    /// Requests the last level. If it is stale, the signal is released with a lease that expires at once, so that it is
    /// lost.
    private func send() {
        guard connection.reach == .supervisor, input.level != nil || input.isStale else { return }
        let level = input.isStale ? false : input.level ?? false
        let lease = input.isStale ? Duration.milliseconds(1) : lease
        // A line may come late by the other three quarters.
        renewal = SystemClock.monotonic.now + lease / 4
        connection.set(level, lease: UInt64(clamping: lease.wholeMicroseconds)) { [unowned self] in note($0) }
    }

    private func note(_ answer: SignalConnection.Answer) {
        let now = SystemClock.monotonic.now
        switch answer {
        case .done: complaint = nil
        case .notYet: renewal = min(renewal, now + SignalConnection.retryPause)
        case .failed(let error):
            if case .unavailable = error {
                renewal = min(renewal, now + SignalConnection.retryPause)
            } else {
                renewal = now + SignalConnection.reloadPause
            }
            complain("\(error)")
        }
    }

    private func complain(_ words: String) {
        guard words != complaint else { return }
        complaint = words
        Terminal.complain("tacet: \(words), so \(signal) cannot be set yet")
    }

    // MARK: The end

    /// Ends the program. Because it leaves the bus, the signal is lost.
    private func finish(_ code: ExitCode, _ words: String? = nil) {
        if let words { Terminal.complain("tacet: \(words)") }
        end = code
        connection.close()
        loop.exit()
    }
}
