import CRealTime
import Glibc

/// Wakes a thread that waits on it; an eventfd.
final class WakeUp: Sendable {
    /// Readable once it has been rung.
    let descriptor: Int32

    /// Nothing works without one: where the process has no descriptors left, this is the end.
    init() {
        descriptor = realtime_doorbell()
        precondition(descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        close(descriptor)
    }

    /// Never blocks.
    func ring() {
        realtime_wake(descriptor)
    }

    /// Waits for it, for so long at most.
    func wait(_ timeout: Duration?) {
        realtime_wait(descriptor, timeout.map { Int64($0 / .nanoseconds(1)) } ?? -1)
    }
}
