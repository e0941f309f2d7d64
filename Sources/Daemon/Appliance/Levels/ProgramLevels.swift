import AudioSession
import Clocks
import Configuration
import Signals
import Systemd

/// The levels that programs assert over the bus, each for a lease.
final class ProgramLevels: LevelReader {
    /// The lease of a signal that was active when the daemon was restarted and whose configured lease is infinite.
    static let usualLease = Duration.seconds(30)

    private var book = LeaseTable()
    /// The configured lease of each signal.
    private var leases: [SignalID: ProgramLease] = [:]
    private var reported: [SignalID: Bool?] = [:]
    private var timer: EventTimer?
    var onNews: () -> Void = {}
    let descriptors: [Int32] = []
    let isIncomplete = false
    /// Sends a question to the bus and returns true if that was possible. Only the fact that an answer comes is of
    /// interest. The answer is passed to `noteAnswer`.
    var ask: () -> Bool = { false }
    /// The time at which a question was sent to the bus because a lease is over, or nil if no answer is awaited.
    private var question: Duration?

    init(in loop: EventLoop) throws(SystemdError) {
        timer = try loop.timer { [unowned self] in settle() }
    }

    /// - Parameter leases: The signals that programs can assert, with their leases.
    func adopt(_ leases: [SignalID: ProgramLease]) {
        self.leases = leases
        book.keep { leases.keys.contains($0) }
        note()
    }

    /// Returns true if programs can assert the signal.
    func isFromBus(_ signal: SignalID) -> Bool { leases.keys.contains(signal) }

    /// The lease that a program requests.
    enum Lease: Hashable {
        case asConfigured, infinite
        case time(Duration)
    }

    /// - Parameters:
    ///   - lease: The requested lease, or nil for a deassertion without a lease.
    ///   - client: The unique name of its connection.
    ///   - user: The user ID of the program, or nil if it is unknown.
    func set(
        _ signal: SignalID, _ asserted: Bool, for lease: Lease?, by client: String, called program: String,
        of user: UInt32? = nil
    ) {
        let now = SystemClock.monotonic.now
        let until: Duration? =
            switch lease {
            case .asConfigured?, nil: leases[signal]?.time.map { now + $0 }
            case .infinite?: nil
            case .time(let time)?: now + time
            }
        book.set(
            signal, asserted, by: client, called: program, of: user, until: until, isHeld: lease != nil)
        settle()
    }

    /// Withdraws an assertion for a program whose signal was removed or got another source after that.
    func withdraw(_ signal: SignalID, by client: String) {
        book.withdraw(signal, by: client)
        setTimer()
    }

    func resume(_ signals: [SignalID]) {
        let now = SystemClock.monotonic.now
        for signal in signals {
            guard let lease = leases[signal] else { continue }
            book.resume(signal, until: now + (lease.time ?? Self.usualLease))
        }
        note()
    }

    func left(_ client: String) {
        book.left(client)
        settle()
    }

    /// Handles the answer of the bus. Before the answer, the bus has delivered everything that was sent to Tacet before
    /// the question.
    func noteAnswer() {
        guard let question else { return }
        self.question = nil
        book.advance(to: question)
        settle()
    }

    func leaveBus() {
        question = nil
        book.leaveBus(at: SystemClock.monotonic.now)
        settle()
    }

    /// - Parameter isSame: False if it is another bus, on which other programs may have the same names.
    func returnToBus(isSame: Bool) {
        book.returnToBus(isSame: isSame, at: SystemClock.monotonic.now)
        settle()
    }

    /// The connections that hold a level or have held one.
    var clients: Set<String> { book.clients }

    func level(of id: WireID) -> Bool? {
        guard case .signal(let signal) = id, isFromBus(signal) else { return nil }
        return book.level(of: signal)
    }

    func place(of id: WireID) -> String? {
        guard case .signal(let signal) = id, isFromBus(signal), let programs = book.programs(asserting: signal) else {
            return nil
        }
        return programs.isEmpty ? "asserted before Tacet restarted" : "asserted by \(programs)"
    }

    func problem(of id: WireID) -> String? {
        guard case .signal(let signal) = id, isFromBus(signal) else { return nil }
        return book.loss(of: signal)
    }

    func acquire() -> [LevelChange<WireID>] { [] }
    func release() { onNews = {} }

    func readChanges(readsLevels: Bool) -> [LevelChange<WireID>] {
        endLeases()
        let before = reported
        note()
        return leases.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { signal in
            let (was, level) = (before[signal] ?? false, book.level(of: signal))
            guard was != level else { return nil }
            return LevelChange(.signal(signal), level.map { .turned($0) } ?? .missing(book.loss(of: signal) ?? ""))
        }
    }

    /// Ends the leases that are over after the bus has answered a question, because a program may have renewed its
    /// lease in time on a bus that is too busy to deliver the renewal. A bus that does not answer has as much time as
    /// one to which Tacet is not connected.
    private func endLeases() {
        let now = SystemClock.monotonic.now
        guard let deadline = book.deadline, deadline <= now else { return }
        if let question {
            guard now - question >= LeaseTable.longestPause else { return }
            self.question = nil
        } else if !book.isPaused, ask() {
            return question = now
        }
        book.advance(to: now)
    }

    private func settle() {
        endLeases()
        setTimer()
        onNews()
    }

    private func note() {
        reported = leases.keys.reduce(into: [:]) { $0.updateValue(book.level(of: $1), forKey: $1) }
        setTimer()
    }

    private func setTimer() { timer?.deadline = question.map { $0 + LeaseTable.longestPause } ?? book.deadline }
}
