import Clocks
import Playback
import Recording
import Systemd

/// What a watchdog watches: the threads of an engine.
protocol Watched: AnyObject {
    /// The progress of the threads; nil before they exist.
    var progress: EngineProgress? { get }
    /// The same for a recorder's threads; nil if there is no recorder.
    var recorderProgress: RecorderProgress? { get }
    /// Makes these threads show that they are alive.
    func poke(_ parts: [ProgressWatch.Part])
}

extension Installation: Watched {}

/// Feeds the service manager's watchdog, if and only if every thread makes progress.
final class Watchdog {
    private var progressWatch: ProgressWatch
    private let controlWatch: ControlWatch
    private let pause: Duration
    private let watched: () -> (any Watched)?
    private let notify: () -> ServiceManager.Attempt
    private let complain: @Sendable ([ProgressWatch.Part]) -> Void
    private var timer: EventTimer?
    /// Whether the present look is for the answer to a poke.
    private var hasPoked = false
    /// Called when threads have stalled, and when all of them make progress again.
    var onProgress: (Bool) -> Void = { _ in }

    /// - Parameters:
    ///   - interval: the manager's timeout.
    ///   - notify: passes the keep-alive to the manager, without waiting.
    ///   - complain: called when threads have stalled, on the control thread or on one of the watchdog's own.
    ///   - watched: what to watch; nil while there is nothing.
    init(
        interval: Duration, in loop: EventLoop,
        notify: @escaping () -> ServiceManager.Attempt = { ServiceManager.attempt(.watchdog) },
        complain: @escaping @Sendable ([ProgressWatch.Part]) -> Void = Watchdog.log,
        _ watched: @escaping () -> (any Watched)?
    ) throws(SystemdError) {
        self.watched = watched
        self.notify = notify
        self.complain = complain
        // Twice as often as required, so that a late turn is still in time.
        pause = interval / 4
        progressWatch = ProgressWatch(timeout: interval / 2, at: SystemClock.monotonic.now)
        controlWatch = ControlWatch(interval: interval) { complain([.control]) }
        // The watchdog owns the timer, which does not call back once released.
        timer = try loop.timer { [unowned self] in look() }
        look()
    }

    /// A new engine counts from zero; and after a time in which nothing ran, every thread needs a turn first.
    func startOver() {
        let now = SystemClock.monotonic.now
        progressWatch.startOver(at: now)
        controlWatch.heartbeat(at: now)
    }

    private func look() {
        let now = SystemClock.monotonic.now
        controlWatch.heartbeat(at: now)
        // Early or late by a quarter of the pause does not matter, and saves a wake-up.
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
        // A thread that has work has its turns anyway, and needs no further wake-up.
        watched.poke(parts)
        if !hasPoked { timer?.call(around: now + pause * 2 / 5, tolerance: pause / 10) }
        hasPoked.toggle()
    }

    /// Does not wait for a busy manager, but soon tries again.
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
                ? "The \(names[0]) thread has stalled; unless it recovers, the watchdog restarts the service."
                : "The \(names.joined(separator: " and ")) threads have stalled; unless they recover, the watchdog restarts "
                    + "the service.", priority: .error
        ).with(.outcome, "the watchdog restarts the service unless it recovers")
        JournalWriter.write(names.reduce(entry) { $0.with(.fault, $1) })
    }
}
