import CRealTime
import Glibc
import Time

/// A bell that wakes the thread that waits for it, using an eventfd. Any thread can ring the bell, and one thread
/// waits.
public final class WakeUp: Sendable {
    /// Readable once the bell has been rung.
    public let descriptor: Int32

    /// Creates a bell. If no descriptor is left, this ends the process, because nothing works without the bell.
    public init() {
        descriptor = realtime_doorbell()
        precondition(descriptor >= 0, "no file descriptors left: raise LimitNOFILE")
    }

    deinit {
        close(descriptor)
    }

    /// Rings the bell. This never blocks.
    public func ring() {
        realtime_wake(descriptor)
    }

    /// Waits until the bell has been rung, and makes the descriptor unreadable again.
    /// - Parameter timeout: the maximum time to wait, or nil for no limit.
    /// - Returns: true if the bell has been rung.
    @discardableResult
    public func wait(_ timeout: Duration?) -> Bool {
        realtime_wait(descriptor, timeout.map { Int64($0.wholeNanoseconds) } ?? -1) != 0
    }
}
