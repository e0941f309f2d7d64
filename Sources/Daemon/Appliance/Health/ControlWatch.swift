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
        ///   nine sixteenths of that timeout, and within three sixteenths while it waits for another thread.
        func deadline(interval: Duration) -> Duration { max(lived + interval * 5 / 16, fed + interval * 3 / 4) }
    }

    /// Returns the time that the control thread has after the deadline. If the whole process was stopped, it needs a
    /// moment to show that it is alive.
    static func respite(interval: Duration) -> Duration { min(.milliseconds(500), interval / 16) }

    private let life: LastLife
    private let interval: Duration

    private final class LastLife: Sendable {
        private let life: Mutex<Life>
        /// Goes off when a stall may have to be reported. The control thread postpones it, so that the watch's thread
        /// sleeps while the control thread is alive.
        let alarm = SharedAlarm()

        init() {
            let now = SystemClock.monotonic.now
            life = Mutex(Life(lived: now, fed: now))
        }

        var value: Life { life.withLock { $0 } }

        func change(at now: Duration, interval: Duration, _ body: (inout Life) -> Void) {
            let deadline = life.withLock { life in
                body(&life)
                return life.deadline(interval: interval)
            }
            alarm.set(after: (deadline - now).wholeNanoseconds)
        }
    }

    /// Watches until the process ends.
    /// - Parameters:
    ///   - interval: The manager's timeout.
    ///   - complain: Called on the watch's own thread, once per stall.
    init(interval: Duration, complain: @escaping @Sendable () -> Void) {
        let life = LastLife()
        self.life = life
        self.interval = interval
        heartbeat(at: SystemClock.monotonic.now)
        // The thread runs until the process ends.
        _ = NativeThread("tacet-watch") {
            let sleep = WakeUp()
            let respite = Self.respite(interval: interval)
            while true {
                let last = life.value
                let left = last.deadline(interval: interval) - SystemClock.monotonic.now
                if left > .zero {
                    life.alarm.wait()
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
    func heartbeat(at now: Duration) { life.change(at: now, interval: interval) { $0.lived = now } }
    /// Records that the control thread has fed the manager's watchdog.
    func feed(at now: Duration) { life.change(at: now, interval: interval) { $0.fed = now } }
}
