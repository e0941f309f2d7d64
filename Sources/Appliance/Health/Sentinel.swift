import Threads

/// Watches over control from a thread of its own, as whoever hangs cannot say so.
///
/// It only tells: ending the service is up to the service manager, which is not fed meanwhile.
final class Sentinel: Sendable {
    private let bell = WakeUp()

    /// Watches until the process ends.
    /// - Parameters:
    ///   - patience: how long `live` may fail to come.
    ///   - complain: called on the sentinel's thread, once for each time that control hangs.
    init(patience: Duration, complain: @escaping @Sendable () -> Void) {
        let bell = bell
        // Nobody waits for its end.
        _ = NativeThread("tacet-sentinel") {
            var hasComplained = false
            while true {
                let isAlive = bell.wait(patience)
                if !isAlive, !hasComplained { complain() }
                hasComplained = !isAlive
            }
        }
    }

    /// Control is alive.
    func live() { bell.ring() }
}
