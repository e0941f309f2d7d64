import Threads

/// Watches the control thread from a thread of its own, because a thread that hangs cannot report it.
///
/// It only reports. The service manager, which receives no keep-alive meanwhile, ends the service.
final class ControlWatch: Sendable {
    private let bell = WakeUp()

    /// Watches until the process ends.
    /// - Parameters:
    ///   - patience: how long `live` can stay away before the control thread counts as stalled.
    ///   - complain: called on the watch's own thread, once per stall.
    init(patience: Duration, complain: @escaping @Sendable () -> Void) {
        let bell = bell
        let respite = min(.milliseconds(500), patience / 8)
        // The thread runs until the process ends.
        _ = NativeThread("tacet-watch") {
            var hasComplained = false
            while true {
                // If the whole process was stopped, the control thread gets the time to say so.
                let isAlive = bell.wait(patience) || bell.wait(respite)
                if !isAlive, !hasComplained { complain() }
                hasComplained = !isAlive
            }
        }
    }

    /// The control thread is alive.
    func live() { bell.ring() }
}
