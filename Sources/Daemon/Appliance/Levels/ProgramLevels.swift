import AudioSession
import Clocks
import Configuration
import Signals
import Systemd

/// The levels that programs assert over the bus, each for a lease.
final class ProgramLevels: LevelReader {
    /// For a signal that was active when the daemon was restarted, and whose lease is infinite.
    static let usualLease = Duration.seconds(30)

    private var book = LeaseTable()
    /// The configured lease of each signal.
    private var leases: [SignalID: ProgramLease] = [:]
    private var reported: [SignalID: Bool?] = [:]
    private var timer: EventTimer?
    var onNews: () -> Void = {}
    let descriptors: [Int32] = []
    let isIncomplete = false
    /// Asks the bus for anything, and returns whether it could: the answer is passed to `noteAnswer`.
    var ask: () -> Bool = { false }
    /// Since when the bus is being asked, because a lease is over.
    private var question: Duration?

    init(in loop: EventLoop) throws(SystemdError) {
        timer = try loop.timer { [unowned self] in settle() }
    }

    /// - Parameter leases: the signals that programs can assert.
    func adopt(_ leases: [SignalID: ProgramLease]) {
        self.leases = leases
        book.keep { leases.keys.contains($0) }
        note()
    }

    /// The signals that programs can assert.
    func isFromBus(_ signal: SignalID) -> Bool { leases.keys.contains(signal) }

    /// A program's request.
    enum Lease: Hashable {
        case asConfigured, infinite
        case time(Duration)
    }

    /// - Parameters:
    ///   - lease: for a deassertion: nil if the program does not vouch for it.
    ///   - client: the unique name of its connection.
    ///   - user: the user that it runs as; nil if unknown.
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
            signal, asserted, by: client, called: program, of: user, until: until, vouches: lease != nil)
        settle()
    }

    /// A program withdraws what it asserted before its signal was removed or got another source.
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

    /// The bus has answered, and has delivered before whatever had been sent to Tacet before the question.
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

    /// - Parameter isSame: false if it is another bus, where the names of programs are those of others.
    func returnToBus(isSame: Bool) {
        book.returnToBus(isSame: isSame, at: SystemClock.monotonic.now)
        settle()
    }

    /// The connections that hold a level.
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

    /// Ends what is over, once the bus has answered a question: a program can have renewed its lease in time on a bus that is
    /// too busy to deliver that. A bus that does not answer has as long as one that Tacet is not on.
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
