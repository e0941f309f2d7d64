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
    private let pause: Duration
    private let watched: () -> (any Watched)?
    private let notify: () -> ServiceManager.Attempt
    private let complain: @Sendable ([ProgressWatch.Part]) -> Void
    private var timer: EventTimer?
    /// True if the current check reads the answers to a poke.
    private var hasPoked = false
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
        // The pause is half as long as required, so that a late turn is still in time.
        pause = interval / 4
        progressWatch = ProgressWatch(timeout: interval / 2, at: SystemClock.monotonic.now)
        controlWatch = ControlWatch(interval: interval) { complain([.control]) }
        // The watchdog owns the timer, which does not call back once released.
        timer = try loop.timer { [unowned self] in look() }
        look()
    }

    /// Starts over, because a new engine counts from zero, and because every thread needs a turn after a period in
    /// which nothing was running.
    func startOver() {
        let now = SystemClock.monotonic.now
        progressWatch.startOver(at: now)
        controlWatch.heartbeat(at: now)
    }

    private func look() {
        let now = SystemClock.monotonic.now
        controlWatch.heartbeat(at: now)
        // The exact time does not matter, and a tolerance of a quarter of the pause saves a wake-up.
        timer?.call(around: now + pause, tolerance: pause / 4)
        guard let watched = watched(), let progress = watched.progress else {
            feed(at: now)
            return
        }
        let parts: [ProgressWatch.Part]
        switch progressWatch.judge(progress, recorder: watched.recorderProgress, at: now) {
        case .alive:
            hasPoked = false
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
        if !hasPoked { timer?.call(around: now + pause * 2 / 5, tolerance: pause / 10) }
        hasPoked.toggle()
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
