import Synchronization
import Systemd
import Threads

/// Watches the control thread from a thread of its own, because a thread that hangs cannot report it.
///
/// It only reports. The service manager, which receives no keep-alive meanwhile, ends the service.
final class ControlWatch: Sendable {
    private let livedAt: LastLife

    private final class LastLife: Sendable {
        private let value = Mutex(EventClock.monotonic.now)

        var time: Duration { value.withLock { $0 } }
        func renew() { value.withLock { $0 = EventClock.monotonic.now } }
    }

    /// Watches until the process ends.
    /// - Parameters:
    ///   - patience: how long `live` can stay away before the control thread counts as stalled.
    ///   - complain: called on the watch's own thread, once per stall.
    init(patience: Duration, complain: @escaping @Sendable () -> Void) {
        let livedAt = LastLife()
        self.livedAt = livedAt
        let respite = min(.milliseconds(500), patience / 8)
        // The thread runs until the process ends. It sleeps until the control thread could have stalled, because a
        // wake-up for each `live` would be one too many.
        _ = NativeThread("tacet-watch") {
            let sleep = WakeUp()
            while true {
                let last = livedAt.time
                let left = last + patience - EventClock.monotonic.now
                if left > .zero {
                    sleep.wait(left)
                    continue
                }
                // If the whole process was stopped, the control thread gets the time to say so.
                sleep.wait(respite)
                guard livedAt.time == last else { continue }
                complain()
                while livedAt.time == last { sleep.wait(respite) }
            }
        }
    }

    /// The control thread is alive.
    func live() { livedAt.renew() }
}
