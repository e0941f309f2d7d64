import Clocks
import Glibc
import Release
import SessionClient
import Stream
import Systemd
import Threads
import Vocabulary

/// Connects the stations to Tacet's bus and to the service manager. It runs on the main thread, which waits in
/// `SessionFollower.next`.
final class StreamBridge {
    /// A stream of Tacet's configuration.
    private struct Source {
        /// False if there are too many streams.
        let isReceived: Bool
        var station: Station?
        /// The attempts that the file contains.
        var attempts = StreamBackoff()
        /// The view of Tacet.
        var reported = Station.Report()
        var isReporting = false
        /// The time at which a report that has failed is repeated.
        var retry: Duration?
    }

    private var sources: [String: Source] = [:]
    private var follower: SessionFollower?
    private let attempts = BackoffFile()
    private let bell = WakeUp()
    private let options = HTTPOptions(
        userAgent: "tacet/\(Release.version)", authorities: getenv("TACET_CA_FILE").map { String(cString: $0) })
    private var shownStatus = ""
    /// The time at which the streams are asked for again, because that has failed, or nil.
    private var nextQuery: Duration?

    private static let retryTime = Duration.seconds(2)

    init(_ bus: BusKind) {
        // A broken connection is an error that must not end this process.
        signal(SIGPIPE, SIG_IGN)
        Heap.keepSmall()
        Termination.install()
        follower = SessionFollower(bus)
    }

    /// Runs until SIGTERM.
    func run() {
        shownStatus = status
        ServiceManager.notify(.ready, .status(shownStatus))
        let watchdog = ServiceManager.watchdogInterval
        while !Termination.isRequested {
            let now = SystemClock.monotonic.now
            let limit = watchdog.map { $0 / 2 } ?? .seconds(10)
            let deadlines = sources.values.flatMap { [$0.station?.deadline(after: now), $0.retry] } + [nextQuery]
            let wait = deadlines.compactMap { $0 }.min().map { min(max(.zero, $0 - now), limit) } ?? limit
            let bells = [bell, Termination.bell].map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            if let update = follower?.next(within: wait, or: bells) { take(update) }
            bell.wait(.zero)
            advance(at: SystemClock.monotonic.now)
            if watchdog != nil { _ = ServiceManager.attempt(.watchdog) }
            showStatus()
        }
        ServiceManager.notify(.stopping)
    }

    private func advance(at now: Duration) {
        if let query = nextQuery, query <= now { self.query() }
        for name in sources.keys {
            guard var source = sources[name] else { continue }
            let report = source.station?.turn(at: now)
            if let station = source.station, station.backoff != source.attempts {
                source.attempts = station.backoff
                sources[name] = source
                attempts.record(station.backoff, of: name, station.address, at: now)
            }
            if let report, report != source.reported, !source.isReporting, source.retry.map({ $0 <= now }) ?? true {
                log(name, report, since: source.reported)
                source.reported = report
                source.retry = nil
                sources[name] = source
                self.report(name)
            } else if let retry = source.retry, retry <= now, !source.isReporting {
                self.report(name)
            }
        }
    }

    private func log(_ name: String, _ report: Station.Report, since former: Station.Report) {
        guard report.problem != former.problem else { return }
        StreamJournal.write(report.problem.map { .failed(name, reason: $0) } ?? .playing(name))
    }

    // MARK: Tacet

    private func take(_ update: SessionUpdate) {
        switch update {
        case .available: query()
        case .unavailable:
            // Without Tacet, nothing is received.
            sources = [:]
            nextQuery = nil
        case .event(let event):
            // The configuration may have changed.
            if ["boot", "reloaded"].contains(event.name) { query() }
        }
    }

    private func query() {
        nextQuery = nil
        let arguments = [SessionAddress.session, SessionProperty.inputs.rawValue].map(BusValue.string)
        follower?.call("Get", of: "org.freedesktop.DBus.Properties", arguments) { [weak self] answer in
            guard let self else { return }
            defer { bell.ring() }
            guard case .success(let values) = answer, case .variant(let value)? = values.first else {
                nextQuery = SystemClock.monotonic.now + Self.retryTime
                return
            }
            use(
                value.elements.compactMap { entry -> String? in
                    // The name, the origin and the role.
                    guard case .structure(let fields) = entry, fields.count >= 3, case .string(let name) = fields[0],
                        case .string(let origin) = fields[1], origin.hasPrefix("stream:"),
                        fields[2] != .string("page")
                    else { return nil }
                    return name
                })
        }
    }

    /// Receives the first ones of these streams, and reports the others.
    private func use(_ names: [String]) {
        sources = sources.filter { names.contains($0.key) }
        for (index, name) in names.enumerated() {
            let isReceived = index < StreamReception.mostStreams
            if sources[name]?.isReceived != isReceived {
                var source = Source(isReceived: isReceived)
                if !isReceived {
                    source.reported.problem = "tacet-stream receives at most \(StreamReception.mostStreams) streams"
                    log(name, source.reported, since: Station.Report())
                }
                sources[name] = source
            }
            // The answer contains the address, which may have changed.
            report(name)
        }
    }

    /// Reports the state of a stream, and takes its address from the answer.
    private func report(_ name: String) {
        guard let source = sources[name] else { return }
        let report = source.reported
        sources[name]?.isReporting = true
        sources[name]?.retry = nil
        let arguments = [name, report.description.title, report.description.artist, report.problem ?? ""]
        follower?.call(SessionMethod.reportInput.rawValue, of: SessionAddress.session, arguments.map(BusValue.string)) {
            [weak self] answer in
            guard let self, sources[name] != nil else { return }
            defer { bell.ring() }
            sources[name]?.isReporting = false
            guard case .success(let values) = answer, values.count == 2, case .string(let address) = values[0],
                case .string(let pipe) = values[1]
            else {
                sources[name]?.retry = SystemClock.monotonic.now + Self.retryTime
                return
            }
            guard let source = sources[name], source.isReceived, source.station?.address != address else { return }
            let now = SystemClock.monotonic.now
            sources[name]?.station = Station(
                address, pipe: pipe, options, after: attempts.attempts(of: name, address, at: now), bell: bell,
                seed: .random(in: 1 ... .max), at: now)
        }
    }

    // MARK: The service manager

    private var status: String {
        let playing = sources.values.filter { $0.station?.isPlaying ?? false }.count
        return "Receives \(playing) of \(sources.count) \(sources.count == 1 ? "stream" : "streams")"
    }

    private func showStatus() {
        let status = status
        guard status != shownStatus else { return }
        // If the manager is busy, the next turn of the loop tries again.
        if ServiceManager.attempt(.status(status)) != .busy { shownStatus = status }
    }
}
