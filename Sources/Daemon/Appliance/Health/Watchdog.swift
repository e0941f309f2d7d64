import Clocks
import Playback
import Recording
import Systemd

/// The object whose threads a watchdog watches.
protocol Watched: AnyObject {
    /// The progress of the threads, or nil before they exist.
    var progress: EngineProgress? { get }
    /// The progress of a recorder's threads, or nil if there is no recorder.
    var recorderProgress: RecorderProgress? { get }
    /// Makes these threads show that they are alive.
    func poke(_ parts: [ProgressWatch.Part])
}

extension Installation: Watched {}

/// Feeds the service manager's watchdog if and only if every thread makes progress.
final class Watchdog {
    private var progressWatch: ProgressWatch
    private let controlWatch: ControlWatch
    private let interval: Duration
    private let watched: () -> (any Watched)?
    private let notify: () -> ServiceManager.Attempt
    private let complain: @Sendable ([ProgressWatch.Part]) -> Void
    private var timer: EventTimer?
    private var check: RegularCheck
    /// Called after each check that the watchdog's own timer has caused, so that other checks can share its wake-up.
    var onTimer: () -> Void = {}
    /// Called when threads have stalled and when all of them make progress again.
    var onProgress: (Bool) -> Void = { _ in }

    /// - Parameters:
    ///   - interval: The manager's timeout.
    ///   - notify: Passes the keep-alive to the manager without waiting.
    ///   - complain: Called when threads have stalled, on the control thread or on one of the watchdog's own threads.
    ///   - watched: Returns the object to watch, or nil while there is none.
    init(
        interval: Duration, in loop: EventLoop,
        notify: @escaping () -> ServiceManager.Attempt = { ServiceManager.attempt(.watchdog) },
        complain: @escaping @Sendable ([ProgressWatch.Part]) -> Void = Watchdog.log,
        _ watched: @escaping () -> (any Watched)?
    ) throws(SystemdError) {
        self.watched = watched
        self.notify = notify
        self.complain = complain
        self.interval = interval
        let now = SystemClock.monotonic.now
        // Almost half of the timeout is left, so that a late turn is still in time. The check may come early enough to
        // follow other checks although its previous answers came a little later.
        check = RegularCheck(from: interval * 3 / 8, to: interval * 9 / 16, at: now)
        progressWatch = ProgressWatch(timeout: interval / 2, at: now)
        controlWatch = ControlWatch(interval: interval) { complain([.control]) }
        // The watchdog owns the timer, which does not call back once released.
        timer = try loop.timer { [unowned self] in
            look()
            onTimer()
        }
        look()
    }

    /// Starts over, because a new engine counts from zero, and because every thread needs a turn after a period in
    /// which nothing was running.
    func startOver() {
        let now = SystemClock.monotonic.now
        progressWatch.startOver(at: now)
        controlWatch.heartbeat(at: now)
    }

    /// Checks the threads if the next check is nearly due.
    func lookIfDue() { if check.isDue(at: SystemClock.monotonic.now) { look() } }

    private func look() {
        let now = SystemClock.monotonic.now
        controlWatch.heartbeat(at: now)
        check.pass(at: now)
        timer?.deadline = check.deadline
        guard let watched = watched(), let progress = watched.progress else {
            feed(at: now)
            return
        }
        let parts: [ProgressWatch.Part]
        switch progressWatch.judge(progress, recorder: watched.recorderProgress, at: now) {
        case .alive:
            onProgress(true)
            return feed(at: now)
        case .waiting(let still): parts = still
        case .hung(let hung):
            parts = hung
            onProgress(false)
            complain(hung)
        }
        // A thread that has work takes its turns anyway and does not need another wake-up.
        watched.poke(parts)
        // The answers to the poke are read soon, so that a thread that is merely slow does not delay the keep-alive.
        timer?.call(around: now + interval * 9 / 64, tolerance: interval / 64)
    }

    /// Feeds the manager's watchdog. If the manager is busy, this does not wait, but tries again soon.
    private func feed(at now: Duration) {
        if notify() == .busy {
            timer?.deadline = now + .milliseconds(100)
        } else {
            controlWatch.feed(at: now)
        }
    }

    @Sendable static func log(_ parts: [ProgressWatch.Part]) {
        let names = parts.map(\.rawValue)
        let entry = JournalEntry(
            .hung,
            names.count == 1
                ? "The \(names[0]) thread has stalled. Unless it recovers, systemd restarts the service."
                : "The \(names.joined(separator: " and ")) threads have stalled. Unless they recover, systemd restarts the "
                    + "service.", priority: .error
        ).with(.outcome, "systemd restarts the service unless it recovers")
        JournalWriter.write(names.reduce(entry) { $0.with(.fault, $1) })
    }
}
