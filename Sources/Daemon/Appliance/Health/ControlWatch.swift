import Clocks
import Synchronization
import Threads

/// Watches the control thread from a thread of its own, because a thread that hangs cannot report it.
///
/// It only reports, shortly before the service manager, which receives no keep-alive meanwhile, ends the service.
final class ControlWatch: Sendable {
    /// The last signs of life.
    struct Life: Hashable {
        /// When the control thread last looked at the others.
        var lived: Duration
        /// When it last fed the manager's watchdog: earlier, if it then waited for another thread.
        var fed: Duration

        /// When the silence must be reported.
        /// - Parameter interval: the manager's timeout since `fed`. A healthy control thread looks, at the latest, after
        ///   five sixteenths of it.
        func deadline(interval: Duration) -> Duration { max(lived + interval * 3 / 8, fed + interval * 3 / 4) }
    }

    /// How long the control thread still has after the deadline: if the whole process was stopped, it needs a moment to
    /// show that it is alive.
    static func respite(interval: Duration) -> Duration { min(.milliseconds(500), interval / 16) }

    private let life: LastLife

    private final class LastLife: Sendable {
        private let life: Mutex<Life>

        init() {
            let now = SystemClock.monotonic.now
            life = Mutex(Life(lived: now, fed: now))
        }

        var value: Life { life.withLock { $0 } }
        func heartbeat(at now: Duration) { life.withLock { $0.lived = now } }
        func feed(at now: Duration) { life.withLock { $0.fed = now } }
    }

    /// Watches until the process ends.
    /// - Parameters:
    ///   - interval: the manager's timeout.
    ///   - complain: called on the watch's own thread, once per stall.
    init(interval: Duration, complain: @escaping @Sendable () -> Void) {
        let life = LastLife()
        self.life = life
        // The thread runs until the process ends. It sleeps until the control thread could have stalled, because a
        // wake-up for each `live` would be one too many.
        _ = NativeThread("tacet-watch") {
            let sleep = WakeUp()
            let respite = Self.respite(interval: interval)
            while true {
                let last = life.value
                let left = last.deadline(interval: interval) - SystemClock.monotonic.now
                if left > .zero {
                    sleep.wait(left)
                    continue
                }
                sleep.wait(respite)
                guard life.value == last else { continue }
                complain()
                while life.value == last { sleep.wait(respite) }
            }
        }
    }

    /// The control thread is alive.
    func heartbeat(at now: Duration) { life.heartbeat(at: now) }
    /// It has fed the manager's watchdog.
    func feed(at now: Duration) { life.feed(at: now) }
}
