import CRealTime
import Glibc

/// Wakes the thread that waits for it: an eventfd. Any thread can ring it; one thread waits.
public final class WakeUp: Sendable {
    /// Readable once it has been rung.
    public let descriptor: Int32

    /// Ends the process if it has no descriptors left, because nothing works without one.
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

    /// Waits until it has been rung, and makes it unreadable.
    /// - Parameter timeout: how long to wait at most; nil: without a limit.
    /// - Returns: whether it has been rung.
    @discardableResult
    public func wait(_ timeout: Duration?) -> Bool {
        realtime_wait(descriptor, timeout.map { Int64($0.wholeNanoseconds) } ?? -1) != 0
    }
}
