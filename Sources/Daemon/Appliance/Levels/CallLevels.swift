import AudioSession
import Clocks
import Configuration
import Signals
import Systemd
import Threads

/// The voice calls of oFono on the system bus.
///
/// The levels are missing while oFono is not running or does not answer.
final class CallLevels: LevelReader {
    private static let ofono = "org.ofono"

    private let loop: EventLoop
    private var bus: Bus?
    private var subscriptions: [BusSubscription] = []
    private var retry: EventTimer?
    private var backoff = Backoff(from: .milliseconds(500), to: .seconds(10))
    private var wanted: [SignalID: CallState] = [:]
    /// The calls, or nil while they are unknown.
    private var book: CallTable?
    private var problem = "oFono has not answered yet"
    /// The scan in progress, which reads all calls.
    private var scan: Scan?
    private var scans = 0
    private var reported: [SignalID: Bool?] = [:]
    var onNews: () -> Void = {}
    let descriptors: [Int32] = []
    /// Always false, because this type detects oFono itself.
    let isIncomplete = false

    private struct Scan {
        let number: Int
        var found = CallTable()
        /// The number of answers that have not arrived yet.
        var pending = 1
        /// True if something has changed during the scan. In this case, the calls are read again.
        var isStale = false
    }

    init(in loop: EventLoop) throws(SystemdError) {
        self.loop = loop
        retry = try loop.timer { [unowned self] in bus == nil ? connect() : read() }
        connect()
    }

    /// - Parameter deadline: The time until which to wait for oFono's first answer.
    func adopt(_ wanted: [SignalID: CallState], waitingUntil deadline: Duration) {
        self.wanted = wanted
        bus?.wait(until: deadline) { [unowned self] in book != nil || bus == nil }
        note()
    }

    func level(of id: WireID) -> Bool? {
        guard case .signal(let signal) = id, let state = wanted[signal] else { return nil }
        return book?.contains(state)
    }

    func place(of id: WireID) -> String? { nil }

    func problem(of id: WireID) -> String? {
        guard case .signal(let signal) = id, book == nil, wanted.keys.contains(signal) else { return nil }
        return problem
    }

    func acquire() -> [LevelChange<WireID>] { [] }
    func release() { onNews = {} }

    func readChanges(readsLevels: Bool) -> [LevelChange<WireID>] {
        let before = reported
        note()
        return wanted.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { signal, state in
            let (was, level) = (before[signal] ?? nil, book?.contains(state))
            guard was != level else { return nil }
            guard let level else { return LevelChange(.signal(signal), .missing(problem)) }
            return LevelChange(.signal(signal), was == nil ? .found(level) : .turned(level))
        }
    }

    private func note() {
        reported = wanted.reduce(into: [:]) { $0.updateValue(book?.contains($1.value), forKey: $1.key) }
    }

    // MARK: The connection

    private func connect() {
        do throws(SystemdError) {
            let bus = try Bus(.system, in: loop) { [unowned self] reason in hangUp(reason) }
            self.bus = bus
            subscriptions = [
                try bus.followOwner(of: Self.ofono) { [unowned self] owner in
                    if owner == nil {
                        lose("oFono is not running (see ‘systemctl status ofono’)")
                    } else {
                        backoff.restart()
                        read()
                    }
                },
                try follow(bus, "VoiceCallManager", "CallAdded", "oa{sv}") { [unowned self] values, _ in
                    change { $0.add(values) }
                },
                try follow(bus, "VoiceCallManager", "CallRemoved", "o") { [unowned self] values, _ in
                    if case .objectPath(let path)? = values.first { change { $0.remove(path) } }
                },
                try follow(bus, "VoiceCall", "PropertyChanged", "sv") { [unowned self] values, signal in
                    guard values[0] == .string("State"), case .variant(.string(let state)) = values[1] else { return }
                    change { $0.set(signal.path, state) }
                },
                try follow(bus, "Manager", "ModemAdded", "oa{sv}") { [unowned self] _, _ in read() },
                try follow(bus, "Manager", "ModemRemoved", "o") { [unowned self] _, _ in read() },
                try follow(bus, "Modem", "PropertyChanged", "sv") { [unowned self] values, _ in
                    if values.first == .string("Interfaces") { read() }
                },
            ]
        } catch { hangUp("\(error)") }
    }

    private func follow(
        _ bus: Bus, _ interface: String, _ member: String, _ signature: String,
        then: @escaping ([BusValue], BusEvent.Signal) -> Void
    ) throws(SystemdError) -> BusSubscription {
        try bus.follow(
            from: Self.ofono, interface: "org.ofono.\(interface)", member: member, signature: signature, then: then)
    }

    private func hangUp(_ reason: String) {
        subscriptions = []
        bus = nil
        lose("there is no connection to oFono: \(reason)")
        retryLater()
    }

    private func lose(_ reason: String) {
        scan = nil
        book = nil
        problem = reason
        onNews()
    }

    private func retryLater() {
        retry?.deadline = SystemClock.monotonic.now + backoff.next()
    }

    // MARK: Calls

    private func change(_ body: (inout CallTable) -> Void) {
        scan?.isStale = true
        guard var changed = book else { return }
        body(&changed)
        book = changed
        onNews()
    }

    /// Reads all calls of all modems.
    private func read() {
        guard scan == nil else {
            scan?.isStale = true
            return
        }
        scans += 1
        let number = scans
        scan = Scan(number: number)
        ask("GetModems", of: "org.ofono.Manager", at: "/", number) { [unowned self] values in
            for modem in CallTable.modems(values.first) {
                scan?.pending += 1
                ask("GetCalls", of: "org.ofono.VoiceCallManager", at: modem, number) { [unowned self] values in
                    if let calls = values.first { scan?.found.add(calls) }
                }
            }
        }
    }

    private func ask(
        _ member: String, of interface: String, at path: String, _ number: Int, then: @escaping ([BusValue]) -> Void
    ) {
        let take: (Result<[BusValue], BusError>) -> Void = { [unowned self] answer in
            guard scan?.number == number else { return }
            switch answer {
            case .success(let values): then(values)
            case .failure(let error):
                // A modem that has just disappeared does not have calls. After any other error, a call may be in
                // progress.
                guard member == "GetCalls", error.isUnknownObject else {
                    lose("oFono does not report its calls: \(error.message)")
                    return retryLater()
                }
            }
            scan?.pending -= 1
            finish()
        }
        do throws(SystemdError) {
            try bus?.call(member, of: interface, at: path, on: Self.ofono, then: take)
        } catch { hangUp("\(error)") }
    }

    private func finish() {
        guard let scan, scan.pending == 0 else { return }
        self.scan = nil
        if scan.isStale { return read() }
        book = scan.found
        onNews()
    }
}
