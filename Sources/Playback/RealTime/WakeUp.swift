import CRealTime
import Glibc

/// Wakes a thread that waits on it; an eventfd.
final class WakeUp: Sendable {
    /// Readable once it has been rung.
    let descriptor: Int32

    /// Without a descriptor (there are no more) everything falls back on time-outs.
    init() {
        descriptor = realtime_doorbell()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
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
