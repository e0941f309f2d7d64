import Clocks
import Synchronization
import Threads

/// Watches the control thread from a separate thread, because a thread that hangs cannot report it.
///
/// It only reports the stall. Shortly afterwards, the service manager ends the service because it no longer receives
/// keep-alives.
final class ControlWatch: Sendable {
    /// The last signs of life.
    struct Life: Hashable {
        /// The time at which the control thread last checked the other threads.
        var lived: Duration
        /// The time at which the control thread last fed the manager's watchdog. This time is earlier if the control
        /// thread then waited for another thread.
        var fed: Duration

        /// Returns the time at which a stall must be reported.
        /// - Parameter interval: The manager's timeout since `fed`. A healthy control thread checks the others within
        ///   five sixteenths of that timeout.
        func deadline(interval: Duration) -> Duration { max(lived + interval * 3 / 8, fed + interval * 3 / 4) }
    }

    /// Returns the time that the control thread has after the deadline. If the whole process was stopped, it needs a
    /// moment to show that it is alive.
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
    ///   - interval: The manager's timeout.
    ///   - complain: Called on the watch's own thread, once per stall.
    init(interval: Duration, complain: @escaping @Sendable () -> Void) {
        let life = LastLife()
        self.life = life
        // The thread runs until the process ends. It sleeps until the control thread may have stalled, which avoids a
        // wake-up for each `heartbeat`.
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

    /// Records that the control thread is alive.
    func heartbeat(at now: Duration) { life.heartbeat(at: now) }
    /// Records that the control thread has fed the manager's watchdog.
    func feed(at now: Duration) { life.feed(at: now) }
}
