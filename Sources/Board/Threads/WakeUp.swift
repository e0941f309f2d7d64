import CRealTime
import Glibc
import Time

/// Wakes the thread that waits for it: an eventfd. Any thread can ring it; one thread waits.
public final class WakeUp: Sendable {
    /// Readable once the bell has been rung.
    public let descriptor: Int32

    /// Ends the process if no descriptor is left: nothing works without one.
    public init() {
        descriptor = realtime_doorbell()
        precondition(descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        close(descriptor)
    }

    /// Never blocks.
    public func ring() {
        realtime_wake(descriptor)
    }

    /// Waits until the bell has been rung, and makes the descriptor unreadable again.
    /// - Parameter timeout: how long to wait at most; nil for no limit.
    /// - Returns: whether the bell has been rung.
    @discardableResult
    public func wait(_ timeout: Duration?) -> Bool {
        realtime_wait(descriptor, timeout.map { Int64($0.wholeNanoseconds) } ?? -1) != 0
    }
}
