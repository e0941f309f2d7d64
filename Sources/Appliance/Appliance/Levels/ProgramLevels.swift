import AudioSession
import Clocks
import Configuration
import Signals
import Systemd

/// The levels that programs assert over the bus, each for a lease.
final class ProgramLevels: LevelReader {
    /// For a signal that was active when the daemon was restarted, and whose lease is infinite.
    static let usualLease = Duration.seconds(30)

    private var book = LeaseBook()
    /// The configured lease of each signal.
    private var leases: [SignalID: ProgramLease] = [:]
    private var reported: [SignalID: Bool?] = [:]
    private var timer: EventTimer?
    var onNews: () -> Void = {}
    let descriptors: [Int32] = []
    let isIncomplete = false

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
    func set(_ signal: SignalID, _ asserted: Bool, for lease: Lease?, by client: String, called program: String) {
        let now = SystemClock.monotonic.now
        let until: Duration? =
            switch lease {
            case .asConfigured?, nil: leases[signal]?.time.map { now + $0 }
            case .infinite?: nil
            case .time(let time)?: now + time
            }
        book.set(signal, asserted, by: client, called: program, until: until, vouches: lease != nil)
        settle()
    }

    /// A program withdraws what it asserted before its signal was removed or got another source.
    func withdraw(_ signal: SignalID, by client: String) {
        book.withdraw(signal, by: client)
        timer?.deadline = book.deadline
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

    func leaveBus() {
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
        book.advance(to: SystemClock.monotonic.now)
        let before = reported
        note()
        return leases.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { signal in
            let (was, level) = (before[signal] ?? false, book.level(of: signal))
            guard was != level else { return nil }
            return LevelChange(.signal(signal), level.map { .turned($0) } ?? .missing(book.loss(of: signal) ?? ""))
        }
    }

    private func settle() {
        book.advance(to: SystemClock.monotonic.now)
        timer?.deadline = book.deadline
        onNews()
    }

    private func note() {
        reported = leases.keys.reduce(into: [:]) { $0.updateValue(book.level(of: $1), forKey: $1) }
        timer?.deadline = book.deadline
    }
}
