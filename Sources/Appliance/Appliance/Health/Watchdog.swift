import Systemd

/// Feeds the service manager's watchdog, if and only if every thread makes progress.
final class Watchdog {
    private var progressWatch: ProgressWatch
    private let controlWatch: ControlWatch
    private let pause: Duration
    private let installation: () -> Installation?
    private var timer: EventTimer?

    /// - Parameters:
    ///   - interval: the manager's patience.
    ///   - installation: the installation to watch; nil while there is none.
    init(
        interval: Duration, in loop: EventLoop, _ installation: @escaping () -> Installation?
    ) throws(SystemdError) {
        self.installation = installation
        // Twice as often as required, so that a late turn is still in time.
        pause = interval / 4
        progressWatch = ProgressWatch(patience: interval / 2, at: EventClock.monotonic.now)
        controlWatch = ControlWatch(patience: interval / 4 * 3) { Watchdog.complain(of: [.control]) }
        // The watchdog owns the timer, which does not call back once released.
        timer = try loop.timer { [unowned self] in look() }
        look()
    }

    /// A new engine counts from zero.
    func startOver() { progressWatch.startOver(at: EventClock.monotonic.now) }

    private func look() {
        let now = EventClock.monotonic.now
        controlWatch.live()
        timer?.deadline = now + pause
        guard let installation = installation(), let progress = installation.progress else {
            feed(at: now)
            return
        }
        switch progressWatch.judge(progress, at: now) {
        case .alive: feed(at: now)
        case .waiting: break
        case .hung(let parts): Watchdog.complain(of: parts)
        }
        installation.poke()
    }

    /// Does not wait for a busy manager, but soon tries again.
    private func feed(at now: Duration) {
        if ServiceManager.attempt(.watchdog) == .busy { timer?.deadline = now + .milliseconds(100) }
    }

    private static func complain(of parts: [ProgressWatch.Part]) {
        let names = parts.map(\.rawValue)
        let entry = JournalEntry(
            .hung,
            names.count == 1
                ? "The \(names[0]) thread has stalled; unless it recovers, the watchdog restarts the service."
                : "The \(names.joined(separator: " and ")) threads have stalled; unless they recover, the watchdog restarts "
                    + "the service.", priority: .error
        ).with(.outcome, "the watchdog restarts the service unless it recovers")
        JournalWriter.write(names.reduce(entry) { $0.with(.fault, $1) })
    }
}
